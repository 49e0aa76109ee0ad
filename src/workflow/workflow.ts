/**
 * The workflow as the rest of Sparring sees it: checked, defaults merged, durations in milliseconds.
 * It is plain JSON, stored with the run and fixed from then on. `load.ts` makes it.
 */
export interface Workflow {
	readonly version: 1;
	readonly name: string;
	/** Branch to work from; undefined: the branch checked out when the run starts. */
	readonly base?: string;
	readonly setup: readonly string[];
	/** Globs of the files that `setup` depends on; empty: the known manifests and lock files. */
	readonly setupInputs: readonly string[];
	readonly agents: Readonly<Record<string, AgentDefinition>>;
	readonly checks: readonly CheckDefinition[];
	/** Globs of files that a player may not change or delete. */
	readonly protected: readonly string[];
	readonly human: { readonly enabled: boolean };
	readonly merge: { readonly into: "integration" | "base" | "none" };
	/** In the order of the file. */
	readonly tasks: readonly TaskDefinition[];
	/** Path of the workflow file relative to the repository root, with `/`; undefined when outside. */
	readonly file?: string;
}

/** An agent that can take a seat. Names are unique in a workflow. */
export type AgentDefinition =
	| {
			readonly adapter: "command";
			readonly name: string;
			/** Program and arguments. */
			readonly run: readonly string[];
			/** Names of environment variables that this agent may see. */
			readonly env: readonly string[];
			readonly timeoutMs: number;
	  }
	| {
			readonly adapter: "cassette";
			readonly name: string;
			/** Absolute path of the JSON Lines file. */
			readonly file: string;
			readonly env: readonly string[];
			readonly timeoutMs: number;
	  };

export type CheckKind = "acceptance" | "lint" | "security" | "readiness" | "coverage";

export type ReportFormat =
	| "junit"
	| "tap"
	| "ctrf"
	| "node-test"
	| "vitest"
	| "jest"
	| "pytest"
	| "go-test"
	| "exit";

/** One command that the orchestrator runs on a commit. */
export interface CheckDefinition {
	readonly name: string;
	readonly kind: CheckKind;
	/** A line for `sh -c`. */
	readonly run: string;
	/** Where its results stand; `path` is relative to the checkout, without it standard output is read. */
	readonly report?: { readonly format: ReportFormat; readonly path?: string };
	readonly timeoutMs: number;
	/**
	 * `new` (default): what failed at the baseline and still fails is known and not counted.
	 * `strict`: every failure counts. `tolerate`: red at the baseline and still red is `absent`.
	 */
	readonly baseline: "new" | "strict" | "tolerate";
}

export interface TaskDefinition {
	readonly id: string;
	readonly description: string;
	readonly acceptanceCriteria: readonly string[];
	readonly contextFiles: readonly string[];
	readonly dependsOn: readonly string[];
	/** Name of the agent that sits as player first. */
	readonly player: string;
	/** The second seat; undefined: the task runs its single agent. */
	readonly pair?: { readonly challenger: string; readonly maxIterations?: number };
	readonly requiresVerification: "auto" | "false";
	readonly requiresHuman: boolean;
	/** `max_turns` of the file, default 10. */
	readonly maxTurns: number;
	/** Smallest of `max_turns` and the enabled overlays' `max_iterations`. */
	readonly bound: number;
	/** True when a gate of tier T0 applies. */
	readonly gate: boolean;
	/** True when `policy_gate: { enabled: false }` is written for it: it may merge unchecked. */
	readonly gateDeclined: boolean;
	/** Whether a person is asked (`human.enabled` unless `overlays.hil` says otherwise). */
	readonly human: boolean;
}
