import { conversation, freshId, serverEvent } from "./conversation.ts";
import type { Message, NormalisedRequest, Reply, WireProtocol } from "./exchange.ts";
import { at, contentText, listAt, textAt } from "./loose-json.ts";

type Part = Readonly<Record<string, unknown>>;

const STATUSES: Readonly<Record<number, string>> = {
	400: "INVALID_ARGUMENT",
	401: "UNAUTHENTICATED",
	403: "PERMISSION_DENIED",
	429: "RESOURCE_EXHAUSTED",
	503: "UNAVAILABLE",
};

function messageOf(content: unknown): Message {
	const parts = listAt(content, "parts");
	return {
		role: at(content, "role") === "model" ? "assistant" : "user",
		text: contentText(parts.filter((part) => at(part, "thought") !== true)),
		calls: parts.map((part) => textAt(part, "functionCall", "name")).filter((name) => name !== ""),
		results: parts
			.map((part) => at(part, "functionResponse", "response"))
			.filter((response) => response !== undefined)
			.map((response) => JSON.stringify(response)),
	};
}

function partsOf({ text, call }: Reply): readonly Part[] {
	const called = call === null ? null : { name: call.tool.name, args: call.input };
	if (called === null) return [{ text }];
	return [...(text === "" ? [] : [{ text }]), { functionCall: called }];
}

function answer(
	request: NormalisedRequest,
	{ tokens }: Reply,
	parts: readonly Part[],
	isLast: boolean,
): Part {
	const candidate = { index: 0, content: { role: "model", parts } };
	return {
		candidates: [isLast ? { ...candidate, finishReason: "STOP" } : candidate],
		usageMetadata: {
			promptTokenCount: tokens.input,
			cachedContentTokenCount: tokens.cached,
			candidatesTokenCount: tokens.output,
			totalTokenCount: tokens.input + tokens.output,
		},
		modelVersion: request.model,
		responseId: freshId("response"),
	};
}

/** Google's Gemini API: `:generateContent` and `:streamGenerateContent` below `/v1beta/models/NAME`. */
export const gemini: WireProtocol = {
	name: "gemini",
	serves: (path) => /:(?:generateContent|streamGenerateContent)$/.test(path),
	normalise: (body, path) => {
		const config = at(body, "generationConfig");
		const allowed = listAt(body, "toolConfig", "functionCallingConfig", "allowedFunctionNames");
		return conversation({
			wire: "gemini",
			model: decodeURIComponent(/models\/([^:]+):/.exec(path)?.[1] ?? ""),
			streamed: path.endsWith(":streamGenerateContent"),
			system: contentText(at(body, "systemInstruction", "parts")),
			messages: listAt(body, "contents").map(messageOf),
			tools: listAt(body, "tools")
				.flatMap((tool) => listAt(tool, "functionDeclarations"))
				.map((tool) => ({
					name: textAt(tool, "name"),
					parameters: Object.keys(
						at(tool, "parametersJsonSchema", "properties") ??
							at(tool, "parameters", "properties") ??
							{},
					),
					takes: "object",
				})),
			forcedTool: allowed.length === 1 ? textAt(allowed[0]) : null,
			schema: at(config, "responseJsonSchema") ?? at(config, "responseSchema") ?? null,
		});
	},
	whole: (request, reply) => answer(request, reply, partsOf(reply), true),
	events: (request, reply) =>
		partsOf(reply).map((part, index, all) =>
			serverEvent(answer(request, reply, [part], index === all.length - 1)),
		),
	error: (status, message) => ({
		error: { code: status, message, status: STATUSES[status] ?? "INTERNAL" },
	}),
};
