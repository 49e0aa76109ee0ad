import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { NormalisedRequest, Script, Step, WireProtocol } from "./exchange.ts";
import { gemini } from "./gemini.ts";
import { openAiChat } from "./openai-chat.ts";
import { openAiResponses } from "./openai-responses.ts";
import { replyTo } from "./reply-to.ts";

/** A request for a completion that arrived, and what was answered. */
export interface KeptRequest {
	readonly request: NormalisedRequest;
	/** The body as it came. */
	readonly body: unknown;
	readonly path: string;
	/** The key that it bore, without `Bearer`; null when it bore none. */
	readonly key: string | null;
	/** True for one without tools, which the script does not see. */
	readonly isSide: boolean;
	readonly step: Step;
	/** Settles when the answer is over: `left` when the client went before its end, or the server closed. */
	readonly ended: Promise<"whole" | "left">;
}

/** A scripted language model on a loopback port. */
export interface ModelServer {
	/** Such as `http://127.0.0.1:40123`, without a path. */
	readonly url: string;
	/** In the order of arrival. */
	readonly requests: readonly KeptRequest[];
	/** Breaks off every answer under way and frees the port. */
	close(): Promise<void>;
}

export interface ModelServerOptions {
	readonly script: Script;
	/**
	 * Whether a request is none of the conversation that the script plays, such as one for a title. Default: one
	 * that offers no tools and asks for no schema.
	 */
	readonly isSide?: (request: NormalisedRequest) => boolean;
}

/** What side requests are told. */
const SIDE: Step = { kind: "text", text: "A title" };

const LONGEST_BODY = 64_000_000;
const WIRES: readonly WireProtocol[] = [anthropicMessages, openAiResponses, openAiChat, gemini];

function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Readonly<Record<string, string>> = {},
): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(body));
}

async function bodyOf(message: IncomingMessage): Promise<string> {
	const parts: Buffer[] = [];
	let length = 0;
	for await (const part of message) {
		// Without an encoding, an incoming message yields buffers.
		const bytes = part as Buffer;
		length += bytes.length;
		if (length > LONGEST_BODY) throw new Error(`a body over ${LONGEST_BODY} bytes`);
		parts.push(bytes);
	}
	return Buffer.concat(parts).toString("utf8");
}

function keyOf({ headers }: IncomingMessage, url: URL): string | null {
	const named = headers["x-api-key"] ?? headers["x-goog-api-key"];
	if (typeof named === "string") return named;
	return headers.authorization?.replace(/^Bearer /, "") ?? url.searchParams.get("key");
}

/** What harnesses ask for besides completions. */
function answerOther(method: string, path: string, response: ServerResponse): void {
	if (/count_tokens$|:countTokens$/.test(path)) {
		sendJson(response, 200, { input_tokens: 1_000, totalTokens: 1_000 });
	} else if (path.endsWith("/models")) {
		sendJson(response, 200, { object: "list", data: [], models: [] });
	} else if (method === "GET" || method === "HEAD") {
		sendJson(response, 200, {});
	} else {
		sendJson(response, 404, { error: { message: `no route ${method} ${path}` } });
	}
}

function startStream(response: ServerResponse): void {
	response.writeHead(200, {
		"content-type": "text/event-stream; charset=utf-8",
		"cache-control": "no-cache",
	});
}

/** Sends the first bytes of an answer, and breaks the connection once they are out. */
function cut(response: ServerResponse, first: string): void {
	startStream(response);
	response.write(first, () => response.destroy());
}

function play(
	wire: WireProtocol,
	request: NormalisedRequest,
	step: Step,
	response: ServerResponse,
): void {
	switch (step.kind) {
		case "error": {
			const message = step.message ?? `scripted error ${step.status}`;
			sendJson(response, step.status, wire.error(step.status, message), step.headers);
			return;
		}
		case "garbage":
			startStream(response);
			response.end(step.body ?? "<html>Nothing of use</html>");
			return;
		case "hang":
			startStream(response);
			response.flushHeaders();
			return;
		case "cut": {
			const reply = replyTo(request, { kind: "text", text: "cut" });
			const [first = ""] = request.streamed
				? wire.events(request, reply)
				: [JSON.stringify(wire.whole(request, reply)).slice(0, 20)];
			cut(response, first);
			return;
		}
		case "text":
		case "structured":
		case "write":
		case "read":
		case "shell":
		case "call": {
			const reply = replyTo(request, step);
			if (!request.streamed) {
				sendJson(response, 200, wire.whole(request, reply));
				return;
			}
			startStream(response);
			response.end(wire.events(request, reply).join(""));
		}
	}
}

/**
 * Starts a language model that does what a script says, and speaks four wires on one port: Anthropic Messages, OpenAI
 * Responses, OpenAI Chat Completions, Gemini. Streamed or whole, as each request asks.
 *
 * An error of the script is answered with status 500 and its message.
 */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
	const requests: KeptRequest[] = [];
	const isSide = options.isSide ?? (({ tools, schema }) => tools.length === 0 && schema === null);

	const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
		const method = message.method ?? "";
		const url = new URL(message.url ?? "/", "http://127.0.0.1");
		const path = url.pathname;
		const text = await bodyOf(message);
		const wire = method === "POST" ? WIRES.find((each) => each.serves(path)) : undefined;
		if (wire === undefined) {
			answerOther(method, path, response);
			return;
		}
		const body: unknown = JSON.parse(text);
		const request = wire.normalise(body, path);
		const side = isSide(request);
		const step = side ? SIDE : options.script(request);
		const ended = new Promise<"whole" | "left">((resolve) => {
			response.once("close", () => resolve(response.writableFinished ? "whole" : "left"));
		});
		requests.push({ request, body, path, key: keyOf(message, url), isSide: side, step, ended });
		play(wire, request, step, response);
	};

	const server = createServer((message, response) => {
		serve(message, response).catch((error: unknown) => {
			if (response.headersSent) response.destroy();
			else sendJson(response, 500, { error: { message: String(error) } });
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	if (address === null || typeof address === "string") throw new Error("no port");
	return {
		url: `http://127.0.0.1:${address.port}`,
		requests,
		close: async () => {
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

/** A script that plays the steps in order, one an answer of the model; the last one repeats. */
export function inOrder(...steps: readonly [Step, ...Step[]]): Script {
	return ({ answers }) => steps[Math.min(answers, steps.length - 1)] ?? steps[0];
}
