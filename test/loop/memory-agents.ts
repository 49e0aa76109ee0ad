import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type {
	Agent,
	AgentBreakdown,
	AgentCall,
	AgentOutcome,
	Usage,
} from "../../src/agents/agent.ts";
import type { AgentFailure, Role } from "../../src/kernel/roles.ts";
import type { MapTree, WrittenFiles } from "../../src/loop/git-of-maps.fixture.ts";
import type { MapCheckout } from "../../src/loop/map-commits.fixture.ts";

/** Words that an agent is told in a call, besides who it is. */
export interface HeardCall {
	readonly role: Role;
	readonly agent: string;
	readonly task: string;
	readonly subtask: string | null;
	readonly turn: number;
	/** From 1: counts the starts of this role in this task, subtask and turn; one that was killed counts. */
	readonly call: number;
	readonly prompt: string;
	/** The context file, as JSON has it. */
	readonly context: Readonly<Record<string, unknown>>;
	/** Files of its checkout when it was called. */
	readonly files: MapTree;
}

/**
 * What an agent does in one call. The first step whose keys all match is taken; a key that is left out matches
 * everything. Where no step matches, the call throws.
 */
export interface MemoryStep {
	readonly task?: string;
	readonly subtask?: string;
	readonly role?: Role;
	readonly agent?: string;
	readonly turn?: number;
	readonly call?: number;
	/** Files that it writes in its checkout; null removes. */
	readonly files?: WrittenFiles;
	/** Likewise, by what it was told. */
	readonly write?: (heard: HeardCall) => WrittenFiles;
	/** Its report: an object as JSON, a string as it is; left out: nothing. */
	readonly report?: unknown;
	/** Likewise, by what it was told; as it is. */
	readonly reportOf?: (heard: HeardCall) => unknown;
	/** Its last message, which is no report. */
	readonly stdout?: string;
	readonly usage?: Partial<Usage>;
	/** The call fails. */
	readonly fails?: AgentFailure | (Pick<AgentBreakdown, "failure"> & Partial<AgentBreakdown>);
	/** Awaited before it answers. */
	readonly meanwhile?: (heard: HeardCall) => void | Promise<void>;
}

const KEYS = ["task", "subtask", "role", "agent", "turn", "call"] as const;

const matches = (step: MemoryStep, heard: HeardCall): boolean =>
	KEYS.every((key) => step[key] === undefined || step[key] === (heard[key] ?? ""));

type Context = Readonly<Record<string, unknown>> & {
	readonly findings?: readonly { readonly id: string }[];
	readonly suspicions?: readonly { readonly id: string; readonly rule: string }[];
};

/** The ids of open findings where a report says `$ID0`, `$ID1`, ... */
const withFindingIds = (text: string, { findings = [] }: Context): string =>
	text.replaceAll(/\$ID(\d+)/g, (found, at) => findings[Number(at)]?.id ?? found);

/** An approval that says nothing of suspicions, with a yes to files that are no product, which tasks of tests often write. */
function answered(report: object, { suspicions = [] }: Context): object {
	if (Reflect.get(report, "decision") !== "approve" || "suspicions_status" in report) return report;
	const files = suspicions.filter(({ rule }) => rule === "apparatus_changed");
	return {
		...report,
		suspicions_status: files.map(({ id }) => ({ id, ok: true, reason: "It is the work." })),
	};
}

function reportOf({ report, reportOf: made }: MemoryStep, heard: HeardCall): string | null {
	if (made !== undefined) return JSON.stringify(made(heard));
	if (report === undefined) return null;
	if (typeof report === "string") return report;
	if (typeof report !== "object" || report === null) return JSON.stringify(report);
	const whole = heard.role === "coach" ? answered(report, heard.context) : report;
	return withFindingIds(JSON.stringify(whole), heard.context);
}

function outcomeOf(step: MemoryStep, heard: HeardCall): AgentOutcome {
	const { stdout: output = "", fails } = step;
	if (fails !== undefined) {
		const failed = typeof fails === "string" ? { failure: fails } : fails;
		return { kind: "failed", message: `it failed: ${failed.failure}`, output, ms: 1, ...failed };
	}
	const usage =
		step.usage === undefined
			? null
			: { inputTokens: null, outputTokens: null, costUsd: null, model: null, ...step.usage };
	return { kind: "answered", report: reportOf(step, heard), output, ms: 1, usage };
}

/** Agents that play a script in the checkouts of a git of maps, and all that they were told. */
export class MemoryAgents {
	#steps: readonly MemoryStep[];
	readonly calls: HeardCall[] = [];
	readonly #checkoutAt: (dir: string) => MapCheckout;

	constructor(steps: readonly MemoryStep[], checkoutAt: (dir: string) => MapCheckout) {
		this.#steps = steps;
		this.#checkoutAt = checkoutAt;
	}

	/** Plays another script from now on. */
	play(steps: readonly MemoryStep[]): void {
		this.#steps = steps;
	}

	/** Prompts of a role in a turn, in order. */
	prompts(role: Role, turn: number): readonly string[] {
		const those = this.calls.filter((call) => call.role === role && call.turn === turn);
		return those.map(({ prompt }) => prompt);
	}

	agent(): Agent {
		return {
			handsIn: "file",
			call: async (call, signal) => {
				const checkout = this.#checkoutAt(call.cwd);
				const heard = this.#heard(call, checkout.files());
				this.calls.push(heard);
				const step = this.#steps.find((each) => matches(each, heard));
				const { role, task, turn } = heard;
				if (step === undefined) throw new Error(`no step for ${role} of ${task} in turn ${turn}`);
				await step.meanwhile?.(heard);
				signal.throwIfAborted();
				checkout.write({ ...step.files, ...step.write?.(heard) });
				return outcomeOf(step, heard);
			},
		};
	}

	#heard(asked: AgentCall, files: MapTree): HeardCall {
		const { role, agent, task, subtask, turn, prompt } = asked;
		const about = { role, task, subtask, turn };
		const same = this.calls.filter((each) => {
			const { role: ofRole, task: ofTask, subtask: ofPart, turn: inTurn } = each;
			return isDeepStrictEqual(
				{ role: ofRole, task: ofTask, subtask: ofPart, turn: inTurn },
				about,
			);
		});
		// Written by Sparring as an object.
		const context = JSON.parse(readFileSync(asked.contextPath, "utf8")) as Context;
		return { ...about, agent, call: same.length + 1, prompt, context, files };
	}
}
