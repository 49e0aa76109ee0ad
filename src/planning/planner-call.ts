import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentBreakdown, AgentOutcome, HandsIn } from "../agents/agent.ts";
import { retryAfter, speaksOfTask } from "../agents/circuit.ts";
import { sumKnown } from "../agents/price.ts";
import type { Clock } from "../kernel/clock.ts";
import { budgetState } from "../loop/admission/budget.ts";
import { CallLimits } from "../loop/admission/call-limits.ts";
import { madeCall, tellEnd, transcriptName, writtenCall } from "../loop/agent-call.ts";
import type { Seat } from "../loop/context.ts";
import type { Masker } from "../masking/masking.ts";
import { childEnvironment } from "../process/environment.ts";
import type { EventData, EventType } from "../trace/event.ts";
import type { Budget } from "../workflow/workflow.ts";

export const TASK = "plan";

const ROLE = "planner" as const;

export interface PlannerGround {
	readonly plan: string;
	readonly checkout: string;
	readonly work: string;
	readonly transcripts: string;
	readonly masker: Masker;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly clock: Clock;
	readonly tell: <Type extends EventType>(type: Type, data: EventData[Type]) => void;
	readonly signal: AbortSignal;
	readonly budget: Budget | undefined;
	seat(name: string): Promise<Seat>;
}

export type PlannerAnswer =
	| Exclude<AgentOutcome, AgentBreakdown>
	| (AgentBreakdown & { readonly agent: string })
	| { readonly kind: "unpaid"; readonly why: string };

export type Compose = (handsIn: HandsIn) => { readonly prompt: string; readonly context: unknown };

export class PlannerCalls {
	readonly #ground: PlannerGround;
	readonly #startedAt: number;
	readonly #limits: CallLimits;
	readonly #costs: (number | null)[] = [];

	constructor(ground: PlannerGround) {
		this.#ground = ground;
		this.#startedAt = ground.clock.now();
		this.#limits = new CallLimits(ground.clock);
	}

	get usage(): { readonly calls: number; readonly cost_usd: number | null } {
		const known = this.#costs.filter((cost) => cost !== null);
		return { calls: this.#costs.length, cost_usd: sumKnown(known) };
	}

	async ask(name: string, compose: Compose): Promise<PlannerAnswer> {
		const { clock, signal } = this.#ground;
		for (let agent = name, failures = 1; ; ) {
			const why = this.#spent();
			if (why !== null) return { kind: "unpaid", why };
			const { outcome, fallback } = await this.#call(agent, compose);
			if (outcome.kind === "answered") return outcome;
			const { failure, retryAfterMs, hasRetried = false } = outcome;
			const delay = hasRetried ? null : retryAfter(failure, failures, retryAfterMs);
			if (delay !== null) {
				failures += 1;
				await clock.sleep(delay, signal);
			} else if (fallback !== undefined && !speaksOfTask(outcome.failure)) {
				const why = outcome.failure.replaceAll("_", " ");
				this.#ground.tell("agent-replaced", { role: ROLE, agent, fallback, why });
				[agent, failures] = [fallback, 1];
			} else return { ...outcome, agent };
		}
	}

	#spent(): string | null {
		const { budget = {}, clock } = this.#ground;
		const spent = {
			usd: this.usage.cost_usd,
			wallMs: clock.now() - this.#startedAt,
			unknownCalls: this.#costs.filter((cost) => cost === null).length,
		};
		const use = budgetState(budget, spent).find(({ state }) => state === "spent");
		return use === undefined ? null : `the budget of the workflow is spent: ${use.sentence}`;
	}

	async #call(
		name: string,
		compose: Compose,
	): Promise<{ readonly outcome: AgentOutcome; readonly fallback: string | undefined }> {
		const { plan, checkout, work, env, signal, tell, transcripts } = this.#ground;
		const { agent, definition } = await this.#ground.seat(name);
		const started = this.#costs.length + 1;
		const asked = {
			run: plan,
			task: TASK,
			subtask: null,
			turn: 1,
			role: ROLE,
			agent: name,
			call: started,
			cwd: checkout,
			workDir: join(work, `call-${started}`),
			timeoutMs: definition.timeoutMs,
			env: childEnvironment(env, definition.env),
			mark: `${plan}:planner:${started}`,
		};
		const call = await writtenCall(this.#ground.masker, asked, compose(agent.handsIn));
		// One call at a time is all there is: only the minute can be full.
		await this.#limits.start(definition, signal, () => Promise.resolve());
		tell("agent-called", { role: ROLE, agent: name, call: started });
		const retrying = async (told: EventData["call-retrying"]) => tell("call-retrying", told);
		const outcome = await madeCall(agent, call, { ...this.#ground, retrying });
		this.#costs.push(outcome.usage?.costUsd ?? null);
		tellEnd(tell, call, outcome, null);
		await mkdir(transcripts, { recursive: true });
		await writeFile(join(transcripts, transcriptName(call)), outcome.output);
		return { outcome, fallback: definition.fallback };
	}
}
