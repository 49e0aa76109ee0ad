import type { Writable } from "node:stream";
import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { type Fields, fieldsOf } from "../../kernel/fields.ts";
import { JsonLines } from "../harness/json-lines.ts";

export const MAX_REQUESTS = 1_000;

const isId = (id: unknown): id is string | number =>
	typeof id === "string" || typeof id === "number";

function requestIn({ jsonrpc, id, method, params }: Fields): AnyMessage | null {
	if (jsonrpc !== "2.0" || typeof method !== "string" || !isId(id)) return null;
	return { jsonrpc, id, method, params };
}

function answerIn({ jsonrpc, id, result, error }: Fields): AnyMessage | null {
	if (jsonrpc !== "2.0" || !isId(id)) return null;
	if (error === undefined || error === null) return { jsonrpc, id, result };
	const { code, message, data } = fieldsOf(error);
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

export interface GateListener {
	/** Parameters of each `session/update`, before any later message passes. */
	update(params: unknown): void;
	/** Parameters of each `session/request_permission`, before it passes. */
	asked(params: unknown): void;
	/** The agent sent more than `MAX_REQUESTS` requests, and the gate was closed for it. */
	flooded(): void;
}

/**
 * The wire between an agent's program and the protocol's library: one JSON message a line. Only requests, and answers
 * to the client's own requests, pass through; so the library sees no broken message, about which it would write to
 * Sparring's own error output. With the answer to `session/prompt` the turn is over: nothing after it is read.
 */
export class MessageGate {
	readonly #listener: GateListener;
	readonly #lines = new JsonLines((value) => this.#take(fieldsOf(value)));
	readonly #asked = new Set<string | number>();
	readonly #readable: ReadableStream<AnyMessage>;
	#inner: ReadableStreamDefaultController<AnyMessage> | null = null;
	#requests = 0;
	#prompt: string | number | null = null;
	#isOver = false;

	constructor(listener: GateListener) {
		this.#listener = listener;
		this.#readable = new ReadableStream<AnyMessage>({
			start: (controller) => {
				this.#inner = controller;
			},
			cancel: () => {
				this.#inner = null;
			},
		});
	}

	add(text: string): void {
		if (!this.#isOver) this.#lines.add(text);
	}

	// Requests without an answer fail. May be called twice.
	close(): void {
		this.#inner?.close();
		this.#inner = null;
	}

	streamTo(stdin: Writable): Stream {
		const writable = new WritableStream<AnyMessage>({
			write: (message) => {
				if (!("method" in message) || !("id" in message)) return write(stdin, message);
				if (message.id !== null) this.#asked.add(message.id);
				if (message.method === "session/prompt") this.#prompt = message.id;
				return write(stdin, message);
			},
		});
		return { readable: this.#readable, writable };
	}

	#take(message: Fields): void {
		// A piece may hold more than the end.
		if (this.#isOver) return;
		if (typeof message["method"] !== "string") {
			this.#takeAnswer(message);
			return;
		}
		if (message["id"] === undefined) {
			if (message["method"] === "session/update") this.#listener.update(message["params"]);
			return;
		}
		this.#requests += 1;
		if (this.#requests > MAX_REQUESTS) {
			this.#isOver = true;
			this.#listener.flooded();
			this.close();
			return;
		}
		const { method, params } = message;
		if (method === "session/request_permission") this.#listener.asked(params);
		this.#pass(requestIn(message));
	}

	#takeAnswer(message: Fields): void {
		const answer = answerIn(message);
		if (answer === null || !("id" in answer) || answer.id === null) return;
		if (!this.#asked.delete(answer.id)) return;
		if (answer.id === this.#prompt) this.#isOver = true;
		this.#pass(answer);
	}

	#pass(message: AnyMessage | null): void {
		if (message !== null) this.#inner?.enqueue(message);
	}
}

// Settles when the pipe has taken it, or never will: its end is told elsewhere.
function write(stdin: Writable, message: AnyMessage): Promise<void> {
	return new Promise((resolve) => {
		stdin.write(`${JSON.stringify(message)}\n`, () => resolve());
	});
}
