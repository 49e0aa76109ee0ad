import { conversation, freshId, pieces, serverEvent } from "./conversation.ts";
import type { Message, NormalisedRequest, Reply, WireProtocol } from "./exchange.ts";
import { at, contentText, listAt, textAt } from "./loose-json.ts";
import { openAiError } from "./openai-error.ts";

type Part = Readonly<Record<string, unknown>>;

const isSystem = (message: unknown): boolean =>
	at(message, "role") === "system" || at(message, "role") === "developer";

function messageOf(message: unknown): Message {
	const text = contentText(at(message, "content"));
	if (at(message, "role") === "tool") {
		return { role: "user", text: "", calls: [], results: [text] };
	}
	return {
		role: at(message, "role") === "assistant" ? "assistant" : "user",
		text,
		calls: listAt(message, "tool_calls").map((call) => textAt(call, "function", "name")),
		results: [],
	};
}

function callsOf({ call }: Reply): readonly Part[] {
	if (call === null) return [];
	const { tool, input } = call;
	const called = { name: tool.name, arguments: JSON.stringify(input) };
	return [{ id: freshId("call"), type: "function", function: called }];
}

function usageOf({ tokens }: Reply): Part {
	return {
		prompt_tokens: tokens.input,
		completion_tokens: tokens.output,
		total_tokens: tokens.input + tokens.output,
		prompt_tokens_details: { cached_tokens: tokens.cached },
	};
}

const endOf = ({ call }: Reply): string => (call === null ? "stop" : "tool_calls");

function aboutOf(request: NormalisedRequest, object: string): Part {
	const created = Math.floor(Date.now() / 1_000);
	return { id: freshId("chatcmpl"), object, created, model: request.model };
}

/** OpenAI's Chat Completions API, `POST /v1/chat/completions`, which many others speak too. */
export const openAiChat: WireProtocol = {
	name: "openai-chat",
	serves: (path) => path.endsWith("/chat/completions"),
	normalise: (body) => {
		const messages = listAt(body, "messages");
		return conversation({
			wire: "openai-chat",
			model: textAt(body, "model"),
			streamed: at(body, "stream") === true,
			system: messages
				.filter(isSystem)
				.map((message) => contentText(at(message, "content")))
				.join("\n"),
			messages: messages.filter((message) => !isSystem(message)).map(messageOf),
			tools: listAt(body, "tools").map((tool) => ({
				name: textAt(tool, "function", "name"),
				parameters: Object.keys(at(tool, "function", "parameters", "properties") ?? {}),
				takes: "object",
			})),
			forcedTool: textAt(body, "tool_choice", "function", "name") || null,
			schema:
				at(body, "response_format", "json_schema", "schema") ?? at(body, "response_format") ?? null,
		});
	},
	whole: (request, reply) => {
		const calls = callsOf(reply);
		const said = { role: "assistant", content: reply.text === "" ? null : reply.text };
		const message = calls.length === 0 ? said : { ...said, tool_calls: calls };
		return {
			...aboutOf(request, "chat.completion"),
			choices: [{ index: 0, finish_reason: endOf(reply), message }],
			usage: usageOf(reply),
		};
	},
	events: (request, reply) => {
		const about = aboutOf(request, "chat.completion.chunk");
		const chunk = (delta: Part, finish_reason: string | null = null) =>
			serverEvent({ ...about, choices: [{ index: 0, delta, finish_reason }] });
		return [
			chunk({ role: "assistant", content: "" }),
			...pieces(reply.text).map((content) => chunk({ content })),
			...callsOf(reply).map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
			chunk({}, endOf(reply)),
			serverEvent({ ...about, choices: [], usage: usageOf(reply) }),
			serverEvent("[DONE]"),
		];
	},
	error: openAiError,
};
