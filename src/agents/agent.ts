import type { AgentFailure, Role } from "../kernel/roles.ts";

/** One request to an agent: a fresh context in a checkout. All paths are absolute. */
export interface AgentCall {
	readonly run: string;
	readonly task: string;
	readonly subtask: string | null;
	/** From 1, over the whole task. */
	readonly turn: number;
	readonly role: Role;
	/** Name of the agent in the workflow. */
	readonly agent: string;
	/** From 1: counts the finished calls of this role in this task, subtask and turn, plus this one. */
	readonly call: number;
	/** The checkout: the working directory of the agent. */
	readonly cwd: string;
	/** Also written to `promptPath`. Masked. */
	readonly prompt: string;
	readonly promptPath: string;
	readonly contextPath: string;
	/** Place for the agent's JSON report; does not exist yet. */
	readonly reportPath: string;
	/** A directory of this call alone, for temporary files. */
	readonly tmpDir: string;
	/** The directory of this call alone that holds all of the files above. */
	readonly workDir: string;
	readonly timeoutMs: number;
	/** Environment of the child besides the `SPAR_*` variables: allow-listed already. */
	readonly env: Readonly<Record<string, string>>;
	/** Marks every process of this call (see `process/`), so that leftovers are found. */
	readonly mark: string;
	/** Receives the transcript as it grows, in pieces of any length, not masked. Must not throw. Default: nobody listens. */
	readonly onOutput?: ((text: string) => void) | undefined;
}

/** Tokens and cost of a call; null when unknown. Never 0 for unknown. */
export interface Usage {
	/** All of them, those read from and written to a cache included. */
	readonly inputTokens: number | null;
	readonly outputTokens: number | null;
	/** In US dollars: what the harness or the program says, else from a price table. */
	readonly costUsd: number | null;
	/** The model that really answered, as its provider calls it. */
	readonly model: string | null;
}

/** The result of a call. A failed call is a value, not a fault. */
export type AgentOutcome = AgentAnswer | AgentBreakdown;

export interface AgentAnswer {
	readonly kind: "answered";
	/** The report's text as the role may hand it in (see `report.ts`); null when there is none. */
	readonly report: string | null;
	/** Reason in one sentence for a report that is null although something stands in its place, such as a link. */
	readonly reportProblem?: string | undefined;
	/** Transcript: capped, not masked yet. */
	readonly output: string;
	readonly ms: number;
	readonly usage: Usage | null;
}

export interface AgentBreakdown {
	readonly kind: "failed";
	readonly failure: AgentFailure;
	/** One sentence for people: what failed, with which limit or exit code. */
	readonly message: string;
	readonly output: string;
	readonly ms: number;
	/** From the provider's Retry-After, when it gave one. */
	readonly retryAfterMs?: number | undefined;
	/** The program itself has tried again for so long that it is not called again at once. Default false. */
	readonly hasRetried?: boolean;
	/** Known use of the call before it failed. */
	readonly usage?: Usage | null;
}

/** Way of an agent to hand in its report: in the file `SPAR_REPORT`, or as its final message. */
export type HandsIn = "file" | "message";

/**
 * The port of everything that can take a seat.
 *
 * `call` may be called again after any outcome, and for several tasks at once. It never rejects except
 * with the signal's reason when it was aborted, and then only after every process of the call has ended.
 * When it settles, by itself, at the timeout or by the signal, nothing that the call started is left running.
 */
export interface Agent {
	/** Its prompt has to say so. */
	readonly handsIn: HandsIn;
	call(call: AgentCall, signal: AbortSignal): Promise<AgentOutcome>;
}

/** Agents that a program wrote itself, by the names that seats give them. */
export type AgentValues = Readonly<Record<string, Agent>>;

/**
 * An answer of an agent that a program writes itself.
 *
 * @param report what the role hands in: an object, or its JSON; null for none
 * @example `answer({ decision: "approve" })` is the answer of a coach that approves
 */
export function answer(
	report: object | string | null,
	more: { readonly output?: string; readonly usage?: Usage } = {},
): AgentAnswer {
	return {
		kind: "answered",
		report: typeof report === "string" || report === null ? report : JSON.stringify(report),
		output: more.output ?? "",
		// Sparring measures it.
		ms: 0,
		usage: more.usage ?? null,
	};
}
