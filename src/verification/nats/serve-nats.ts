import { setTimeout as delay } from "node:timers/promises";
import type { JsMsg } from "@nats-io/jetstream";
import type { VerificationAnswer, VerificationJob } from "../remote-job.ts";
import {
	MESSAGE_SCHEMA,
	presenceSubject,
	type RequestMessage,
	type ResultMessage,
	readJob,
	readRequest,
	resultSubject,
} from "./messages.ts";
import { type NatsPlace, type NatsSession, openSession, wordsOf } from "./session.ts";

/** A request that was given out so often ended its verifier each time, and is given to no further one. */
const MOST_DELIVERIES = 10;

const IDLE_MS = 5_000;

const REST_MS = 1_000;

const BEATS = 3;

/** A served verifier. */
export interface Serving extends NatsPlace {
	/** Requests that are worked on at once; 1 or more. */
	readonly slots: number;
	/**
	 * Does a job. The same job comes again after a kill. Rejects with the signal's reason when aborted: the job is then
	 * given to another verifier. Whatever else it rejects with is a bug, and refused for good.
	 */
	readonly handle: (job: VerificationJob, signal: AbortSignal) => Promise<VerificationAnswer>;
	/** Told once requests can be taken. */
	readonly onReady: (shown: string) => void;
	readonly onRequest: (message: RequestMessage) => void;
	/** Told what became of a request, and after how many milliseconds; null: it was handed back. */
	readonly onResult: (
		message: RequestMessage,
		answer: VerificationAnswer | null,
		ms: number,
	) => void;
	/** Told of what is no request, and of a bug that one met. */
	readonly onProblem: (text: string, error?: unknown) => void;
}

/**
 * Takes requests from NATS until the signal aborts. What is worked on then is handed back, and another verifier takes it
 * at once.
 *
 * A request is acknowledged when its result is stored. A verifier that is killed before gives no more signs of life, so
 * that the server gives the request to another one.
 *
 * @throws Fault `verifier-unavailable` where NATS cannot be reached in the beginning
 */
export async function serveNats(serving: Serving, signal: AbortSignal): Promise<void> {
	const session = await openSession(serving, signal);
	try {
		const subject = presenceSubject(serving.settings);
		session.connection.subscribe(subject, {
			callback: (_error, message) => void message.respond(),
		});
		await session.connection.flush();
		serving.onReady(session.shown);
		const slots = Array.from({ length: serving.slots }, () => serveSlot(session, serving, signal));
		await Promise.all(slots);
	} finally {
		await session.close();
	}
}

async function serveSlot(
	session: NatsSession,
	serving: Serving,
	signal: AbortSignal,
): Promise<void> {
	const { streamName, consumerName } = serving.settings;
	const { promise: stopped, resolve } = Promise.withResolvers<null>();
	signal.addEventListener("abort", () => resolve(null), { once: true });
	const isEnded = (): boolean => signal.aborted;
	while (!isEnded()) {
		try {
			const consumer = await session.stream.consumers.get(streamName, consumerName);
			const next = consumer.next({ expires: IDLE_MS });
			const message = await Promise.race([next, stopped]);
			if (message !== null) await new ServedRequest(session, serving, message).serve(signal);
			// What comes now goes to another verifier.
			else if (isEnded()) void next.then((late) => late?.nak()).catch(() => undefined);
		} catch (error) {
			if (isEnded()) return;
			serving.onProblem(`NATS at ${session.shown} gives no request: ${wordsOf(error)}`);
			await delay(REST_MS, undefined, { signal }).catch(() => undefined);
		}
	}
}

class ServedRequest {
	readonly #session: NatsSession;
	readonly #serving: Serving;
	readonly #message: JsMsg;

	constructor(session: NatsSession, serving: Serving, message: JsMsg) {
		this.#session = session;
		this.#serving = serving;
		this.#message = message;
	}

	async serve(signal: AbortSignal): Promise<void> {
		const request = readRequest(this.#message.string());
		if (request === undefined) {
			this.#serving.onProblem(
				`a message on ${this.#message.subject} is no request; it was put away`,
			);
			this.#message.term();
			return;
		}
		this.#serving.onRequest(request);
		const begun = performance.now();
		const lost = new AbortController();
		const stopBeating = this.#beat(() => lost.abort(new Error("another verifier has the request")));
		try {
			const during = AbortSignal.any([signal, lost.signal]);
			const answer = await this.#answerTo(request, during);
			const isSettled = answer !== null && (await this.#settle(request, answer, during));
			if (!isSettled && !lost.signal.aborted) this.#message.nak();
			const ms = Math.round(performance.now() - begun);
			this.#serving.onResult(request, isSettled ? answer : null, ms);
		} finally {
			stopBeating();
		}
	}

	// Where no sign of life reached the server for as long as it waits, by a clock that goes on while the process is
	// stopped, the request is another verifier's by now.
	#beat(onLost: () => void): () => void {
		const { ackWaitMs } = this.#serving.settings;
		let heardAt = performance.now();
		const beating = setInterval(() => {
			const sentAt = performance.now();
			if (sentAt - heardAt > ackWaitMs) onLost();
			this.#message.working();
			const heard = (): void => {
				heardAt = Math.max(heardAt, sentAt);
			};
			this.#session.connection.flush().then(heard, () => undefined);
		}, ackWaitMs / BEATS);
		return () => clearInterval(beating);
	}

	/** @returns null where the request is to be handed back */
	async #answerTo(
		request: RequestMessage,
		signal: AbortSignal,
	): Promise<VerificationAnswer | null> {
		const { deliveryCount } = this.#message.info;
		if (request.schema !== MESSAGE_SCHEMA)
			return refused(
				`this verifier understands requests of schema ${MESSAGE_SCHEMA}, not ${request.schema}`,
				"Run the same version of Sparring on both sides.",
			);
		if (deliveryCount > MOST_DELIVERIES)
			return refused(
				`the request was given out ${MOST_DELIVERIES} times, and no verifier lived to answer it`,
				"See what ended them: the output of `spar verifier`, and the system's log.",
			);
		const job = await this.#jobOf(request, signal);
		const isEnded = (): boolean => signal.aborted;
		if (isEnded()) return null;
		if (job === null)
			return refused(
				`what the request is about is not in the bucket under ${request.context}, or no job`,
				"Look at verification.nats.context_response_bucket of both sides.",
			);
		try {
			return await this.#serving.handle(job, signal);
		} catch (error) {
			if (isEnded()) return null;
			this.#serving.onProblem(`the request ${request.id} met a bug`, error);
			return refused(
				"the verifier met a bug in Sparring",
				"Its output shows where; please report it.",
			);
		}
	}

	/** The job of a request, once the bucket has it; null where it does not come, or is another's, or when aborted. */
	async #jobOf(request: RequestMessage, signal: AbortSignal): Promise<VerificationJob | null> {
		const until = performance.now() + this.#serving.settings.contextTimeoutMs;
		let entry = await this.#session.bucket.get(request.context);
		while (entry === null && performance.now() < until && !signal.aborted) {
			await delay(REST_MS, undefined, { signal }).catch(() => undefined);
			entry = await this.#session.bucket.get(request.context);
		}
		return entry === null ? null : readJob(entry.string(), request.key);
	}

	/** Stores the result, and then takes the request off the queue. @returns false where it cannot be stored any more */
	async #settle(
		request: RequestMessage,
		answer: VerificationAnswer,
		signal: AbortSignal,
	): Promise<boolean> {
		const { maxBytes } = this.#session;
		const text = resultText(request, answer);
		const tooLarge = refused(
			`the result is larger than the ${maxBytes} bytes that NATS takes`,
			"Raise max_payload of the server.",
		);
		const fits = Buffer.byteLength(text) < maxBytes;
		if (!(await this.#store(request, fits ? text : resultText(request, tooLarge), signal)))
			return false;
		if (answer.kind === "refused" && !answer.fault.retryable) this.#message.term();
		else this.#message.ack();
		return true;
	}

	async #store(request: RequestMessage, text: string, signal: AbortSignal): Promise<boolean> {
		const subject = resultSubject(this.#serving.settings, request.run, request.task);
		const { stream, shown } = this.#session;
		for (;;) {
			try {
				await stream.publish(subject, text, { msgID: `result/${request.id}` });
				return true;
			} catch (error) {
				if (signal.aborted) return false;
				this.#serving.onProblem(`NATS at ${shown} takes no result: ${wordsOf(error)}`);
				await delay(REST_MS, undefined, { signal }).catch(() => undefined);
			}
		}
	}
}

function resultText({ id, key, epoch }: RequestMessage, answer: VerificationAnswer): string {
	const result: ResultMessage = { schema: MESSAGE_SCHEMA, id, key, epoch, answer };
	return JSON.stringify(result);
}

function refused(message: string, hint: string): VerificationAnswer {
	const fault = { message, hint, code: "verifier-unavailable", retryable: false } as const;
	return { kind: "refused", fault };
}
