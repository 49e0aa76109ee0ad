import { fieldAt, isFields, listOf, textAt } from "../fields.ts";

/** What of a tool's input says best what it does, the first that is there. */
const INPUTS = [
	"command",
	"file_path",
	"filePath",
	"path",
	"pattern",
	"query",
	"url",
	"description",
];

function toolText(name: string | null, input: unknown): string | null {
	if (name === null) return null;
	const [detail] = INPUTS.flatMap((key) => textAt(input, key) ?? []);
	return detail === undefined ? name : `${name} ${detail}`;
}

/** `claude`: a message with parts, of which the last counts. */
function claudeText(event: unknown): string | null {
	if (textAt(event, "type") !== "assistant") return null;
	const told = listOf(fieldAt(event, "message", "content")).map((part) =>
		textAt(part, "type") === "tool_use"
			? toolText(textAt(part, "name"), fieldAt(part, "input"))
			: textAt(part, "text"),
	);
	return told.findLast((text) => text !== null) ?? null;
}

/** `codex`: an item that began or ended. */
function codexText(event: unknown): string | null {
	const item = fieldAt(event, "item");
	switch (textAt(item, "type") ?? "") {
		case "agent_message":
		case "reasoning":
			return textAt(item, "text");
		case "command_execution":
			return textAt(item, "command");
		case "file_change":
			return toolText("edit", listOf(fieldAt(item, "changes")).at(-1));
		default:
			return null;
	}
}

/** `gemini`: messages of the assistant, and tools by name. */
function geminiText(event: unknown): string | null {
	if (textAt(event, "type") === "tool_use")
		return toolText(textAt(event, "tool_name"), fieldAt(event, "parameters"));
	return textAt(event, "role") === "assistant" ? textAt(event, "content") : null;
}

/** `opencode`: a part of a message. */
function opencodeText(event: unknown): string | null {
	const part = fieldAt(event, "part");
	return textAt(part, "type") === "tool"
		? toolText(textAt(part, "tool"), fieldAt(part, "state", "input"))
		: textAt(part, "text");
}

/**
 * What an event of a harness tells a person: the tool that the agent calls with what it is called for, or its own words.
 *
 * @returns null for an event that tells nothing, and for any other value
 * @example `{"type":"tool_use","tool_name":"read_file","parameters":{"path":"a.js"}}` gives `"read_file a.js"`
 */
export function toldBy(event: unknown): string | null {
	if (!isFields(event)) return null;
	return claudeText(event) ?? codexText(event) ?? geminiText(event) ?? opencodeText(event);
}
