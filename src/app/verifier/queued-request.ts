import type { StepKey } from "../../store/records.ts";
import {
	jobKey,
	type VerificationAnswer,
	type VerificationJob,
} from "../../verification/remote-job.ts";

/** A verification as it lies in the queue. Plain data. */
export interface QueuedRequest {
	readonly job: VerificationJob;
	/** How many answers to the same job cannot be used: refusals, and what another holder was told. From 0. */
	readonly attempt: number;
}

/** What a verifier said to a queued request. */
export interface StoredAnswer {
	/** Of the fence under which it was stored. */
	readonly epoch: number;
	readonly answer: VerificationAnswer;
}

/** Turn of a job, what tells it apart from others of the turn, and the attempt. The same for every holder of the task. */
function ownKey({ job, attempt }: QueuedRequest): string {
	const key = jobKey(job);
	return `${key.slice(key.lastIndexOf("/") + 1)}/${attempt}`;
}

/**
 * Where the answer is stored: among the steps of the task, so that it is fenced and read like them.
 *
 * @example the step `verification-answer/9f86d081884c7d65/0` of its turn
 */
export function answerStep(request: QueuedRequest): StepKey<StoredAnswer> {
	const { run, task, turn } = request.job.request;
	return { runId: run, taskId: task.id, turn, step: `verification-answer/${ownKey(request)}` };
}

/**
 * Tells the jobs of a task's requests apart. Each holder of the task has one of its own.
 *
 * @example `1/3/9f86d081884c7d65/0` for turn 1 and the third holder
 */
export function requestKey(request: QueuedRequest): string {
	const { request: asked, fence } = request.job;
	return [asked.turn, fence.epoch, ownKey(request)].join("/");
}
