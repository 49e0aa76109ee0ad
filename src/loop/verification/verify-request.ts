import type { VerificationOutcome, VerificationRequest } from "../../verification/verification.ts";
import type { TaskContext } from "../context.ts";
import { presentFacts } from "../present-task.ts";
import { TaskLog } from "../task-log.ts";
import { TaskReader } from "../task-reader.ts";
import { inProcessVerifier } from "./in-process-verifier.ts";

/** What came of a request that another process made. */
export interface VerifiedRequest {
	readonly outcome: VerificationOutcome;
	/** Answers of the agent that are used by now. */
	readonly asked: number;
}

/**
 * Verifies in this process what the node of another one asks for, with the records that it would have written itself.
 *
 * @param from.items as the state of the node has it
 * @param from.asked answers of the agent that earlier requests of that node used
 */
export async function verifyRequest(
	context: TaskContext,
	request: VerificationRequest,
	from: { readonly items: number; readonly asked: number },
): Promise<VerifiedRequest> {
	const { run, task, clock, records } = context;
	const facts = await presentFacts(context);
	const site = { turn: request.turn, node: "verify" };
	const log = new TaskLog({ runId: run.runId, taskId: task.id }, site, clock);
	const read = new TaskReader(records, log, facts.subtask?.id ?? null);
	const verifier = inProcessVerifier({ ...context, ...facts, read, log }, from);
	const outcome = await verifier.verify(request);
	return { outcome, asked: verifier.asked() };
}
