import { type IncomingMessage, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { fieldsOf, jsonIn } from "../../kernel/fields.ts";

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

/** An answer of status 200 that is no event stream, such as a web page. */
export class NoEventStream extends Error {
	constructor() {
		super("its answer is not an event stream");
		this.name = "NoEventStream";
	}
}

const FIRST_FIELD = /^\s*(?:data|event|id|retry)?:/;

// Before the first field, in characters.
const LONGEST_SPACE = 10_000;

const TELLS_USAGE = /"(usage(?:Metadata)?)"\s*:\s*(?!null)/;
const USAGES = ["usage", "usageMetadata"] as const;
const IS_COUNT = /tokens?$|count$/i;

const END = /^data:\s*(?:\[DONE\]|\{\s*"type"\s*:\s*"(?:message_stop|response\.completed)")/;

function isSound(counts: object): boolean {
	return Object.entries(counts).every(([name, value]: [string, unknown]) => {
		if (value === null) return true;
		if (IS_COUNT.test(name)) return typeof value === "number";
		return typeof value !== "object" || isSound(value);
	});
}

const isUsage = (value: unknown): boolean =>
	value === null || (typeof value === "object" && !Array.isArray(value) && isSound(value));

// The package would refuse such a usage, and the whole answer with it.
function withSoundUsage(line: string): string {
	const [start] = /^data:\s*/.exec(line) ?? [];
	if (start === undefined || !TELLS_USAGE.test(line)) return line;
	const fields = fieldsOf(jsonIn(line.slice(start.length)));
	const odd = USAGES.filter((name) => Object.hasOwn(fields, name) && !isUsage(fields[name]));
	if (odd.length === 0) return line;
	const rest = Object.entries(fields).filter(([name]) => !odd.some((one) => one === name));
	return `${start}${JSON.stringify(Object.fromEntries(rest))}${line.endsWith("\r") ? "\r" : ""}`;
}

function soundLines(): TransformStream<string, string> {
	let parts: string[] = [];
	let isOver = false;
	return new TransformStream({
		transform: (text, controller) => {
			const lines = text.split("\n");
			const last = lines.pop() ?? "";
			for (const line of lines) {
				const whole = [...parts, line].join("");
				parts = [];
				// The empty line after the last event is its end.
				if (!isOver || whole.trim() === "") controller.enqueue(`${withSoundUsage(whole)}\n`);
				isOver ||= END.test(whole);
			}
			if (last !== "") parts.push(last);
		},
		flush: (controller) => {
			if (parts.length > 0 && !isOver) controller.enqueue(withSoundUsage(parts.join("")));
		},
	});
}

async function beginning(reader: ReadableStreamDefaultReader<string>): Promise<string> {
	let text = "";
	while (text.trim().length < "event:".length && text.length < LONGEST_SPACE) {
		const next = await reader.read();
		if (next.done) break;
		text += next.value;
	}
	return text;
}

function resumed(
	start: string,
	reader: ReadableStreamDefaultReader<string>,
): ReadableStream<string> {
	return new ReadableStream({
		start: (controller) => {
			if (start !== "") controller.enqueue(start);
		},
		pull: async (controller) => {
			const next = await reader.read();
			if (next.done) controller.close();
			else controller.enqueue(next.value);
		},
		cancel: (reason) => reader.cancel(reason),
	});
}

/**
 * `cappedFetch` for streams of events. Counts of tokens of a wrong type are left out: they are unknown then, and the
 * answer stands. So is what comes after the event that ends the answer. Rejects with `NoEventStream` for an answer of
 * status 200 that is something else; an empty one passes.
 */
export async function fetchEvents(
	input: string | URL | Request,
	init?: RequestInit,
): Promise<Response> {
	const response = await cappedFetch(input, init);
	if (response.status !== 200 || response.body === null) return response;
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	const start = await beginning(reader);
	if (start.trim() !== "" && !FIRST_FIELD.test(start)) {
		// Its body is of no use; that it could not be cancelled neither.
		reader.cancel().catch(() => undefined);
		throw new NoEventStream();
	}
	const body = resumed(start, reader)
		.pipeThrough(soundLines())
		.pipeThrough(new TextEncoderStream());
	return new Response(body, { status: response.status, headers: response.headers });
}
