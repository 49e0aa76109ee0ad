import type { Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { JsonLines } from "../harness/json-lines.ts";
import { type Shape, shapeOf } from "./shape.ts";

/** Requests of one call that are taken from an agent; whoever sends more does not work but floods. */
const MAX_REQUESTS = 100_000;

const isId = (id: unknown): id is string | number =>
	typeof id === "string" || typeof id === "number";

/** @returns a message that the protocol knows; null for anything else */
function requestIn({ jsonrpc, id, method, params }: Shape): AnyMessage | null {
	if (jsonrpc !== "2.0" || typeof method !== "string" || !isId(id)) return null;
	return { jsonrpc, id, method, params };
}

function answerIn({ jsonrpc, id, result, error }: Shape): AnyMessage | null {
	if (jsonrpc !== "2.0" || !isId(id)) return null;
	if (error === undefined || error === null) return { jsonrpc, id, result };
	const { code, message, data } = shapeOf(error);
	return {
		jsonrpc,
		id,
		error: {
			code: typeof code === "number" && Number.isInteger(code) ? code : 0,
			message: typeof message === "string" ? message : "an error without a message",
			data,
		},
	};
}

/**
 * The wire between an agent's program and the protocol's library: one JSON message a line. Only requests, and answers
 * to what we asked, pass through; updates go to `onUpdate`, and everything else that a program prints is passed over.
 * So the library sees no broken message, about which it would write to our own error output.
 */
export class MessageGate {
	readonly #onUpdate: (params: unknown) => void;
	readonly #lines = new JsonLines((value) => this.#take(shapeOf(value)));
	readonly #asked = new Set<string | number>();
	readonly #readable: ReadableStream<AnyMessage>;
	#inner: ReadableStreamDefaultController<AnyMessage> | null = null;
	#requests = 0;

	/** @param onUpdate told of the parameters of each `session/update` in order, before any later message passes */
	constructor(onUpdate: (params: unknown) => void) {
		this.#onUpdate = onUpdate;
		this.#readable = new ReadableStream<AnyMessage>({
			start: (controller) => {
				this.#inner = controller;
			},
			cancel: () => {
				this.#inner = null;
			},
		});
	}

	/** Takes a piece of the program's standard output, cut anywhere. Throws at nothing. */
	add(text: string): void {
		this.#lines.add(text);
	}

	/** Says that nothing more comes: what is not answered yet fails. May be called twice. */
	close(): void {
		this.#inner?.close();
		this.#inner = null;
	}

	/** For the library: reads what passes through, and writes to the program's standard input. */
	streamTo(stdin: Writable): Stream {
		const writable = new WritableStream<AnyMessage>({
			write: (message) => {
				if (!("method" in message) || !("id" in message)) return write(stdin, message);
				if (message.id !== null) this.#asked.add(message.id);
				return write(stdin, message);
			},
		});
		return { readable: this.#readable, writable };
	}

	#take(message: Shape): void {
		if (typeof message["method"] !== "string") {
			this.#takeAnswer(message);
			return;
		}
		if (message["id"] === undefined) {
			if (message["method"] === "session/update") this.#onUpdate(message["params"]);
			return;
		}
		this.#requests += 1;
		if (this.#requests > MAX_REQUESTS) this.close();
		else this.#pass(requestIn(message));
	}

	#takeAnswer(message: Shape): void {
		const answer = answerIn(message);
		if (answer === null || !("id" in answer) || answer.id === null) return;
		if (this.#asked.delete(answer.id)) this.#pass(answer);
	}

	#pass(message: AnyMessage | null): void {
		if (message !== null) this.#inner?.enqueue(message);
	}
}

/** Settles when the program's pipe has taken it, or never will: its end is told elsewhere. */
function write(stdin: Writable, message: AnyMessage): Promise<void> {
	return new Promise((resolve) => {
		stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
	});
}
