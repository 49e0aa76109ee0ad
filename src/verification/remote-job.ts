import { Fault } from "../kernel/fault.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import type { VerificationOutcome, VerificationRequest, Verifier } from "./verification.ts";

/** A request as it goes to another process, with what the verifier there needs besides. Plain data. */
export interface VerificationJob {
	readonly request: VerificationRequest;
	readonly fence: {
		readonly runId: string;
		readonly scope: "run" | "integration" | { readonly task: string };
		readonly epoch: number;
	};
	/** Number of times that the task was reopened. */
	readonly epoch: number;
	/** Questions about the task that a person has answered: after "try again" the same request is another one. */
	readonly items: number;
	/** Answers of the verifier's agent that earlier requests of the same node have used. */
	readonly asked: number;
	/** Place of the task among those in work, from 0; its ports follow from it. */
	readonly slot: number;
}

export interface JobFault extends Pick<Fault, "message" | "code" | "retryable"> {
	readonly hint: string | null;
}

/** Answer of a verifier in another process to a job. */
export type VerificationAnswer =
	| {
			readonly kind: "outcome";
			readonly outcome: VerificationOutcome;
			/** Answers of the agent that are used by now, those of earlier requests included. */
			readonly asked: number;
	  }
	/** It did nothing, or not to the end. */
	| { readonly kind: "refused"; readonly fault: JobFault };

/**
 * Asks a verifier in another process. The same job again, also from another process after a kill, gets the result that is
 * there instead of being done twice.
 *
 * @param signal ends the wait, not the work
 * @throws Fault `verifier-unavailable` when nobody is there to do it; the signal's reason when aborted
 */
export type AskVerifier = (
	job: VerificationJob,
	signal: AbortSignal,
) => Promise<VerificationAnswer>;

/** Run, task and turn of a job, and what tells it apart from others of the turn. The same for every holder of the run. */
export function jobKey({ request, epoch, items, asked }: VerificationJob): string {
	const { run, task, turn } = request;
	const digest = sha256(canonicalJson({ request, epoch, items, asked })).slice(0, 16);
	return `${run}/${task.id}/${turn}/${digest}`;
}

/** A fault as it travels. */
export function faultAsData({ message, code, hint, retryable }: Fault): JobFault {
	return { message, code, hint: hint ?? null, retryable };
}

/** A verifier in another process as the node has it. Its requests belong to one node, like the calls of its agent. */
export function remoteVerifier(
	ask: AskVerifier,
	{
		signal,
		...from
	}: Omit<VerificationJob, "request" | "asked"> & { readonly signal: AbortSignal },
): Verifier {
	let asked = 0;
	return {
		verify: async (request) => {
			const answer = await ask({ ...from, request, asked }, signal);
			if (answer.kind === "refused") {
				const { message, code, hint, retryable } = answer.fault;
				throw new Fault(message, { code, hint: hint ?? undefined, retryable });
			}
			asked = answer.asked;
			return answer.outcome;
		},
	};
}
