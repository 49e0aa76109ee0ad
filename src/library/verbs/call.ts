import { Fault } from "../../kernel/fault.ts";
import { snakeCase } from "../../kernel/snake-case.ts";
import type { Sparring } from "../sparring.ts";
import { VERBS, type VerbName } from "./table.ts";
import type { AnyVerb, Fields } from "./verb.ts";

export type GivenValues = Readonly<Record<string, unknown>>;

export type ToldBy<Name extends VerbName> = Awaited<ReturnType<Sparring[Name]>>;

/** Name of a field outside of programs. @example `taskIds` is `task_ids`, `runId` is `run` */
export const wireName = (name: string): string => snakeCase(name).replace(/_id$/, "");

/** The task that is meant: the named one, else the only one of the run. @throws Fault `usage` where there are several */
export async function onlyTask(
	sparring: Pick<Sparring, "status">,
	named: string | undefined,
	runId: string | undefined,
): Promise<string> {
	if (named !== undefined) return named;
	const { run_id, tasks } = await sparring.status(runId);
	const [only = "", ...others] = Object.keys(tasks);
	if (others.length === 0) return only;
	throw new Fault(`run ${run_id} has ${others.length + 1} tasks, and none is named`, {
		code: "usage",
		hint: `Name one of them: ${Object.keys(tasks).join(", ")}`,
	});
}

const textOf = (value: unknown): string | undefined =>
	typeof value === "string" ? value : undefined;

/** The given values, with the only task of the run where a task is needed and none is named. */
export async function withTask(
	fields: Fields,
	sparring: Sparring,
	given: GivenValues,
): Promise<GivenValues> {
	if (fields["task"]?.isNeeded !== true) return given;
	const task = await onlyTask(sparring, textOf(given["task"]), textOf(given["runId"]));
	return { ...given, task };
}

/** Calls the library's method of a verb with what was given by the names of its fields. */
export async function callVerb<Name extends VerbName>(
	method: Name,
	sparring: Sparring,
	given: GivenValues,
): Promise<ToldBy<Name>> {
	const { fields, places }: AnyVerb = VERBS[method];
	const named = places.filter((name) => name in fields);
	const rest = Object.keys(fields).filter((name) => !named.includes(name));
	const options = Object.fromEntries(
		rest.flatMap((name) => (name in given ? [[name, given[name]]] : [])),
	);
	const args = [...named.map((name) => given[name]), ...(rest.length === 0 ? [] : [options])];
	// Made of the verb's own fields, by the rule of the method's type.
	const call = sparring[method] as (...args: unknown[]) => Promise<ToldBy<Name>>;
	return await call(...args);
}
