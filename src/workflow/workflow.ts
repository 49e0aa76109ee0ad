import type { HarnessName } from "./harnesses.ts";
import type { NatsSettings } from "./nats-settings.ts";

/**
 * The workflow as the rest of Sparring sees it: checked, defaults merged, durations in milliseconds.
 * It is plain JSON, stored with the run and fixed from then on. `load.ts` makes it.
 */
export interface Workflow {
	readonly version: 1;
	readonly name: string;
	/** Branch to work from; undefined: the branch checked out when the run starts. */
	readonly base?: string | undefined;
	/** How several machines share the code of a run; undefined: one repository is all there is. */
	readonly code?: CodePolicy | undefined;
	/** Address of the Postgres that the file names, without a password; undefined: it names none. */
	readonly store?: string | undefined;
	readonly setup: readonly string[];
	/** How many tasks may be in work at once. 1 to 256. */
	readonly maxParallel: number;
	/** Globs of the files that `setup` depends on; empty: the known manifests and lock files. */
	readonly setupInputs: readonly string[];
	/** Whether the result of a setup is kept and copied. */
	readonly setupCache: boolean;
	/** Ignored files, folders or globs of the user's checkout that every checkout gets; undefined: none. */
	readonly copy?: readonly string[] | undefined;
	readonly agents: Readonly<Record<string, AgentDefinition>>;
	readonly checks: readonly CheckDefinition[];
	/** Globs of files that a player may not change or delete. */
	readonly protected: readonly string[];
	readonly human: {
		readonly enabled: boolean;
		/** Told when an item is filed, when it asks for a signature at tier T2, and when a run ends or waits. */
		readonly notify?:
			| {
					readonly onCreated: readonly Notifier[];
					readonly onT2Gate: readonly Notifier[];
					/** Left out where nobody is named. */
					readonly onEnd?: readonly Notifier[] | undefined;
			  }
			| undefined;
	};
	/** Action when an agent's account has reached its limit; undefined: `ask`, with people off `wait`. */
	readonly onQuota?: "ask" | "wait" | "fail" | undefined;
	/** Kinds of evidence that the gate does without, with the reason. */
	readonly waive?: Waivers | undefined;
	/** undefined: off. */
	readonly sandbox?: SandboxPolicy | undefined;
	readonly budget?: Budget | undefined;
	readonly merge: MergePolicy;
	/** How many ended runs keep their files. At least 1. */
	readonly keepRuns: number;
	/** Name of the agent that settles conflicts; undefined: `google/gemini-flash-latest` by API. */
	readonly tieBreaker?: string | undefined;
	readonly verification: VerificationPolicy;
	/** Undefined, as in a run that was stored without it: `auto`, for three minutes. */
	readonly mutation?: MutationPolicy | undefined;
	/** Name of the agent that turns requirements into tasks; undefined where several could be meant, or none is there. */
	readonly planner?: string | undefined;
	/** In the order of the file. */
	readonly tasks: readonly TaskDefinition[];
	/** Path of the workflow file relative to the repository root, with `/`; undefined when outside. */
	readonly file?: string | undefined;
}

export interface CodePolicy {
	/** Name of the git remote that all machines push to and fetch from, such as `"origin"`. */
	readonly remote: string;
}

export interface MergePolicy {
	readonly into: "integration" | "base" | "none";
	readonly style: "squash" | "history";
	readonly message: string;
}

/** An agent that can take a seat. Names are unique in a workflow. */
export type AgentDefinition =
	| CommandDefinition
	| CassetteDefinition
	| HarnessDefinition
	| AcpDefinition
	| ModelDefinition
	| ValueDefinition;

interface AnyAgent {
	readonly name: string;
	readonly env: readonly string[];
	readonly timeoutMs: number;
	/** Agent that is called in its place when it cannot be used any more; undefined: a person is asked. */
	readonly fallback?: string | undefined;
	/** Most calls at once over all tasks of a run; undefined: no limit. */
	readonly maxParallel?: number | undefined;
	/** Most calls that start within any 60 s, over all tasks of a run; undefined: no limit. */
	readonly requestsPerMinute?: number | undefined;
	/** What a machine needs to run it, each once; undefined: any machine can. */
	readonly tags?: readonly string[] | undefined;
}

export interface CommandDefinition extends AnyAgent {
	readonly adapter: "command";
	readonly run: readonly string[];
}

export interface CassetteDefinition extends AnyAgent {
	readonly adapter: "cassette";
	readonly file: string;
}

/** A coding agent's own program. */
export interface HarnessDefinition extends AnyAgent {
	readonly adapter: HarnessName;
	/** As the harness names it; undefined: the harness's own choice. */
	readonly model?: string | undefined;
	/** Further arguments; they come last. */
	readonly args: readonly string[];
	/** `user`: its own sign-in. `key`: a private home and a key from `env`. */
	readonly login: "user" | "key";
}

export interface AcpDefinition extends AnyAgent {
	readonly adapter: "acp";
	readonly run: readonly string[];
	readonly model?: string | undefined;
	readonly login: "user" | "key";
}

/** A model by API, without tools. */
export interface ModelDefinition extends AnyAgent {
	readonly adapter: "model";
	readonly model: string;
	/** Address of the API; undefined: the provider's own. */
	readonly baseUrl?: string | undefined;
}

/** An agent that the program serves which runs the workflow: a value, not named by any file. */
export interface ValueDefinition extends AnyAgent {
	readonly adapter: "value";
}

/** Most that may be spent; undefined: no limit. */
export interface Budget {
	/** US dollars. */
	readonly usd?: number | undefined;
	/** Time in which a process holds the run, or works on the task. */
	readonly wallMs?: number | undefined;
}

/** What agents and checks are confined by. */
export interface SandboxPolicy {
	/** `auto`: confined where this machine can; `required`: not run where it cannot. */
	readonly mode: "off" | "auto" | "required";
	/** Hosts that they may reach besides those that the agents of the workflow need; `*.` stands for subdomains, and a port may follow. */
	readonly allowHosts: readonly string[];
	/** Whether they may make and use Unix sockets inside; undefined: no. */
	readonly unixSockets?: boolean | undefined;
}

export type CheckKind = "acceptance" | "lint" | "security" | "readiness" | "coverage";

/** `sarif` to `npm-audit`: lists of problems. `lcov` to `coverage.py`: covered lines. `mutation`: mutants. */
export type ReportFormat =
	| "junit"
	| "trx"
	| "tap"
	| "ctrf"
	| "node-test"
	| "vitest"
	| "jest"
	| "pytest"
	| "go-test"
	| "exit"
	| "sarif"
	| "npm-audit"
	| "lcov"
	| "cobertura"
	| "clover"
	| "jacoco"
	| "istanbul"
	| "gocover"
	| "coverage.py"
	| "mutation";

/** One command that the orchestrator runs on a commit. */
export interface CheckDefinition {
	readonly name: string;
	readonly kind: CheckKind;
	/** A line for `sh -c`. */
	readonly run: string;
	/** Where its results stand; `path` is relative to the checkout, without it standard output is read. */
	readonly report?:
		| { readonly format: ReportFormat; readonly path?: string | undefined }
		| undefined;
	readonly timeoutMs: number;
	/**
	 * `new` (default): what failed at the baseline and still fails is known and not counted.
	 * `strict`: every failure counts. `tolerate`: red at the baseline and still red is `absent`.
	 */
	readonly baseline: "new" | "strict" | "tolerate";
	/** Globs of the files that are test, data or configuration of it; undefined: they are found. */
	readonly tests?: readonly string[] | undefined;
}

/** What a task may do to a file of the tests or of the checks. */
export type AllowedKind = "delete" | "rename" | "skip" | "weaken" | "edit";

/** A change that the tamper wall lets pass in a task, with the reason. */
export interface Allowance {
	/** Glob of the files. */
	readonly path: string;
	readonly change: AllowedKind;
	readonly reason: string;
}

/** Something that must hold of a task's work, with the command that shows it. */
export interface ChecklistItem {
	/** In words, on one line. */
	readonly item: string;
	/** A line for `sh -c`; exit code 0 means that it holds. */
	readonly run: string;
	readonly timeoutMs: number;
}

/** The second seat of a task, and when the seats swap. */
export interface PairPolicy {
	/** The agent that sits as coach first. */
	readonly challenger: string;
	readonly maxIterations?: number | undefined;
	/** Default `session`: never. */
	readonly roleSwitch?: "session" | "subtask" | "checkpoint" | undefined;
	/** With `checkpoint`: numbers of turns and ids of subtasks after which the seats swap. */
	readonly checkpoints?: readonly (number | string)[] | undefined;
	/** Earlier agents of the seats and their last turns, before a person put others in their places; no file has it. */
	readonly replaced?:
		| readonly {
				readonly until: number;
				readonly driver: string;
				readonly challenger: string;
		  }[]
		| undefined;
}

/** A part of a task, judged by its own criteria; the last one by those of the task as well. */
export interface SubtaskDefinition {
	readonly id: string;
	readonly description: string;
	readonly acceptanceCriteria: readonly string[];
}

/** What a score can be made of. */
export type MetricType =
	| "test_coverage"
	| "lint_score"
	| "security_score"
	| "checklist_completion"
	| "llm_judge"
	| "requirement_coverage"
	| "mutation_score";

/** `composite`: the weighted mean. `raw`: each metric by itself against the threshold. */
export type ScoreMode = "composite" | "raw";

/** One metric of a task's score. */
export interface MetricRequest {
	readonly type: MetricType;
	/** Above 0; need not sum to 1. */
	readonly weight: number;
	/** Who scores, with `llm_judge`; never the agent of a seat. */
	readonly evaluator_agent?: string | undefined;
}

/** How a task's output is scored after each turn. */
export interface ConfidencePolicy {
	readonly mode: ScoreMode;
	/** From 0.0 to 1.0. */
	readonly threshold: number;
	readonly metrics: readonly MetricRequest[];
}

/** What the gate of a task asks for. */
export interface GatePolicy {
	readonly riskTier: "T0" | "T1" | "T2";
	/** Whether every criterion has to be covered by a test that ran. */
	readonly requireCoverage: boolean;
	/** Share of the criteria, from 0.0 to 1.0. */
	readonly coverageThreshold: number;
}

/** Kinds of evidence that may be waived. Acceptance and a person's sign-off are not among them. */
export type Waivable = "lint" | "security" | "readiness" | "requirement_coverage" | "verification";

/** The written reason of each waiver; a blank one waives nothing. */
export type Waivers = Readonly<Partial<Record<Waivable, string | undefined>>>;

export interface VerificationPolicy {
	/** Undefined: the challenger of the task's pair. */
	readonly agent?: string | undefined;
	/** Longest duration of a verifier's call in milliseconds; undefined: the agent's. */
	readonly timeoutMs?: number | undefined;
	/** Failed verifications in a row after which a person is asked; 1 or more. */
	readonly attempts: number;
	/** Longest duration of one run of the tests, in milliseconds. */
	readonly runTimeoutMs: number;
	/** Globs of files that a verifier may add; empty: where tests of this kind stand. */
	readonly paths: readonly string[];
	/** `spar verifier` does it, asked over NATS. Undefined: the run's process. */
	readonly via?: "nats" | undefined;
	/** Where it is asked with `via: nats`; undefined otherwise. */
	readonly nats?: NatsSettings | undefined;
}

export interface MutationPolicy {
	readonly when: "auto" | "always" | "never";
	/** Time that the mutants of a turn may take together, in milliseconds. */
	readonly timeoutMs: number;
}

export type Notifier =
	| { readonly type: "command"; readonly run: readonly string[] }
	| {
			readonly type: "webhook";
			/** `${NAME}` stands for a variable of the environment. */
			readonly url: string;
			readonly headers?: Readonly<Record<string, string>> | undefined;
	  };

export interface TaskDefinition {
	readonly id: string;
	readonly description: string;
	/** Label of the feature that the task belongs to, on one line; undefined without one. */
	readonly featureId?: string | undefined;
	readonly acceptanceCriteria: readonly string[];
	readonly contextFiles: readonly string[];
	readonly dependsOn: readonly string[];
	/** Name of the agent that sits as player first. */
	readonly player: string;
	/** The second seat; undefined: the task runs its single agent. */
	readonly pair?: PairPolicy | undefined;
	/** One after another in the same checkout; undefined or empty: the task is one piece. */
	readonly subtasks?: readonly SubtaskDefinition[] | undefined;
	/**
	 * Expressions, any of which ends the loop when nothing stands in the way. Undefined: of a pair the coach's approval, of a
	 * single agent none, so that passed evidence ends it.
	 */
	readonly exitConditions?: readonly string[] | undefined;
	/** undefined: nothing is scored. */
	readonly confidence?: ConfidencePolicy | undefined;
	/** What the gate asks for where one applies; undefined: tier T0. */
	readonly gatePolicy?: GatePolicy | undefined;
	/** Run on each turn's commit and counted by `checklist_completion`; undefined or empty: there is none. */
	readonly checklist?: readonly ChecklistItem[] | undefined;
	/** True for a later, independent review of the tasks that it depends on: its agent judges, and changes nothing. */
	readonly formalReview?: boolean | undefined;
	/** `auto`: what the task and its diff touch decides. */
	readonly requiresVerification: "auto" | "true" | "false";
	/** Why it is `true` or `false`, in the words of whoever chose it; undefined: nobody said. */
	readonly verificationReason?: string | undefined;
	/** Which command wrote the flag: `spar plan` or `spar approve`; undefined: it was written into the file. */
	readonly verificationBy?: "planner" | "person" | undefined;
	readonly requiresHuman: boolean;
	/** `max_turns` of the file, default 10. */
	readonly maxTurns: number;
	/** Smallest of `max_turns` and the enabled overlays' `max_iterations`. */
	readonly bound: number;
	/** True when a gate applies; `gatePolicy` has its tier. */
	readonly gate: boolean;
	/** True when `policy_gate: { enabled: false }` is written for it: it may merge unchecked. */
	readonly gateDeclined: boolean;
	/** Whether a person is asked (`human.enabled` unless `overlays.hil` says otherwise). */
	readonly human: boolean;
	readonly budget?: Budget | undefined;
	/** What the tamper wall lets pass; undefined: nothing. */
	readonly allow?: readonly Allowance[] | undefined;
}
