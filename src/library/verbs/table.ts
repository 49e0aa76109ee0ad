import type { AnyVerb, Method } from "./verb.ts";

/** A verb before it is loaded: what the help of all commands says of it. */
export interface VerbEntry {
	/** Name of its command, tool and address, where the method has another one. */
	readonly named?: string;
	/** Argument of its command, `[run]`; empty without one. */
	readonly usage: string;
	readonly summary: string;
	readonly load: () => Promise<AnyVerb>;
}

/** The verbs, by the method of the library. A new one is an entry here and a file; every door has it then. */
export const VERBS = {
	/** Run's standing, with that of its tasks. */
	status: {
		usage: "[run]",
		summary: "show where a run stands",
		load: async () => (await import("./status.ts")).status,
	},
	runs: {
		usage: "",
		summary: "list the runs of this repository",
		load: async () => (await import("./runs.ts")).runs,
	},
	trace: {
		usage: "[task]",
		summary: "show what happened in a task, and why",
		load: async () => (await import("./trace.ts")).trace,
	},
	/** Unified diff of the task against its start; with `turn`, of that turn against the one before. */
	diff: {
		usage: "[task]",
		summary: "show what a task changed",
		load: async () => (await import("./diff.ts")).diff,
	},
	/** The gate's report of the task's newest turn that has one; null when no gate has looked at it. */
	gate: {
		usage: "[task]",
		summary: "show what the gate said about a task",
		load: async () => (await import("./gate.ts")).gate,
	},
	/** Every finding of the task, in the order they were raised. */
	findings: {
		usage: "[task]",
		summary: "list a task's findings and their history",
		load: async () => (await import("./findings.ts")).findings,
	},
	/** Rate at which scores turned out right, over all runs, by agent and metric. */
	calibration: {
		usage: "",
		summary: "show how often scores turned out right, over all runs",
		load: async () => (await import("./calibration.ts")).calibration,
	},
	/** Asks the holder to stop and waits until it did; a run that nobody holds is cancelled at once. */
	cancel: {
		usage: "[run]",
		summary: "stop a run",
		load: async () => (await import("./cancel.ts")).cancel,
	},
	/** All that reviewers want to know of a run; the formats of `spar report` are made of it. */
	result: {
		named: "report",
		usage: "[run]",
		summary: "print a run for reviewers and CI",
		load: async () => (await import("./result.ts")).result,
	},
	/** Of ended runs what they left on the disk and in git. */
	prune: {
		usage: "",
		summary: "remove checkouts and refs of ended runs",
		load: async () => (await import("./prune.ts")).prune,
	},
} as const satisfies Readonly<Record<string, VerbEntry>>;

export type VerbName = keyof typeof VERBS;

/** The library's methods that are made from verbs. */
export type VerbMethods = {
	readonly [Name in VerbName]: Method<Awaited<ReturnType<(typeof VERBS)[Name]["load"]>>>;
};

export const VERB_NAMES = Object.keys(VERBS) as readonly VerbName[];

/** Name of a verb's command, tool and address. @example `nameOfVerb("result")` is `"report"` */
export function nameOfVerb(method: VerbName): string {
	const entry: VerbEntry = VERBS[method];
	return entry.named ?? method;
}
