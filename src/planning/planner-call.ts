import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentBreakdown, AgentOutcome, HandsIn } from "../agents/agent.ts";
import { attendedCall } from "../agents/attended-call.ts";
import { writeCallFiles } from "../agents/call-files.ts";
import { retryAfter, speaksOfTask } from "../agents/circuit.ts";
import { maskOutcome } from "../agents/mask-report.ts";
import { sumKnown } from "../agents/price.ts";
import type { Clock } from "../kernel/clock.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { budgetState } from "../loop/admission/budget.ts";
import { CallLimits } from "../loop/admission/call-limits.ts";
import { codePoints } from "../loop/agent-call.ts";
import type { Seat } from "../loop/context.ts";
import type { Masker } from "../masking/masking.ts";
import { childEnvironment } from "../process/environment.ts";
import { openTemporary } from "../setups/own-temporary.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
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
		const { plan, checkout, work, masker, env, clock, signal, tell } = this.#ground;
		const { agent, definition } = await this.#ground.seat(name);
		const started = this.#costs.length + 1;
		const workDir = join(work, `call-${started}`);
		const { prompt, context } = compose(agent.handsIn);
		const told = masker.mask(prompt);
		const files = await writeCallFiles(workDir, {
			prompt: told,
			context: maskAllButNames(masker, context),
		});
		// One call at a time is all there is: only the minute can be full.
		await this.#limits.start(definition, signal, () => Promise.resolve());
		const temporary = await asStateFault(work, () => openTemporary(work));
		const call = { role: ROLE, agent: name, call: started };
		tell("agent-called", call);
		let answer: AgentOutcome;
		try {
			answer = await attendedCall(
				agent,
				{
					run: plan,
					task: TASK,
					subtask: null,
					turn: 1,
					...call,
					cwd: checkout,
					prompt: told,
					...files,
					tmpDir: temporary.path,
					timeoutMs: definition.timeoutMs,
					env: {
						...childEnvironment(env, definition.env),
						GIT_CEILING_DIRECTORIES: dirname(checkout),
					},
					mark: `${plan}:planner:${started}`,
				},
				{
					clock,
					signal,
					tell: async (said, ms) => tell("call-retrying", { ...call, ms, said: masker.mask(said) }),
				},
			);
		} finally {
			await temporary.close();
		}
		const outcome = maskOutcome(masker, answer);
		const { usage = null, ms, output } = outcome;
		this.#costs.push(usage?.costUsd ?? null);
		const ended = { ...call, ms, output_length: codePoints(output), usage };
		if (outcome.kind === "answered") tell("agent-answered", { ...ended, transcript: null });
		else tell("agent-failed", { ...ended, failure: outcome.failure, message: outcome.message });
		await this.#keepTranscript(started, output);
		return { outcome, fallback: definition.fallback };
	}

	async #keepTranscript(call: number, output: string): Promise<void> {
		const { transcripts } = this.#ground;
		await mkdir(transcripts, { recursive: true });
		await writeFile(join(transcripts, `turn-1-planner-${call}.log`), output);
	}
}
