import { conversation, freshId, pieces, serverEvent } from "./conversation.ts";
import type { Message, OfferedTool, Reply, WireProtocol } from "./exchange.ts";
import { at, contentText, listAt, textAt } from "./loose-json.ts";
import { openAiError } from "./openai-error.ts";

type Item = Readonly<Record<string, unknown>>;

const isSystem = (item: unknown): boolean =>
	at(item, "role") === "system" || at(item, "role") === "developer";

function inputOf(body: unknown): readonly unknown[] {
	const input = at(body, "input");
	return typeof input === "string" ? [{ role: "user", content: input }] : listAt(input);
}

function messageOf(item: unknown): readonly Message[] {
	const type = textAt(item, "type");
	if (type === "message" || type === "") {
		const role = at(item, "role") === "assistant" ? "assistant" : "user";
		return [{ role, text: contentText(at(item, "content")), calls: [], results: [] }];
	}
	if (type.endsWith("_call")) {
		return [{ role: "assistant", text: "", calls: [textAt(item, "name")], results: [] }];
	}
	if (type.endsWith("_call_output")) {
		const output = at(item, "output");
		const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
		return [{ role: "user", text: "", calls: [], results: [text] }];
	}
	return [];
}

function toolOf(tool: unknown, namespace?: string): OfferedTool {
	return {
		name: textAt(tool, "name") || textAt(tool, "type"),
		parameters: Object.keys(at(tool, "parameters", "properties") ?? {}),
		takes: at(tool, "type") === "custom" ? "text" : "object",
		...(namespace === undefined ? {} : { namespace }),
	};
}

function toolsOf(tool: unknown): readonly OfferedTool[] {
	if (at(tool, "type") !== "namespace") return [toolOf(tool)];
	return listAt(tool, "tools").map((inner) => toolOf(inner, textAt(tool, "name")));
}

function outputOf({ text, call }: Reply): readonly Item[] {
	const items: Item[] = [];
	if (text !== "") {
		const content = [{ type: "output_text", text, annotations: [] }];
		items.push({ type: "message", id: freshId("msg"), role: "assistant", content });
	}
	if (call !== null) {
		const { name, takes, namespace } = call.tool;
		const about = { name, call_id: freshId("call"), ...(namespace ? { namespace } : {}) };
		items.push(
			takes === "text"
				? { type: "custom_tool_call", id: freshId("ctc"), ...about, input: call.input }
				: {
						type: "function_call",
						id: freshId("fc"),
						...about,
						arguments: JSON.stringify(call.input),
					},
		);
	}
	return items.map((item) => ({ ...item, status: "completed" }));
}

function responseOf(model: string, { tokens }: Reply, output: readonly Item[]): Item {
	return {
		id: freshId("resp"),
		object: "response",
		created_at: Math.floor(Date.now() / 1_000),
		model,
		status: "completed",
		output,
		error: null,
		incomplete_details: null,
		parallel_tool_calls: true,
		tools: [],
		usage: {
			input_tokens: tokens.input,
			input_tokens_details: { cached_tokens: tokens.cached },
			output_tokens: tokens.output,
			output_tokens_details: { reasoning_tokens: 0 },
			total_tokens: tokens.input + tokens.output,
		},
	};
}

/** The events of one item, without their numbers. */
function itemEvents(item: Item, output_index: number): readonly Item[] {
	const where = { item_id: item["id"], output_index };
	const done = { type: "response.output_item.done", output_index, item };
	const added = (empty: Item) => ({
		type: "response.output_item.added",
		output_index,
		item: { ...item, ...empty, status: "in_progress" },
	});
	if (item["type"] === "function_call") {
		const type = "response.function_call_arguments";
		return [
			added({ arguments: "" }),
			...pieces(textAt(item, "arguments")).map((delta) => ({
				type: `${type}.delta`,
				...where,
				delta,
			})),
			{ type: `${type}.done`, ...where, arguments: item["arguments"] },
			done,
		];
	}
	if (item["type"] === "custom_tool_call") {
		const type = "response.custom_tool_call_input";
		return [
			added({ input: "" }),
			{ type: `${type}.delta`, ...where, delta: item["input"] },
			{ type: `${type}.done`, ...where, input: item["input"] },
			done,
		];
	}
	const [part] = listAt(item, "content");
	const text = textAt(part, "text");
	const place = { ...where, content_index: 0 };
	const type = "response.output_text";
	return [
		added({ content: [] }),
		{
			type: "response.content_part.added",
			...place,
			part: { type: "output_text", text: "", annotations: [] },
		},
		...pieces(text).map((delta) => ({ type: `${type}.delta`, ...place, delta })),
		{ type: `${type}.done`, ...place, text },
		{ type: "response.content_part.done", ...place, part },
		done,
	];
}

/** OpenAI's Responses API, `POST /v1/responses`. */
export const openAiResponses: WireProtocol = {
	name: "openai-responses",
	serves: (path) => path.endsWith("/responses"),
	normalise: (body) => {
		const input = inputOf(body);
		const system = input.filter(isSystem).map((item) => contentText(at(item, "content")));
		return conversation({
			wire: "openai-responses",
			model: textAt(body, "model"),
			streamed: at(body, "stream") === true,
			system: [textAt(body, "instructions"), ...system].join("\n"),
			messages: input.filter((item) => !isSystem(item)).flatMap(messageOf),
			tools: listAt(body, "tools").flatMap(toolsOf),
			forcedTool: textAt(body, "tool_choice", "name") || null,
			schema: at(body, "text", "format", "schema") ?? null,
		});
	},
	whole: (request, reply) => responseOf(request.model, reply, outputOf(reply)),
	events: (request, reply) => {
		const output = outputOf(reply);
		const response = responseOf(request.model, reply, output);
		const started = { ...response, status: "in_progress", output: [], usage: null };
		const events: readonly Item[] = [
			{ type: "response.created", response: started },
			{ type: "response.in_progress", response: started },
			...output.flatMap(itemEvents),
			{ type: "response.completed", response },
		];
		return events.map((event, sequence_number) =>
			serverEvent({ ...event, sequence_number }, textAt(event, "type")),
		);
	},
	error: openAiError,
};
