import { signal } from "@preact/signals";
import type { StoredEvent } from "../../src/web/protocol.ts";
import { plain } from "../../src/words/states.ts";

export interface NodeStep {
	readonly node: string;
	/** null while the task is in it. */
	ms: number | null;
	passed: string | null;
}

export interface Retry {
	readonly role: string;
	readonly agent: string;
	/** The newest call, from 1. */
	attempt: number;
	last: string;
	isOpen: boolean;
}

interface TurnStory {
	readonly steps: NodeStep[];
	readonly retries: Map<string, Retry>;
}

/** Of an agent's call: how often it is made before its failure counts. A test holds it against the rule itself. */
export const MOST_ATTEMPTS = 4;

const isRetried = (failure: string): boolean =>
	["network", "rate_limit", "timeout", "tool_error"].includes(failure);

export class TaskStory {
	readonly #turns = new Map<number, TurnStory>();
	/** Rises with each event: whoever shows the story reads it, since the story changes in place. */
	readonly #version = signal(0);

	/** Takes the next event of the task. */
	take(event: StoredEvent): void {
		this.#version.value += 1;
		const turn = this.#turn(event.turn ?? 0);
		if (event.type === "node-entered") {
			turn.steps.push({ node: event.node ?? "", ms: null, passed: null });
		} else if (event.type === "node-left") {
			leave(turn.steps, event.node ?? "", event.data);
		} else {
			tell(turn.retries, event);
		}
	}

	/** Nodes that a turn went through, in order. */
	steps(turn: number): readonly NodeStep[] {
		this.#heed();
		return this.#turns.get(turn)?.steps ?? [];
	}

	/** Turns that went through any node, the oldest first; 0 before the first. */
	turns(): readonly number[] {
		this.#heed();
		return [...this.#turns]
			.filter(([, { steps }]) => steps.length > 0)
			.map(([turn]) => turn)
			.sort((one, other) => one - other);
	}

	/** Each step from one node to another that was taken so far, as `FROM>TO`. */
	way(): ReadonlySet<string> {
		const nodes = this.turns().flatMap((turn) => this.steps(turn).map(({ node }) => node));
		return new Set(nodes.map((node, index) => `${nodes[index - 1] ?? "__start__"}>${node}`));
	}

	/** Calls of a turn that were made again, or failed. */
	retries(turn: number): readonly Retry[] {
		this.#heed();
		return [...(this.#turns.get(turn)?.retries.values() ?? [])];
	}

	/** A component that reads is drawn again with the next event. */
	#heed(): number {
		return this.#version.value;
	}

	#turn(turn: number): TurnStory {
		const known = this.#turns.get(turn);
		if (known !== undefined) return known;
		const made = { steps: [], retries: new Map<string, Retry>() };
		this.#turns.set(turn, made);
		return made;
	}
}

function leave(
	steps: NodeStep[],
	node: string,
	{ ms, passed_through: passed }: { readonly ms: number; readonly passed_through: string | null },
): void {
	const step = steps.findLast((one) => one.node === node && one.ms === null);
	if (step === undefined) {
		steps.push({ node, ms, passed });
	} else {
		step.ms = ms;
		step.passed = passed;
	}
}

function tell(retries: Map<string, Retry>, event: StoredEvent): void {
	if (event.type === "agent-called") called(retries, event.data);
	if (event.type === "agent-answered") answered(retries, event.data);
	if (event.type === "report-rejected") {
		failed(retries, event.data, `its report cannot be used: ${event.data.reason}`);
	}
	if (event.type === "agent-failed") {
		failed(retries, event.data, `${plain(event.data.failure)}: ${event.data.message}`);
	}
}

interface Call {
	readonly role: string;
	readonly agent: string;
	readonly call: number;
}

function called(retries: Map<string, Retry>, { role, call }: Call): void {
	const retry = retries.get(role);
	if (retry === undefined) return;
	retry.attempt = call;
	retry.isOpen = true;
}

function failed(retries: Map<string, Retry>, { role, agent, call }: Call, last: string): void {
	const retry = retries.get(role);
	if (retry === undefined) retries.set(role, { role, agent, attempt: call, last, isOpen: false });
	else Object.assign(retry, { attempt: call, last, isOpen: false });
}

function answered(retries: Map<string, Retry>, { role, call }: Call): void {
	const retry = retries.get(role);
	if (retry !== undefined) Object.assign(retry, { attempt: call, isOpen: false });
}

export function retryText({ role, agent, attempt, last }: Retry): string {
	const of = isRetried(last.split(":")[0]?.replaceAll(" ", "_") ?? "")
		? ` of ${MOST_ATTEMPTS}`
		: "";
	return `${plain(role)} ${agent}: attempt ${attempt}${of}, the last one: ${last}`;
}
