import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** A server on a loopback port that answers each POST as a test says. */
export interface RawServer {
	/** Such as `http://127.0.0.1:40123`, without a path. */
	readonly url: string;
	/** Bodies of the requests, in the order of arrival. */
	readonly bodies: readonly string[];
	/** Settles when a client has left before the end of an answer. */
	readonly left: Promise<unknown>;
	close(): Promise<void>;
}

/** Answers one request; `index` counts from 0. */
export type RawAnswer = (response: ServerResponse, index: number) => void;

async function bodyOf(message: IncomingMessage): Promise<string> {
	message.setEncoding("utf8");
	let text = "";
	for await (const part of message) text += String(part);
	return text;
}

export async function startRawServer(answer: RawAnswer): Promise<RawServer> {
	const bodies: string[] = [];
	const leaving = Promise.withResolvers<unknown>();
	const server = createServer((message, response) => {
		response.once("close", () => {
			if (!response.writableFinished) leaving.resolve(true);
		});
		bodyOf(message).then(
			(body) => {
				bodies.push(body);
				answer(response, bodies.length - 1);
			},
			() => response.destroy(),
		);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("no port");
	return {
		url: `http://127.0.0.1:${address.port}`,
		bodies,
		left: leaving.promise,
		close: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

/** One event of a stream of Chat Completions. */
export function chatEvent(
	delta: Readonly<Record<string, unknown>>,
	finish: string | null = null,
	usage: Readonly<Record<string, unknown>> | null = null,
): string {
	const chunk = {
		id: "c",
		object: "chat.completion.chunk",
		created: 1,
		model: "answering-model",
		choices: [{ index: 0, delta, finish_reason: finish }],
		usage,
	};
	return `data: ${JSON.stringify(chunk)}\n\n`;
}

export const CHAT_USAGE = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 };
export const CHAT_END = `${chatEvent({}, "stop", CHAT_USAGE)}data: [DONE]\n\n`;

export const STREAM = { "content-type": "text/event-stream" };
