import { z } from "zod";
import { Fault } from "../../kernel/fault.ts";
import type { TakenJob } from "../../schedule/jobs.ts";
import { stepWrite } from "../../store/records.ts";
import {
	faultAsData,
	type VerificationAnswer,
	type VerificationJob,
} from "../../verification/remote-job.ts";
import { jobSchema, readMessage } from "../../verification/remote-job-schema.ts";
import { answerStep, type QueuedRequest, requestKey } from "../verifier/queued-request.ts";
import { verifyForAnother } from "../verifier/verifier-service.ts";
import type { WorkerPlace } from "./run-ground.ts";

/** A request that came back so often ended its verifier each time, and is given to no further one. */
const MOST_DELIVERIES = 10;

/**
 * Verifies what a job asks for. Rejects with the signal's reason when aborted: the job is then given back. Whatever else it
 * rejects with is a bug, and the request is refused.
 */
export type VerifyRequest = (
	job: VerificationJob,
	signal: AbortSignal,
) => Promise<VerificationAnswer>;

/** Who is told of verifications. */
export interface AnswerListener {
	onRequest(told: ToldRequest): void;
	/** @param answer null: it was given back */
	onResult(told: ToldRequest, answer: VerificationAnswer | null): void;
	/** Told of a bug that a request met. */
	onBug(error: unknown): void;
}

/** A request, as a verifier tells of it. */
export interface ToldRequest {
	readonly run: string;
	readonly task: string;
	readonly turn: number;
	/** Names the request, such as `r1/limiter/1/3/9f86d081884c7d65/0`. */
	readonly id: string;
}

/** A request as it comes from another process. */
const queuedRequest: z.ZodType<QueuedRequest> = z.object({
	job: jobSchema,
	attempt: z.int().min(0),
});

/** Answers requests of the queue: of each task one after the other, since they share its checkouts. */
export class Answering {
	readonly #place: WorkerPlace;
	readonly #verify: VerifyRequest;
	readonly #listener: AnswerListener | undefined;
	/** By run and task: the end of the newest. None rejects. */
	readonly #ends = new Map<string, Promise<unknown>>();

	constructor(
		place: WorkerPlace,
		options: {
			readonly verifying?: AnswerListener | undefined;
			readonly verify?: VerifyRequest | undefined;
		},
	) {
		this.#place = place;
		this.#verify = options.verify ?? ((job, signal) => verifyForAnother(job, place, signal));
		this.#listener = options.verifying;
	}

	/**
	 * Verifies what a job asks for, and stores the answer under the fence of who asked. A request that is answered already is
	 * left as it is.
	 *
	 * @param how.slot from 0; nothing else that this worker works on has it
	 * @throws the signal's reason; Fault `store-unreachable`, `verifier-unavailable` for what is no request
	 */
	async answer(
		taken: TakenJob,
		how: { readonly slot: number; readonly signal: AbortSignal },
	): Promise<void> {
		const task = `${taken.runId}/${taken.taskId}`;
		const before = this.#ends.get(task) ?? Promise.resolve();
		const own = before.then(() => this.#answer(taken, how));
		const end = own.catch(() => undefined);
		this.#ends.set(task, end);
		try {
			await own;
		} finally {
			if (this.#ends.get(task) === end) this.#ends.delete(task);
		}
	}

	async #answer(
		taken: TakenJob,
		{ slot, signal }: { readonly slot: number; readonly signal: AbortSignal },
	): Promise<void> {
		signal.throwIfAborted();
		const request = readMessage(queuedRequest, taken.body ?? "");
		if (request === undefined) throw noRequest(taken);
		if ((await this.#place.store.records.step(answerStep(request))) !== undefined) return;
		const told = toldOf(request);
		this.#listener?.onRequest(told);
		let answer: VerificationAnswer | null = null;
		try {
			const verified =
				taken.retries > MOST_DELIVERIES
					? refused(
							`the request was given out ${MOST_DELIVERIES} times, and no verifier lived to answer it`,
							"See what ended them: what the workers printed, and the system's log.",
						)
					: await this.#verified(request.job, slot, signal);
			answer = await this.#stored(request, verified);
		} finally {
			this.#listener?.onResult(told, answer);
		}
	}

	async #verified(
		job: VerificationJob,
		slot: number,
		signal: AbortSignal,
	): Promise<VerificationAnswer> {
		try {
			return await this.#verify({ ...job, slot }, signal);
		} catch (error) {
			signal.throwIfAborted();
			const said = error instanceof Error ? error.message : String(error);
			this.#place.onNotice(`the verification of task ${job.request.task.id} met a bug: ${said}`);
			this.#listener?.onBug(error);
			return refused(
				"the verifier met a bug in Sparring",
				"Its output shows where; please report it.",
			);
		}
	}

	/** @returns the answer, a refusal where who asked has lost the task: then nobody waits for it, and nothing is stored */
	async #stored(request: QueuedRequest, answer: VerificationAnswer): Promise<VerificationAnswer> {
		const { fence } = request.job;
		const stored = stepWrite(answerStep(request), { epoch: fence.epoch, answer });
		try {
			await this.#place.store.records.commit(fence, [stored]);
			return answer;
		} catch (error) {
			if (!(error instanceof Fault && error.code === "lease-lost")) throw error;
			return { kind: "refused", fault: faultAsData(error) };
		}
	}
}

function toldOf(request: QueuedRequest): ToldRequest {
	const { run, task, turn } = request.job.request;
	return { run, task: task.id, turn, id: [run, task.id, requestKey(request)].join("/") };
}

const noRequest = ({ runId, taskId }: TakenJob): Fault =>
	new Fault(`a job of task ${taskId} of run ${runId} asks for no verification that is known here`, {
		code: "verifier-unavailable",
		hint: "Run the same version of Sparring on all machines.",
	});

function refused(message: string, hint: string): VerificationAnswer {
	const fault = { message, hint, code: "verifier-unavailable", retryable: false } as const;
	return { kind: "refused", fault };
}
