import type { Supervision } from "../../drive/run-options.ts";
import { MOST_PARALLEL } from "../../workflow/limits.ts";
import type { Field, Fields, Kind, Verb } from "./verb.ts";

/** A verb as it is; the types are those of what it does. */
export const verb = <G extends object, const P extends readonly string[], Told>(
	value: Verb<G, P, Told>,
): Verb<G, P, Told> => value;

/** Argument of a verb's command; its other fields are options. @example the one spelt `[run]` */
export const argumentOf = (fields: Fields): Field | undefined =>
	Object.values(fields).find(({ spelt = "" }) => /^[<[]/.test(spelt));

const spelt =
	<K extends Kind>(kind: K) =>
	(spelling: string, about: string, more: Partial<Field<K>> = {}): Field<K> => ({
		kind,
		spelt: spelling,
		about,
		...more,
	});

export const text = spelt("text");
export const texts = spelt("texts");
export const count = spelt("count");
export const number = spelt("number");
export const duration = spelt("duration");
export const flag = spelt("flag");
export const choice = spelt("choice");
export const list = spelt("list");

/** A field that only programs give. */
export const given = <K extends Kind>(kind: K): Field<K> => ({ kind });

const OF_RUN = "id of the run (default: the newest)";

export const RUN = text("[run]", OF_RUN);

/** Of a task the run, since the task is the argument. */
export const RUN_OPTION = text("--run <run>", OF_RUN);

export const TASK = text("[task]", "id of the task (default: the only one)", { isNeeded: true });

export const TASK_IDS = texts(
	"--task-id <task-id...>",
	"run only these tasks and what they depend on",
);

export const MAX_PARALLEL = count("--max-parallel <n>", "at most this many tasks at once", {
	most: MOST_PARALLEL,
});

export const ANYWAY = flag(
	"--anyway",
	"go on although a seat, the setup or a check cannot be used",
	{ forPeople: true },
);

const CALLBACK = given("callback");

export const SUPERVISION = {
	onEvent: CALLBACK,
	onHistory: CALLBACK,
	onNotice: CALLBACK,
	onPreflight: CALLBACK,
	onStopped: CALLBACK,
	signal: given("signal"),
} as const satisfies Record<keyof Supervision, Field>;
