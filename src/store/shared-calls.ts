/** A call under way for which dollars are set aside. */
export interface CallInFlight {
	readonly taskId: string;
	/**
	 * The highest known cost of a call of its agent in this run, in dollars. Null before the agent's first answer, when
	 * nothing is known; 0 for an agent that answers without ever telling a cost.
	 */
	readonly reserve: number | null;
}

/** Ends what was entered. May be called twice. */
export type EndCall = () => void;

export interface CallDecision {
	readonly call: CallInFlight | null;
}

export interface EnteredCall<D extends CallDecision> {
	readonly decision: D;
	readonly end: EndCall | null;
}

/** Calls of a run for which dollars are set aside. */
export interface CallsInFlight {
	/** Decides about a call with those that are under way, and enters it. Nobody else decides in the meantime. */
	enter<D extends CallDecision>(
		decide: (inFlight: readonly CallInFlight[]) => Promise<D>,
	): Promise<EnteredCall<D>>;
}

/**
 * Calls of all machines that work on a run. What a machine entered that has died counts for 30 s more.
 *
 * @throws Fault `store-unreachable`
 */
export interface SharedCalls extends CallsInFlight {
	/** Takes one of `most` places for calls of an agent at once; null while all are taken. */
	place(agent: string, most: number): Promise<EndCall | null>;
	/**
	 * Enters the start of a call unless there were `perMinute` within the last 60 s.
	 *
	 * @returns 0 when it may start now, else in how many milliseconds to ask again
	 */
	start(agent: string, perMinute: number): Promise<number>;
}
