import { Fault } from "../../kernel/fault.ts";
import type { Sparring } from "../sparring.ts";
import type { VerbName } from "./table.ts";
import type { AnyVerb } from "./verb.ts";

export type GivenValues = Readonly<Record<string, unknown>>;

export type ToldBy<Name extends VerbName> = Awaited<ReturnType<Sparring[Name]>>;

/** Name of a field outside of programs. @example `--dry-run` is `dry_run`, `[run]` is `run` */
export const wireName = (spelt: string): string =>
	(/\w[\w-]*/.exec(spelt)?.[0] ?? "").replaceAll("-", "_");

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

/** What was given, and the only task of the run where a task is needed and none is named. */
export async function withTask(
	{ fields }: AnyVerb,
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
	{ fields, places }: AnyVerb,
	sparring: Sparring,
	given: GivenValues,
): Promise<ToldBy<Name>> {
	const rest = Object.keys(fields).filter((name) => !places.includes(name));
	const options = Object.fromEntries(rest.map((name) => [name, given[name]]));
	const args = [...places.map((name) => given[name]), ...(rest.length === 0 ? [] : [options])];
	// Made of the verb's own fields, by the rule of the method's type.
	const call = sparring[method] as (...args: unknown[]) => Promise<ToldBy<Name>>;
	return await call(...args);
}
