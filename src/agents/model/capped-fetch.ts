import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";

// Of a body: a server could send without end.
const MAX_ANSWER_BYTES = 64_000_000;

const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

export class AnswerTooLong extends Error {
	constructor() {
		super(`the answer has more than ${MAX_ANSWER_BYTES / 1_000_000} MB`);
		this.name = "AnswerTooLong";
	}
}

async function* capped(message: IncomingMessage): AsyncGenerator<Buffer> {
	let bytes = 0;
	for await (const part of message) {
		// Without an encoding, an incoming message yields buffers.
		const chunk = part as Buffer;
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) throw new AnswerTooLong();
		yield chunk;
	}
}

function streamOf(message: IncomingMessage): ReadableStream<Uint8Array> {
	const parts = capped(message);
	return new ReadableStream({
		pull: async (controller) => {
			const next = await parts.next();
			if (next.done === true) controller.close();
			else controller.enqueue(next.value);
		},
		// Ending the generator instead would wait for the next part, which may never come.
		cancel: () => {
			message.destroy();
		},
	});
}

function responseOf(message: IncomingMessage): Response {
	const headers = new Headers();
	for (const [name, values = []] of Object.entries(message.headersDistinct)) {
		for (const value of values) headers.append(name, value);
	}
	const status = message.statusCode ?? 0;
	const init = { status, statusText: message.statusMessage ?? "", headers };
	if (!BODILESS.has(status)) return new Response(streamOf(message), init);
	message.resume();
	return new Response(null, init);
}

/**
 * A `fetch` for requests to models. A body of more than 64 MB fails with `AnswerTooLong` instead of filling the memory;
 * an answer may begin as late as it likes, where the global `fetch` gives up after five minutes, which a model on a
 * small machine needs to read a long prompt; and redirects are not followed, since they would take key and prompt
 * elsewhere.
 */
export async function cappedFetch(
	input: string | URL | Request,
	init?: RequestInit,
): Promise<Response> {
	const asked = new Request(input, init);
	const body = Buffer.from(await asked.arrayBuffer());
	const send = asked.url.startsWith("https:") ? secureRequest : plainRequest;
	const { promise, resolve, reject } = Promise.withResolvers<Response>();
	const options = {
		method: asked.method,
		headers: { ...Object.fromEntries(asked.headers), "content-length": String(body.length) },
		signal: asked.signal,
	};
	const request = send(asked.url, options, (message) => {
		try {
			resolve(responseOf(message));
		} catch (error) {
			message.destroy();
			reject(error instanceof Error ? error : new Error(String(error)));
		}
	});
	// Also hears of what breaks after the answer has begun, which the answer's body tells as well.
	request.on("error", reject);
	request.end(body);
	return promise;
}
