import { setTimeout as delay } from "node:timers/promises";
import type { AgentOutcome } from "../../agents/agent.ts";
import { SLACK_USD } from "../../kernel/money.ts";
import type { CallInFlight, CallsInFlight, EndCall } from "../../store/shared-calls.ts";
import { type OnWait, WaitingLine } from "./call-limits.ts";

export interface Room {
	readonly scope: "run" | "task";
	readonly leftUsd: number;
}

export interface BudgetStanding {
	readonly stop: string | null;
	readonly rooms: readonly Room[];
}

type Reserve = CallInFlight["reserve"];

export type Reserved =
	| {
			readonly kind: "reserved";
			/** To be called once, after the call is stored; null when it came to no outcome. */
			readonly end: (outcome: AgentOutcome | null) => void;
	  }
	| { readonly kind: "unpaid"; readonly reason: string };

export interface ReservationRequest {
	readonly taskId: string;
	readonly agent: string;
	readonly isBound: boolean;
	readonly signal: AbortSignal;
	readonly onWait: OnWait;
	readonly standing: () => Promise<BudgetStanding>;
	/** Of the run so far, see `Records`. Asked once, where no other machine makes calls of the run. */
	readonly highestCosts: () => Promise<ReadonlyMap<string, number | null>>;
}

// Alone it always does: then it is the one that may cross the limit. Of calls of unknown cost one at a time is let
// in. `leftUsd` is above 0.
export function fits(leftUsd: number, need: Reserve, inFlight: readonly Reserve[]): boolean {
	if (inFlight.length === 0) return true;
	const free = inFlight.reduce((left: number, reserve) => left - (reserve ?? 0), leftUsd);
	if (free <= SLACK_USD) return false;
	return need === null ? !inFlight.includes(null) : need <= free + SLACK_USD;
}

/** Tells whether a call can wait without a look at its budgets: one that needs no more was just refused. */
function isRefused(need: Reserve, refused: readonly Reserve[]): boolean {
	return need === null
		? refused.includes(null)
		: refused.some((reserve) => reserve !== null && reserve <= need);
}

/** In memory: calls of this process. After a kill none is under way. */
class CallsHere implements CallsInFlight {
	readonly #calls = new Set<CallInFlight>();

	async enter<D extends { readonly call: CallInFlight | null }>(
		decide: (inFlight: readonly CallInFlight[]) => Promise<D>,
	): Promise<{ readonly decision: D; readonly end: EndCall | null }> {
		const decision = await decide([...this.#calls]);
		const { call } = decision;
		if (call === null) return { decision, end: null };
		this.#calls.add(call);
		return { decision, end: () => this.#calls.delete(call) };
	}
}

const FOREVER_MS = 2 ** 31 - 1;

export class Reservations {
	readonly #calls: CallsInFlight;
	readonly #lookMs: number | null;
	/** Between what is read of the records and what is decided nobody else may be let in. */
	readonly #alone = new WaitingLine(1);
	#change = new AbortController();
	/** Needs that the run had no room for since a call of this process ended. */
	#refused: Reserve[] = [];
	#highest: Map<string, number | null> | undefined;

	// `lookMs`: nobody tells when a call elsewhere ends, so that whoever waits looks again.
	constructor(elsewhere: { readonly calls: CallsInFlight; readonly lookMs: number } | null = null) {
		this.#calls = elsewhere?.calls ?? new CallsHere();
		this.#lookMs = elsewhere?.lookMs ?? null;
	}

	// Waits for calls under way to end where the budgets have no room beside them; a budget that is spent is said at
	// once.
	async reserve(request: ReservationRequest): Promise<Reserved> {
		const { isBound, agent, signal, onWait } = request;
		if (!isBound) return this.#admitted(agent, null);
		for (let isTold = false; ; isTold = true) {
			const leave = await this.#alone.take(signal);
			const change = this.#change.signal;
			const found = await this.#decide(request, change).finally(leave);
			if (found !== null) return found;
			if (!isTold) await onWait("budget");
			const woken = AbortSignal.any([signal, change]);
			await delay(this.#lookMs ?? FOREVER_MS, undefined, { signal: woken }).catch(() => undefined);
		}
	}

	async #decide(request: ReservationRequest, change: AbortSignal): Promise<Reserved | null> {
		const { agent, signal } = request;
		const reserve = await this.#reserveOf(request);
		if (this.#lookMs === null && isRefused(reserve, this.#refused)) return null;
		const { decision, end } = await this.#calls.enter((inFlight) =>
			judge(request, reserve, inFlight),
		);
		// It may have given up meanwhile.
		if (signal.aborted) end?.();
		signal.throwIfAborted();
		if (decision.stop !== null) return { kind: "unpaid", reason: decision.stop };
		if (end !== null) return this.#admitted(agent, end);
		// A call that ended meanwhile has made room that this decision does not know of.
		if (decision.isRunFull && !change.aborted) this.#refused.push(reserve);
		return null;
	}

	async #reserveOf({ agent, highestCosts }: ReservationRequest): Promise<Reserve> {
		if (this.#highest === undefined || this.#lookMs !== null)
			this.#highest = new Map(await highestCosts());
		const known = this.#highest.get(agent);
		return known === undefined ? null : (known ?? 0);
	}

	#admitted(agent: string, end: EndCall | null): Reserved {
		return {
			kind: "reserved",
			end: (outcome) => {
				this.#note(agent, outcome);
				if (end === null) return;
				end();
				this.#refused = [];
				const before = this.#change;
				this.#change = new AbortController();
				before.abort();
			},
		};
	}

	#note(agent: string, outcome: AgentOutcome | null): void {
		const cost = outcome?.usage?.costUsd ?? null;
		const isTold = cost !== null && cost >= 0;
		if (this.#highest === undefined || (!isTold && outcome?.kind !== "answered")) return;
		const before = this.#highest.get(agent) ?? null;
		this.#highest.set(agent, isTold ? Math.max(before ?? 0, cost) : before);
	}
}

/** The records are read after the calls under way: a call that ends meanwhile counts twice rather than not at all. */
async function judge(
	{ taskId, standing }: ReservationRequest,
	reserve: Reserve,
	inFlight: readonly CallInFlight[],
) {
	const { stop, rooms } = await standing();
	const full = rooms.filter(({ scope, leftUsd }) => {
		const beside = inFlight.filter((call) => scope === "run" || call.taskId === taskId);
		return !fits(
			leftUsd,
			reserve,
			beside.map((call) => call.reserve),
		);
	});
	const isRunFull = full.some(({ scope }) => scope === "run");
	const call: CallInFlight | null = stop === null && full.length === 0 ? { taskId, reserve } : null;
	return { call, stop, isRunFull };
}
