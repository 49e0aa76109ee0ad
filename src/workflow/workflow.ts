import type * as z from "zod";
import type { HarnessName } from "./harnesses.ts";
import type { natsSchema, notifierSchema, verificationSchema, WorkflowFile } from "./schema.ts";
import type { agentSchema, Budget, SandboxPolicy } from "./schema-agents.ts";
import type { CheckKind, checkSchema, ReportFormat, Waivers } from "./schema-checks.ts";
import type { AllowedKind, LoopFile, metricSchema, TaskFile } from "./schema-tasks.ts";

export type { AllowedKind, Budget, CheckKind, ReportFormat, SandboxPolicy, Waivers };

/**
 * The workflow as the rest of Sparring sees it: checked, defaults merged, durations in milliseconds.
 * It is plain JSON, stored with the run and fixed from then on. `load.ts` makes it; what each key means, the schema says.
 */
export interface Workflow
	extends Pick<
		WorkflowFile,
		| ("base" | "code" | "store" | "setup" | "maxParallel" | "setupInputs" | "setupCache")
		| ("protected" | "human" | "onQuota" | "waive" | "sandbox" | "budget" | "merge")
		| ("keepRuns" | "tieBreaker" | "planner" | "conventions")
	> {
	readonly version: 1;
	readonly name: string;
	/** Ignored files, folders or globs of the user's checkout that every checkout gets; undefined: none. */
	readonly copy?: readonly string[] | undefined;
	/** Names of variables that checks get besides; undefined: none. */
	readonly env?: readonly string[] | undefined;
	readonly agents: Readonly<Record<string, AgentDefinition>>;
	readonly checks: readonly CheckDefinition[];
	readonly verification: VerificationPolicy;
	/** Undefined, as in a run that was stored without it: `auto`, for three minutes. */
	readonly mutation?: MutationPolicy | undefined;
	/** The gate that all tasks have that say nothing else; undefined, as in a run that was stored without it: tier T0. */
	readonly gatePolicy?: GatePolicy | undefined;
	/** In the order of the file. */
	readonly tasks: readonly TaskDefinition[];
	/** Path of the workflow file relative to the repository root, with `/`; undefined when outside. */
	readonly file?: string | undefined;
}

type WithName<Schema> = Schema extends unknown ? Schema & { readonly name: string } : never;

type FileAgent = WithName<z.output<typeof agentSchema>>;

/** An agent that can take a seat. Names are unique in a workflow. */
export type AgentDefinition = FileAgent | ValueDefinition;

/** A coding agent's own program. */
export type HarnessDefinition = Extract<FileAgent, { readonly adapter: HarnessName }>;

/** A model by API, without tools. */
export type ModelDefinition = Extract<FileAgent, { readonly adapter: "model" }>;

/** An agent that the program serves which runs the workflow: a value, not named by any file. */
export interface ValueDefinition
	extends Omit<Extract<FileAgent, { readonly adapter: "command" }>, "adapter" | "run"> {
	readonly adapter: "value";
}

/**
 * One command that the orchestrator runs on a commit.
 *
 * `baseline`: with `new` (default) what failed at the baseline and still fails is known and not counted; with `strict`
 * every failure counts; with `tolerate` a check that was red at the baseline and still is is `absent`.
 */
export type CheckDefinition = WithName<z.output<typeof checkSchema>>;

/** A change that the tamper wall lets pass in a task, with the reason. */
export type Allowance = NonNullable<TaskFile["allow"]>[number];

/** Something that must hold of a task's work, with the command that shows it. */
export type ChecklistItem = NonNullable<TaskFile["checklist"]>[number];

export interface PairPolicy {
	readonly challenger: string;
	readonly maxIterations?: number | undefined;
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

/** One metric of a task's score. */
export type MetricRequest = Readonly<z.output<typeof metricSchema>>;

export type MetricType = MetricRequest["type"];

/** `composite`: the weighted mean. `raw`: each metric by itself against the threshold. */
export type ScoreMode = LoopFile["mode"];

export type ConfidencePolicy = Pick<LoopFile, "mode" | "threshold"> & {
	readonly metrics: readonly MetricRequest[];
};

export interface GatePolicy {
	readonly riskTier: "T0" | "T1" | "T2";
	/** Every criterion has to be covered by a test that ran. */
	readonly requireCoverage: boolean;
	/** Share of the criteria, from 0.0 to 1.0. */
	readonly coverageThreshold: number;
}

/** Kinds of evidence that may be waived. Acceptance and a person's sign-off are not among them. */
export type Waivable = keyof Waivers;

/** `agent` undefined: the challenger of the task's pair. `timeoutMs` undefined: the agent's. */
export interface VerificationPolicy
	extends Omit<z.output<typeof verificationSchema>, "via" | "nats"> {
	/** `spar verifier` does it, asked over NATS. Undefined: the run's process. */
	readonly via?: "nats" | undefined;
	readonly nats?: NatsSettings | undefined;
}

/**
 * Settings of a verifier that is asked over NATS. Hold no credentials: these come from the environment alone. No
 * `servers`: the client's default.
 */
export type NatsSettings = Omit<z.output<typeof natsSchema>, "llmTimeoutMs">;

export type MutationPolicy = WorkflowFile["mutation"];

export type Notifier = z.output<typeof notifierSchema>;

export interface TaskDefinition extends Omit<TaskFile, "agent" | "overlays" | "player" | "coach"> {
	readonly id: string;
	/** Name of the agent that sits as player first. */
	readonly player: string;
	/** The second seat; undefined: the task runs its single agent. */
	readonly pair?: PairPolicy | undefined;
	/**
	 * Expressions, any of which ends the loop when nothing stands in the way. Undefined: of a pair the coach's approval, of a
	 * single agent none, so that passed evidence ends it.
	 */
	readonly exitConditions?: readonly string[] | undefined;
	/** undefined: nothing is scored. */
	readonly confidence?: ConfidencePolicy | undefined;
	/** Demands of the gate where one applies; undefined: tier T0. */
	readonly gatePolicy?: GatePolicy | undefined;
	/** Smallest of `max_turns` and the enabled overlays' `max_iterations`. */
	readonly bound: number;
	/** True when a gate applies; `gatePolicy` has its tier. */
	readonly gate: boolean;
	/** True when `policy_gate: { enabled: false }` is written for it: it may merge unchecked. */
	readonly gateDeclined: boolean;
	/** A person may be asked (`human.enabled` unless `overlays.hil` says otherwise). */
	readonly human: boolean;
}
