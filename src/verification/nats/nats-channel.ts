import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../kernel/fault.ts";
import {
	type AskVerifier,
	jobKey,
	type VerificationAnswer,
	type VerificationJob,
} from "../remote-job.ts";
import {
	contextKey,
	MESSAGE_SCHEMA,
	presenceSubject,
	type RequestMessage,
	type ResultMessage,
	readResult,
	resultSubject,
} from "./messages.ts";
import { type NatsPlace, type NatsSession, openSession } from "./session.ts";

const LOOK_MS = 2_000;

const PRESENCE_MS = 2_000;

/**
 * Verifiers that are asked over NATS JetStream. Results stay in the stream for a week, so that a process that comes
 * back after a kill finds the result that arrived meanwhile, and asks nobody.
 */
export function natsChannel(place: NatsPlace): AskVerifier {
	return async (job, signal) => {
		const session = await openSession(place, signal);
		try {
			return await new Inquiry(session, place, job).answer(signal);
		} finally {
			await session.close();
		}
	};
}

class Inquiry {
	readonly #session: NatsSession;
	readonly #place: NatsPlace;
	readonly #job: VerificationJob;
	readonly #key: string;
	readonly #subject: string;
	#next = 1;
	/** Refusals that this holder of the run got for the job before. */
	#refusals = 0;
	/** Time at which a verifier or a result was last heard of, by the monotonic clock. */
	#heardAt = performance.now();

	constructor(session: NatsSession, place: NatsPlace, job: VerificationJob) {
		this.#session = session;
		this.#place = place;
		this.#job = job;
		this.#key = jobKey(job);
		this.#subject = resultSubject(place.settings, job.request.run, job.request.task.id);
	}

	async answer(signal: AbortSignal): Promise<VerificationAnswer> {
		const earlier = await this.#read((result) => this.#settles(result));
		if (earlier !== null) return earlier;
		const id = this.#id();
		// A result that is announced ends the wait for the next look, also one that has not begun.
		let announced = new AbortController();
		const callback = (): void => announced.abort();
		const subscription = this.#session.connection.subscribe(this.#subject, { callback });
		try {
			await this.#send(id);
			for (;;) {
				signal.throwIfAborted();
				const answer = await this.#look(id);
				if (answer !== null) return answer;
				const either = AbortSignal.any([signal, announced.signal]);
				await delay(LOOK_MS, undefined, { signal: either }).catch(() => undefined);
				if (announced.signal.aborted) announced = new AbortController();
			}
		} finally {
			subscription.unsubscribe();
		}
	}

	/** The id under which the server refuses a second copy. */
	#id(): string {
		const { request, fence } = this.#job;
		const { run, task, turn } = request;
		const digest = this.#key.slice(this.#key.lastIndexOf("/") + 1);
		return [run, task.id, turn, fence.epoch, digest, this.#refusals].join("/");
	}

	async #send(id: string): Promise<void> {
		const { stream, bucket, maxBytes, shown } = this.#session;
		const { settings } = this.#place;
		const { request, fence } = this.#job;
		const context = JSON.stringify(this.#job);
		const bytes = Buffer.byteLength(context);
		if (bytes >= maxBytes)
			throw new Fault(
				`the request of task ${request.task.id} has ${bytes} bytes, and NATS at ${shown} takes ${maxBytes}`,
				{ code: "verifier-unavailable", hint: "Raise max_payload of the server." },
			);
		const key = contextKey(settings, id);
		const message: RequestMessage = {
			schema: MESSAGE_SCHEMA,
			id,
			key: this.#key,
			run: request.run,
			task: request.task.id,
			turn: request.turn,
			epoch: fence.epoch,
			context: key,
		};
		try {
			await bucket.put(key, context);
			await stream.publish(settings.triggerSubject, JSON.stringify(message), { msgID: id });
		} catch (cause) {
			throw this.#away("took no request", cause);
		}
	}

	async #look(id: string): Promise<VerificationAnswer | null> {
		try {
			const answer = await this.#read((result) => result.id === id || this.#isDecided(result));
			if (answer !== null) return answer;
			await this.#session.connection.request(presenceSubject(this.#place.settings), "", {
				timeout: PRESENCE_MS,
			});
			this.#heardAt = performance.now();
		} catch (cause) {
			const { contextTimeoutMs } = this.#place.settings;
			if (performance.now() - this.#heardAt > contextTimeoutMs)
				throw this.#away("does not answer any more", cause);
		}
		return null;
	}

	// A result from before this process asked settles the job by a verdict, or by what this holder was told.
	#settles(result: ResultMessage): boolean {
		if (this.#isDecided(result)) return true;
		if (result.key !== this.#key || result.epoch !== this.#job.fence.epoch) return false;
		if (result.answer.kind === "outcome") return true;
		this.#refusals += 1;
		return false;
	}

	/** A verdict on the same request holds, whoever held the run: its records were written while that one did. */
	#isDecided({ key, answer }: ResultMessage): boolean {
		if (key !== this.#key || answer.kind !== "outcome") return false;
		return answer.outcome.kind === "decided";
	}

	async #read(isMeant: (result: ResultMessage) => boolean): Promise<VerificationAnswer | null> {
		const { manager } = this.#session;
		for (;;) {
			// The first message of the subject from there on; the client's types do not know that the server takes both.
			const wanted = { seq: this.#next, next_by_subj: this.#subject };
			const stored = await manager.streams.getMessage(this.#place.settings.streamName, wanted);
			if (stored === null) return null;
			this.#next = stored.seq + 1;
			const result = readResult(stored.string());
			if (result !== undefined && isMeant(result)) return result.answer;
		}
	}

	#away(what: string, cause: unknown): Fault {
		const { shown, connection } = this.#session;
		const { contextTimeoutMs, streamName } = this.#place.settings;
		const { request } = this.#job;
		const isServer = !isNobody(cause);
		const who = isServer
			? `NATS at ${shown} ${what}`
			: `no verifier serves ${streamName} on NATS at ${shown}`;
		const again = `then \`spar resume ${request.run}\`.`;
		return new Fault(
			`${who}: the verification of task ${request.task.id} got no answer for ${Math.round(contextTimeoutMs / 1_000)} s`,
			{
				code: "verifier-unavailable",
				hint: isServer
					? `Start the server, ${again}`
					: `Start one with \`spar verifier\`, ${again}`,
				retryable: !connection.isClosed(),
				cause,
			},
		);
	}
}

function isNobody(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return error.name === "NoResponders" || isNobody(error.cause);
}
