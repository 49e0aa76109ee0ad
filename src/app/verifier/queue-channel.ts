import { setTimeout as delay } from "node:timers/promises";
import { Due } from "../../kernel/due.ts";
import { Fault } from "../../kernel/fault.ts";
import { type Masker, maskDeep } from "../../kernel/masking.ts";
import type { Jobs } from "../../schedule/jobs.ts";
import type { Records } from "../../store/records.ts";
import type { Workers } from "../../store/workers.ts";
import type {
	VerificationAnswer,
	VerificationChannel,
	VerificationJob,
} from "../../verification/remote-job.ts";
import { tagsOfVerifier } from "../../workflow/tags-of.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { isVerified } from "../machines/no-worker.ts";
import { answerStep, type QueuedRequest, requestKey, type StoredAnswer } from "./queued-request.ts";

/** How often an answer is looked for, in ms. */
const LOOK_MS = 400;

const SEND_MS = 15_000;

/** How often is looked whether anybody is there who could verify, in ms. */
const PRESENCE_MS = 3_000;

/** How long nobody may be there before the task stops, in ms. */
const PATIENCE_MS = 600_000;

/** Where verifiers are asked over the queue. */
export interface QueuePlace {
	readonly records: Pick<Records, "step">;
	readonly jobs: () => Promise<Pick<Jobs, "send">>;
	readonly workers: Pick<Workers, "live">;
	/** Of the run: says what its verifiers need. */
	readonly workflow: Pick<Workflow, "agents">;
	readonly masker: Masker;
	/** Told in one sentence when something has to be waited for. */
	readonly onNotice?: ((text: string) => void) | undefined;
	/** How long nobody may be there who could verify, in ms; default: 10 minutes. */
	readonly patienceMs?: number;
	/** How often a request is sent again, in ms: while its job is there that changes nothing. Default: 15 s. */
	readonly sendMs?: number;
}

/**
 * Verifiers that are asked over the queue in the store. A request is a job, its answer a step of the task.
 *
 * A process that comes back after a kill finds the answer that was stored meanwhile, and asks nobody.
 */
export function queueChannel(place: QueuePlace): VerificationChannel {
	return {
		ask: (job, signal) => new Inquiry(place, maskDeep(place.masker, job)).answer(signal),
	};
}

/** One job, from its request to its answer. */
class Inquiry {
	readonly #place: QueuePlace;
	readonly #tags: readonly string[];
	#request: QueuedRequest;
	readonly #due = new Due();
	/** Since when nobody is there, by the monotonic clock; null while somebody is. */
	#aloneSince: number | null = null;

	constructor(place: QueuePlace, job: VerificationJob) {
		this.#place = place;
		this.#tags = tagsOfVerifier(place.workflow, job.request.verifier);
		this.#request = { job, attempt: 0 };
	}

	async answer(signal: AbortSignal): Promise<VerificationAnswer> {
		signal.throwIfAborted();
		const earlier = await this.#earlier();
		if (earlier !== null) return earlier;
		const { sendMs = SEND_MS } = this.#place;
		for (;;) {
			if (this.#due.is("send", sendMs)) await this.#send();
			if (this.#due.is("presence", PRESENCE_MS)) await this.#requireSomebody();
			await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
			signal.throwIfAborted();
			const stored = await this.#place.records.step(answerStep(this.#request));
			if (stored !== undefined) return stored.answer;
		}
	}

	/** What settles the job from before; answers that do not are counted. */
	async #earlier(): Promise<VerificationAnswer | null> {
		const { job } = this.#request;
		for (;;) {
			const stored = await this.#place.records.step(answerStep(this.#request));
			if (stored === undefined) return null;
			if (settles(stored, job)) return stored.answer;
			this.#request = { job, attempt: this.#request.attempt + 1 };
		}
	}

	async #send(): Promise<void> {
		const { run, task } = this.#request.job.request;
		const jobs = await this.#place.jobs();
		await jobs.send({
			queue: { kind: "verify", tags: this.#tags },
			runId: run,
			taskId: task.id,
			key: requestKey(this.#request),
			body: JSON.stringify(this.#request),
		});
	}

	/** @throws Fault `verifier-unavailable` where nobody was there for too long */
	async #requireSomebody(): Promise<void> {
		const { workers, onNotice, patienceMs = PATIENCE_MS } = this.#place;
		const { run, task } = this.#request.job.request;
		if (isVerified(this.#tags, await workers.live())) {
			this.#aloneSince = null;
			return;
		}
		const has = this.#tags.length === 0 ? "" : ` that has ${this.#tags.join(", ")}`;
		if (this.#aloneSince === null)
			onNotice?.(`the verification of task ${task.id} waits: no worker runs${has}`);
		this.#aloneSince ??= performance.now();
		if (performance.now() - this.#aloneSince < patienceMs) return;
		const minutes = Math.round(patienceMs / 60_000);
		const tags = this.#tags.length === 0 ? "" : ` --tags ${this.#tags.join(",")}`;
		throw new Fault(
			`no worker ran${has} for ${minutes} min: task ${task.id} of run ${run} is not verified`,
			{
				code: "verifier-unavailable",
				hint: `Start \`spar worker${tags}\` or \`spar verifier${tags}\`, then \`spar resume ${run}\`.`,
			},
		);
	}
}

/** Whether an answer from before settles a job: a verdict does, whoever asked; what else was said only for its asker. */
function settles({ epoch, answer }: StoredAnswer, { fence }: VerificationJob): boolean {
	if (answer.kind !== "outcome") return false;
	return answer.outcome.kind === "decided" || epoch === fence.epoch;
}
