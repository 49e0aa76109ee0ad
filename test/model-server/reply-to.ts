import { isAbsolute, join } from "node:path";
import type { NormalisedRequest, OfferedTool, Reply, Step, Tokens, ToolCall } from "./exchange.ts";

/** A step that ends in an answer, well formed at least. */
type Spoken = Exclude<Step, { kind: "error" | "garbage" | "cut" | "hang" }>;

/** Names under which harnesses offer the same tool; the first that is offered is taken. */
const SHELLS = ["exec_command", "shell_command", "shell", "Bash", "bash", "run_shell_command"];
const WRITERS = ["Write", "write_file", "write", "create"];
const READERS = ["Read", "read_file", "read", "view"];
const STRUCTURED = "StructuredOutput";

function quoted(text: string): string {
	return `'${text.replaceAll("'", `'\\''`)}'`;
}

function offered(request: NormalisedRequest, names: readonly string[]): OfferedTool | undefined {
	return names
		.map((name) => request.tools.find((tool) => tool.name === name))
		.find((tool) => tool !== undefined);
}

function parameter(tool: OfferedTool, names: readonly [string, ...string[]]): string {
	return names.find((name) => tool.parameters.includes(name)) ?? names[0];
}

function absolute(path: string, { cwd }: NormalisedRequest): string {
	return isAbsolute(path) || cwd === null ? path : join(cwd, path);
}

function shellCall(request: NormalisedRequest, command: string): ToolCall | null {
	const tool = offered(request, SHELLS);
	if (tool === undefined) return null;
	const described = tool.parameters.includes("description") ? { description: "A command" } : {};
	return { tool, input: { [parameter(tool, ["command", "cmd"])]: command, ...described } };
}

function patchText(path: string, content: string): string {
	const lines = content.replace(/\n$/, "").split("\n");
	return [
		"*** Begin Patch",
		`*** Add File: ${path}`,
		...lines.map((line) => `+${line}`),
		"*** End Patch",
		"",
	].join("\n");
}

function writeCall(request: NormalisedRequest, path: string, content: string): ToolCall | null {
	const writer = offered(request, WRITERS);
	if (writer !== undefined) {
		const where = parameter(writer, ["file_path", "filePath", "path"]);
		const what = parameter(writer, ["content", "file_text"]);
		return { tool: writer, input: { [where]: absolute(path, request), [what]: content } };
	}
	const patcher = offered(request, ["apply_patch"]);
	if (patcher !== undefined) {
		const patch = patchText(path, content);
		return { tool: patcher, input: patcher.takes === "text" ? patch : { input: patch } };
	}
	return shellCall(request, `printf %s ${quoted(content)} > ${quoted(path)}`);
}

function readCall(request: NormalisedRequest, path: string): ToolCall | null {
	const tool = offered(request, READERS);
	if (tool === undefined) return shellCall(request, `cat ${quoted(path)}`);
	const where = parameter(tool, ["file_path", "filePath", "absolute_path", "path"]);
	return { tool, input: { [where]: absolute(path, request) } };
}

function literalCall(
	request: NormalisedRequest,
	{ tool: name, namespace, input }: Extract<Step, { kind: "call" }>,
): ToolCall {
	const takes = typeof input === "string" ? "text" : "object";
	const group = namespace === undefined ? {} : { namespace };
	return { tool: offered(request, [name]) ?? { name, parameters: [], takes, ...group }, input };
}

/** A harness asks again after its tool for structured answers was called: then the text is the end. */
function structuredCall(request: NormalisedRequest, value: unknown): ToolCall | null {
	const name = request.forcedTool ?? STRUCTURED;
	const tool = offered(request, [name]);
	const wasCalled = request.messages.some(({ calls }) => calls.includes(name));
	return tool === undefined || wasCalled ? null : { tool, input: value };
}

function callOf(request: NormalisedRequest, step: Exclude<Spoken, { kind: "text" }>) {
	switch (step.kind) {
		case "structured":
			return structuredCall(request, step.value);
		case "write":
			return writeCall(request, step.path, step.content);
		case "read":
			return readCall(request, step.path);
		case "shell":
			return shellCall(request, step.command);
		case "call":
			return literalCall(request, step);
	}
}

function textOf(step: Spoken, request: NormalisedRequest): string {
	if (step.kind === "text") return step.text;
	if (step.kind === "structured") return JSON.stringify(step.value);
	// Says so in the transcript, where a test's author looks first.
	const names = request.tools.map(({ name }) => name).join(", ");
	return `No tool is offered for ${step.kind}; there are: ${names}`;
}

/**
 * What the model answers when it plays a step: the tool that this request offers for it, else text. The names and
 * parameters are those of Claude Code, Codex, Gemini CLI and opencode.
 */
export function replyTo(request: NormalisedRequest, step: Spoken): Reply {
	const tokens: Required<Tokens> = { input: 1_000, cached: 0, output: 50, ...step.tokens };
	const call = step.kind === "text" ? null : callOf(request, step);
	return { text: call === null ? textOf(step, request) : "", call, tokens };
}
