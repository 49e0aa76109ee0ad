import type { Trigger } from "../human/question.ts";
import type { Reason, SpoiltCheck } from "../human/reason.ts";
import type { AgentFailure } from "../kernel/roles.ts";
import type { TaskPhase } from "../kernel/task-state.ts";
import type { Write } from "../store/records.ts";
import type { NodeInput } from "./node-input.ts";
import type { Update } from "./state.ts";

export interface NodeResult<Outcome extends string = string> {
	readonly update: Update & { readonly next: Outcome };
	readonly writes?: readonly Write[];
	readonly passedThrough?: string;
	/** Files that follow from the records; run when these are stored, and harmless when a kill comes before. */
	readonly afterCommit?: () => Promise<void>;
}

export interface Stop {
	readonly resumeAt: string;
}

export const RESUME = Symbol("resume");

export type Target = string | Stop | typeof RESUME;

export interface NodeDefinition<Outcome extends string = string> {
	/** A stored format: never rename one without raising `GRAPH_VERSION`. */
	readonly name: string;
	readonly phase: TaskPhase;
	/** The phase is stored when the node begins, because it may take long; else with the result, in one transaction. */
	readonly announce?: "before";
	/** True for the node that begins a turn, so that its records carry the new turn's number. */
	readonly beginsTurn?: true;
	readonly body: (input: NodeInput) => Promise<NodeResult<Outcome>>;
	readonly to: Readonly<Record<Outcome, Target>>;
}

export function node<Outcome extends string>(
	definition: Omit<NodeDefinition<Outcome>, "to"> & {
		readonly to: Readonly<Record<NoInfer<Outcome>, Target>>;
	},
): NodeDefinition<Outcome> {
	return definition;
}

export function stopThen(resumeAt: string): Stop {
	return { resumeAt };
}

/** An outcome: the task cannot go on without a person (HIL off: it fails with the trigger as its flag). */
export function halt(trigger: Trigger, reason: Reason): Update & { readonly next: "halt" } {
	return { next: "halt", trigger, reason };
}

/** An outcome: checks gave no result, and the player is not the cause. */
export function spoilt(
	of: "turn" | "assembled",
	pieces: readonly SpoiltCheck[],
): ReturnType<typeof halt> {
	const checks = pieces.map(({ check, status, reason }) => ({ check, status, reason }));
	return halt("environment", { kind: "checks_spoilt", of, checks });
}

/** An outcome: a budget forbids the call. */
export function unpaid(why: string): ReturnType<typeof halt> {
	return halt("budget", { kind: "budget_spent", why });
}

/** An outcome: an agent failed, or gave no usable answer. */
export function roleFailed(
	role: "player" | "coach" | "verifier",
	{
		agent,
		reason,
		failure,
	}: {
		readonly agent: string;
		readonly reason: string;
		readonly failure?: AgentFailure | undefined;
	},
): ReturnType<typeof halt> {
	return halt("role_error", { kind: "role_failed", role, agent, why: reason, failure });
}

export function passed(why: string): NodeResult<"go"> {
	return { update: { next: "go" }, passedThrough: why };
}

export function targetOf({ name, to }: NodeDefinition, next: string): Target {
	const target = Object.hasOwn(to, next) ? to[next] : undefined;
	if (target === undefined) throw new Error(`node ${name} declares no way on for "${next}"`);
	return target;
}
