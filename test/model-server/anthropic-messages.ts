import { conversation, freshId, pieces, serverEvent } from "./conversation.ts";
import type { Message, Reply, WireProtocol } from "./exchange.ts";
import { at, contentText, listAt, textAt } from "./loose-json.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
	400: "invalid_request_error",
	401: "authentication_error",
	403: "permission_error",
	413: "request_too_large",
	429: "rate_limit_error",
	529: "overloaded_error",
};

function messageOf(message: unknown): Message {
	const content = at(message, "content");
	const blocks = listAt(content);
	const ofType = (type: string) => blocks.filter((block) => at(block, "type") === type);
	return {
		role: at(message, "role") === "assistant" ? "assistant" : "user",
		text: typeof content === "string" ? content : contentText(ofType("text")),
		calls: ofType("tool_use").map((block) => textAt(block, "name")),
		results: ofType("tool_result").map((block) => contentText(at(block, "content"))),
	};
}

function usageOf({ tokens }: Reply): Readonly<Record<string, number>> {
	return {
		// This wire counts cached tokens apart.
		input_tokens: tokens.input - tokens.cached,
		cache_creation_input_tokens: 0,
		cache_read_input_tokens: tokens.cached,
		output_tokens: tokens.output,
	};
}

function blocksOf({ text, call }: Reply): readonly Readonly<Record<string, unknown>>[] {
	return [
		...(text === "" ? [] : [{ type: "text", text }]),
		...(call === null
			? []
			: [{ type: "tool_use", id: freshId("toolu"), name: call.tool.name, input: call.input }]),
	];
}

function blockEvents(block: Readonly<Record<string, unknown>>, index: number): readonly string[] {
	const isText = block["type"] === "text";
	const empty = isText ? { type: "text", text: "" } : { ...block, input: {} };
	const whole = isText ? textAt(block, "text") : JSON.stringify(block["input"]);
	const delta = (piece: string) =>
		isText
			? { type: "text_delta", text: piece }
			: { type: "input_json_delta", partial_json: piece };
	return [
		{ type: "content_block_start", index, content_block: empty },
		...pieces(whole).map((piece) => ({
			type: "content_block_delta",
			index,
			delta: delta(piece),
		})),
		{ type: "content_block_stop", index },
	].map((event) => serverEvent(event, event.type));
}

/** Anthropic's Messages API, `POST /v1/messages`. */
export const anthropicMessages: WireProtocol = {
	name: "anthropic-messages",
	serves: (path) => path.endsWith("/messages"),
	normalise: (body) =>
		conversation({
			wire: "anthropic-messages",
			model: textAt(body, "model"),
			streamed: at(body, "stream") === true,
			system: contentText(at(body, "system")),
			messages: listAt(body, "messages").map(messageOf),
			tools: listAt(body, "tools").map((tool) => ({
				name: textAt(tool, "name"),
				parameters: Object.keys(at(tool, "input_schema", "properties") ?? {}),
				takes: "object",
			})),
			forcedTool: textAt(body, "tool_choice", "name") || null,
			schema: at(body, "output_config", "format", "schema") ?? at(body, "output_format") ?? null,
		}),
	whole: (request, reply) => ({
		id: freshId("msg"),
		type: "message",
		role: "assistant",
		model: request.model,
		content: blocksOf(reply),
		stop_reason: reply.call === null ? "end_turn" : "tool_use",
		stop_sequence: null,
		usage: usageOf(reply),
	}),
	events: (request, reply) => {
		const usage = usageOf(reply);
		const message = {
			id: freshId("msg"),
			type: "message",
			role: "assistant",
			model: request.model,
			content: [],
			stop_reason: null,
			stop_sequence: null,
			usage: { ...usage, output_tokens: 1 },
		};
		const stop = {
			type: "message_delta",
			delta: { stop_reason: reply.call === null ? "end_turn" : "tool_use", stop_sequence: null },
			usage,
		};
		return [
			serverEvent({ type: "message_start", message }, "message_start"),
			...blocksOf(reply).flatMap(blockEvents),
			serverEvent(stop, stop.type),
			serverEvent({ type: "message_stop" }, "message_stop"),
		];
	},
	error: (status, message) => ({
		type: "error",
		error: { type: ERROR_TYPES[status] ?? "api_error", message },
	}),
};
