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
	/** undefined: off, as in runs of older versions. */
	readonly sandbox?: SandboxPolicy;
	readonly budget?: Budget;
	readonly merge: { readonly into: "integration" | "base" | "none" };
	/** In the order of the file. */
	readonly tasks: readonly TaskDefinition[];
	/** Path of the workflow file relative to the repository root, with `/`; undefined when outside. */
	readonly file?: string;
}

/** An agent that can take a seat. Names are unique in a workflow. */
export type AgentDefinition =
	| CommandDefinition
	| CassetteDefinition
	| HarnessDefinition
	| AcpDefinition
	| ModelDefinition;

/** What every agent has. */
interface AnyAgent {
	readonly name: string;
	/** Names of environment variables that this agent may see. */
	readonly env: readonly string[];
	/** Longest duration of one call. */
	readonly timeoutMs: number;
	/** Agent that is called in its place when it cannot be used any more; undefined: a person is asked. */
	readonly fallback?: string;
}

/** A program of the user's that keeps the agent protocol. */
export interface CommandDefinition extends AnyAgent {
	readonly adapter: "command";
	/** Program and arguments. */
	readonly run: readonly string[];
}

/** Recorded answers. */
export interface CassetteDefinition extends AnyAgent {
	readonly adapter: "cassette";
	/** Absolute path of the JSON Lines file. */
	readonly file: string;
}

/** A coding agent's own program. */
export interface HarnessDefinition extends AnyAgent {
	readonly adapter: "claude" | "codex" | "gemini" | "opencode";
	/** As the harness names it; undefined: the harness's own choice. */
	readonly model?: string;
	/** Further arguments; they come last. */
	readonly args: readonly string[];
	/** `user`: its own sign-in. `key`: a private home and a key from `env`. */
	readonly login: "user" | "key";
}

/** An agent that speaks the Agent Client Protocol over its standard input and output. */
export interface AcpDefinition extends AnyAgent {
	readonly adapter: "acp";
	/** Program and arguments. */
	readonly run: readonly string[];
	readonly model?: string;
	readonly login: "user" | "key";
}

/** A model by API, without tools. */
export interface ModelDefinition extends AnyAgent {
	readonly adapter: "model";
	/** `PROVIDER/NAME`: `google/...`, `anthropic/...`, `openai/...`, or `openai-compatible/...` with an address. */
	readonly model: string;
	/** Address of the API; undefined: the provider's own. */
	readonly baseUrl?: string;
}

/** Most that may be spent; undefined: no limit. */
export interface Budget {
	/** US dollars. */
	readonly usd?: number;
	/** Time in which a process holds the run, or works on the task. */
	readonly wallMs?: number;
}

/** What agents and checks are confined by. */
export interface SandboxPolicy {
	/** `auto`: confined where this machine can; `required`: not run where it cannot. */
	readonly mode: "off" | "auto" | "required";
	/** Hosts that they may reach besides those that the agents of the workflow need; `*.` stands for subdomains, and a port may follow. */
	readonly allowHosts: readonly string[];
	/** Whether they may make and use Unix sockets inside; undefined: no. */
	readonly unixSockets?: boolean;
}

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
	readonly budget?: Budget;
}
