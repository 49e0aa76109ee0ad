import type { AgentOutcome } from "../agents/agent.ts";
import { SLACK_USD } from "../kernel/money.ts";
import type { OnWait } from "./call-limits.ts";

/** Dollars that are left of a budget: of the run, or of a task. */
export interface Room {
	readonly scope: "run" | "task";
	readonly leftUsd: number;
}

/** How the budgets of a task stand before a call. */
export interface BudgetStanding {
	/**
	 * Why no call may be made, the run's budget before the task's, such as
	 * `the budget of the run is spent: $10.20 of $10.00`; null when none is spent.
	 */
	readonly stop: string | null;
	/** What is left of each budget of dollars. */
	readonly rooms: readonly Room[];
}

/**
 * Dollars that are set aside for a call: the highest known cost of a call of its agent in this run. Null before the
 * agent's first answer, when nothing is known; 0 for an agent that answers without ever telling a cost.
 */
type Reserve = number | null;

/** A call that may be made. */
export interface Reservation {
	readonly kind: "reserved";
	/** To be called once, after the call is stored; null when it came to no outcome. */
	end(outcome: AgentOutcome | null): void;
}

/** What came of asking: the call may be made, or a budget is spent. */
export type Reserved = Reservation | { readonly kind: "unpaid"; readonly reason: string };

/** A call that is to be let in, and how what is known of its budgets is looked up. */
export interface ReservationRequest {
	readonly taskId: string;
	readonly agent: string;
	/** False: no budget binds the task, and nothing is looked up. */
	readonly isBound: boolean;
	readonly signal: AbortSignal;
	readonly onWait: OnWait;
	readonly standing: () => Promise<BudgetStanding>;
	/** Of the run so far, see `Records`. Asked once. */
	readonly highestCosts: () => Promise<ReadonlyMap<string, number | null>>;
}

/** A call under way. */
interface CallInFlight {
	readonly taskId: string;
	readonly reserve: Reserve;
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

/** A call that asks to be let in. */
interface Waiter {
	readonly request: ReservationRequest;
	readonly settle: (outcome: Reserved) => void;
	readonly fail: (error: unknown) => void;
	isTold: boolean;
}

/**
 * What is set aside for the calls of a run that are under way, shared by its tasks. In memory only: after a kill no call
 * is under way.
 */
export class Reservations {
	readonly #inFlight = new Set<CallInFlight>();
	/** In the order in which they came. */
	readonly #waiting = new Set<Waiter>();
	#isLooking = false;
	/** Something changed since the look began. */
	#isStale = false;
	#highest: Map<string, number | null> | undefined;

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
	}

	/** @param refused what the run's budget had no room for in this look; added to */
	async #decide(waiter: Waiter, refused: Reserve[]): Promise<void> {
		const { taskId, agent, onWait, highestCosts, standing } = waiter.request;
		this.#highest ??= new Map(await highestCosts());
		const call = { taskId, reserve: this.#reserveOf(agent) };
		if (!isRefused(call.reserve, refused)) {
			// Read before the records are: a call that ends meanwhile counts twice rather than not at all.
			const inFlight = [...this.#inFlight];
			const { stop, rooms } = await standing();
			if (!this.#waiting.has(waiter)) return;
			if (stop !== null) return waiter.settle({ kind: "unpaid", reason: stop });
			const full = rooms.filter(
				(room) => !fits(room.leftUsd, call.reserve, reservesIn(room, call, inFlight)),
			);
			if (full.length === 0) return waiter.settle(this.#admitted(agent, call));
			if (full.some(({ scope }) => scope === "run")) refused.push(call.reserve);
		}
		if (waiter.isTold) return;
		waiter.isTold = true;
		await onWait("budget");
	}

	#reserveOf(agent: string): Reserve {
		const known = this.#highest?.get(agent);
		if (known === undefined) return null;
		return known ?? 0;
	}

	/** @param call null: no budget binds it, and only its cost is taken note of */
	#admitted(agent: string, call: CallInFlight | null): Reservation {
		if (call !== null) this.#inFlight.add(call);
		return {
			kind: "reserved",
			end: (outcome) => {
				this.#note(agent, outcome);
				if (call === null) return;
				this.#inFlight.delete(call);
				void this.#look();
			},
		};
	}

	/** Before the first look at the records there is nothing to bring up to date. */
	#note(agent: string, outcome: AgentOutcome | null): void {
		const cost = outcome?.usage?.costUsd ?? null;
		const isTold = cost !== null && cost >= 0;
		if (this.#highest === undefined || (!isTold && outcome?.kind !== "answered")) return;
		const before = this.#highest.get(agent) ?? null;
		this.#highest.set(agent, isTold ? Math.max(before ?? 0, cost) : before);
	}
}

/** What is set aside of a budget. */
function reservesIn(
	{ scope }: Room,
	{ taskId }: CallInFlight,
	inFlight: readonly CallInFlight[],
): Reserve[] {
	return inFlight
		.filter((call) => scope === "run" || call.taskId === taskId)
		.map(({ reserve }) => reserve);
}
