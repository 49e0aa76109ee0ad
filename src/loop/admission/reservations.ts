import type { AgentOutcome } from "../../agents/agent.ts";
import { SLACK_USD } from "../../kernel/money.ts";
import type { CallInFlight, CallsInFlight, EndCall } from "../../store/shared-calls.ts";
import type { OnWait } from "./call-limits.ts";

export interface Room {
	readonly scope: "run" | "task";
	readonly leftUsd: number;
}

export interface BudgetStanding {
	readonly stop: string | null;
	readonly rooms: readonly Room[];
}

type Reserve = CallInFlight["reserve"];

export interface Reservation {
	readonly kind: "reserved";
	/** To be called once, after the call is stored; null when it came to no outcome. */
	end(outcome: AgentOutcome | null): void;
}

export type Reserved = Reservation | { readonly kind: "unpaid"; readonly reason: string };

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

/**
 * Whether a call fits into what is left of a budget, beside the calls that are under way on it. Alone it always does:
 * then it is the one that may cross the limit. Of calls of unknown cost one at a time is let in.
 *
 * @param leftUsd above 0
 * @example of 1 dollar left, of which 0.6 are set aside, a call that needs 0.5 has to wait
 */
export function fits(leftUsd: number, need: Reserve, inFlight: readonly Reserve[]): boolean {
	if (inFlight.length === 0) return true;
	const free = inFlight.reduce((left: number, reserve) => left - (reserve ?? 0), leftUsd);
	if (free <= SLACK_USD) return false;
	return need === null ? !inFlight.includes(null) : need <= free + SLACK_USD;
}

/** Whether a call can be told to wait without a look at its budgets: one that needs no more was just refused. */
function isRefused(need: Reserve, refused: readonly Reserve[]): boolean {
	return need === null
		? refused.includes(null)
		: refused.some((reserve) => reserve !== null && reserve <= need);
}

interface Waiter {
	readonly request: ReservationRequest;
	readonly settle: (outcome: Reserved) => void;
	readonly fail: (error: unknown) => void;
	isTold: boolean;
}

interface Verdict {
	readonly call: CallInFlight | null;
	readonly stop: string | null;
	readonly isRunFull: boolean;
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

export interface CallsElsewhere {
	readonly calls: CallsInFlight;
	/** How often whoever waits looks again, since nobody tells when a call elsewhere ends; in ms. */
	readonly lookMs: number;
}

export class Reservations {
	readonly #calls: CallsInFlight;
	readonly #lookMs: number | null;
	readonly #waiting = new Set<Waiter>();
	#isLooking = false;
	#isStale = false;
	#nextLook: NodeJS.Timeout | undefined;
	#highest: Map<string, number | null> | undefined;

	/** @param elsewhere by default nobody else makes calls of the run */
	constructor(elsewhere: CallsElsewhere | null = null) {
		this.#calls = elsewhere?.calls ?? new CallsHere();
		this.#lookMs = elsewhere?.lookMs ?? null;
	}

	/**
	 * Lets a call of an agent in once the budgets of the run and of the task have room for it beside the calls under way.
	 * Waits for one of these to end where they have not; a budget that is spent is said at once.
	 */
	reserve(request: ReservationRequest): Promise<Reserved> {
		const { isBound, agent, signal } = request;
		if (!isBound) return Promise.resolve(this.#admitted(agent, null));
		return new Promise((resolve, reject) => {
			const leave = (): void => {
				this.#waiting.delete(waiter);
				signal.removeEventListener("abort", abort);
			};
			const waiter: Waiter = {
				request,
				settle: (outcome) => {
					leave();
					resolve(outcome);
				},
				fail: (error) => {
					leave();
					reject(error);
				},
				isTold: false,
			};
			const abort = (): void => waiter.fail(signal.reason);
			if (signal.aborted) return abort();
			signal.addEventListener("abort", abort);
			this.#waiting.add(waiter);
			void this.#look();
		});
	}

	/**
	 * Goes through those who wait. One look at a time: between what is read of the records and what is decided nobody
	 * else may be let in.
	 */
	async #look(): Promise<void> {
		this.#isStale = true;
		if (this.#isLooking) return;
		this.#isLooking = true;
		clearTimeout(this.#nextLook);
		while (this.#isStale) {
			this.#isStale = false;
			const refused: Reserve[] = [];
			for (const waiter of [...this.#waiting]) {
				try {
					if (this.#waiting.has(waiter)) await this.#decide(waiter, refused);
				} catch (error) {
					waiter.fail(error);
				}
			}
		}
		this.#isLooking = false;
		if (this.#lookMs !== null && this.#waiting.size > 0)
			this.#nextLook = setTimeout(() => void this.#look(), this.#lookMs);
	}

	async #decide(waiter: Waiter, refused: Reserve[]): Promise<void> {
		const { agent, onWait } = waiter.request;
		const reserve = await this.#reserveOf(waiter.request);
		if (!isRefused(reserve, refused)) {
			const { decision, end } = await this.#calls.enter((inFlight) =>
				judge(waiter.request, { reserve, inFlight }),
			);
			// It may have given up meanwhile.
			if (!this.#waiting.has(waiter)) return end?.();
			if (decision.stop !== null) return waiter.settle({ kind: "unpaid", reason: decision.stop });
			if (end !== null) return waiter.settle(this.#admitted(agent, end));
			if (decision.isRunFull) refused.push(reserve);
		}
		if (waiter.isTold) return;
		waiter.isTold = true;
		await onWait("budget");
	}

	async #reserveOf({ agent, highestCosts }: ReservationRequest): Promise<Reserve> {
		if (this.#highest === undefined || this.#lookMs !== null)
			this.#highest = new Map(await highestCosts());
		const known = this.#highest.get(agent);
		if (known === undefined) return null;
		return known ?? 0;
	}

	#admitted(agent: string, end: EndCall | null): Reservation {
		return {
			kind: "reserved",
			end: (outcome) => {
				this.#note(agent, outcome);
				if (end === null) return;
				end();
				void this.#look();
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

/**
 * The records are read after the calls under way: a call that ends meanwhile counts twice rather than not at all.
 */
async function judge(
	{ taskId, standing }: ReservationRequest,
	{ reserve, inFlight }: { readonly reserve: Reserve; readonly inFlight: readonly CallInFlight[] },
): Promise<Verdict> {
	const { stop, rooms } = await standing();
	const call = { taskId, reserve };
	const full = rooms.filter(
		(room) => !fits(room.leftUsd, reserve, reservesIn(room, call, inFlight)),
	);
	const isRunFull = full.some(({ scope }) => scope === "run");
	return { call: stop === null && full.length === 0 ? call : null, stop, isRunFull };
}

function reservesIn(
	{ scope }: Room,
	{ taskId }: CallInFlight,
	inFlight: readonly CallInFlight[],
): Reserve[] {
	return inFlight
		.filter((call) => scope === "run" || call.taskId === taskId)
		.map(({ reserve }) => reserve);
}
