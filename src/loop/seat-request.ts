import type { HandsIn } from "../agents/agent.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Role } from "../kernel/roles.ts";

/** Where a call is composed, and for whom. */
export interface CallPlace {
	/** The call's own directory, for further files. */
	readonly workDir: string;
	/** How the agent that is called hands in its report. */
	readonly handsIn: HandsIn;
}

/** A request to whoever sits in a seat; the same request again after a kill gives the same answer. */
export interface SeatRequest {
	readonly role: Role;
	/** Name of the agent in the workflow that sits there; its fallback may answer in its place. */
	readonly agent: string;
	readonly checkout: string;
	/** The same checkout where the answer is what is left in it: its id is kept with the call. */
	readonly worksIn?: Checkout;
	/** Longest duration of the call in milliseconds; undefined: the agent's. */
	readonly timeoutMs?: number | undefined;
	/** Brings the checkout to the state that the call begins on; run before each attempt. */
	readonly prepare: () => Promise<void>;
	/** Prompt and context for this call. */
	readonly compose: (
		place: CallPlace,
	) => Promise<{ readonly prompt: string; readonly context: unknown }>;
	/** Which answered call of this seat, turn and episode is wanted, from 0: 1 is the repaired report. */
	readonly nth: number;
	/** True when the cassette line is written by the caller, who knows the files. */
	readonly recordLater: boolean;
}
