import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentHomes, STORE_VARIABLES, stepsIn } from "./harnesses.ts";

const RECORDED = `${import.meta.dirname}/../../test/fixtures/harness`;

function toldIn(file: string): string[] {
	return readFileSync(`${RECORDED}/${file}.jsonl`, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.flatMap((line) => stepsIn(line) ?? [])
		.map(({ kind, text }) => `${kind} ${text}`);
}

const APPROVAL =
	'{"decision":"approve","rationale":"fine","requirements_status":[],"findings_status":[],"feedback_items":[]}';
const DONE = 'Done.\n{"implementation_notes":"wrote hello.txt"}';

const WROTE = "edits /checkout/hello.txt";

test.each<[string, readonly string[]]>([
	["claude.edit", [WROTE, `says ${APPROVAL}`, WROTE, `says ${APPROVAL}`]],
	["codex.edit", [WROTE, `says ${APPROVAL}`]],
	["gemini.edit", [WROTE, `says ${DONE}`]],
	["opencode.edit", [WROTE, `says ${DONE}`]],
])("the events of %s tell steps in their order, and nothing else", (file, told) => {
	expect(toldIn(file)).toEqual(told);
});

const told = (event: unknown): readonly string[] | undefined =>
	stepsIn(typeof event === "string" ? event : JSON.stringify(event))?.map(
		({ kind, text }) => `${kind} ${text}`,
	);
const ofClaude = (type: "assistant" | "user", ...content: readonly unknown[]): unknown => ({
	type,
	message: { content },
});
const ofCodex = (type: "started" | "completed", item: unknown): unknown => ({
	type: `item.${type}`,
	item,
});
const command = { type: "command_execution", command: "npm test" };

test.each<[string, unknown, readonly string[]]>([
	[
		"several parts of a message of Claude Code",
		ofClaude(
			"assistant",
			{ type: "text", text: "I look." },
			{ type: "tool_use", name: "Read", input: { file_path: "a.js" } },
			{ type: "tool_use", name: "Bash", input: { command: "npm test" } },
			{ type: "thinking", thinking: "hm" },
		),
		["says I look.", "reads a.js", "runs npm test"],
	],
	[
		"a tool of it that failed",
		ofClaude(
			"user",
			{ type: "text", text: "Go on." },
			{ type: "tool_result", content: "a.js" },
			{ type: "tool_result", is_error: true, content: "no such file" },
			{ type: "tool_result", is_error: true, content: [{ type: "text", text: "exit 1" }] },
		),
		["result failed: no such file", "result failed: exit 1"],
	],
	[
		"its failed end",
		{ type: "result", subtype: "error_max_turns", result: "stopped" },
		["result error_max_turns stopped"],
	],
	["a command of Codex", ofCodex("started", command), ["runs npm test"]],
	[
		"what it printed last",
		ofCodex("completed", { ...command, exit_code: 0, aggregated_output: "a\n6 passing\n" }),
		["result 6 passing"],
	],
	[
		"that it failed",
		ofCodex("completed", { ...command, exit_code: 1, aggregated_output: "" }),
		["result failed: exit code 1"],
	],
	["a search of it", ofCodex("started", { type: "web_search", query: "tap" }), ["reads tap"]],
	[
		"another tool of it",
		ofCodex("started", { type: "mcp_tool_call", tool: "lint" }),
		["uses lint"],
	],
	[
		"a tool of Gemini CLI that failed",
		{ type: "tool_result", status: "error", error: { message: "denied" } },
		["result failed: denied"],
	],
	["an error of it", { type: "error", message: "Loop detected" }, ["result Loop detected"]],
	[
		"a tool of opencode that failed",
		{
			type: "tool_use",
			part: { type: "tool", tool: "grep", state: { status: "error", input: {}, error: "no" } },
		},
		["reads grep", "result failed: no"],
	],
	["a tool of an agent by ACP", "[tool execute] npm test (pending)", ["runs npm test"]],
	["one that failed", "[tool read] Look (failed): no such file", ["result failed: no such file"]],
	["one of another kind", "[tool think] Plan", ["uses Plan"]],
	["a permission that was given", "[permission edit] a.js: allowed", []],
	["a tool without known input", { type: "tool_use", tool_name: "plan" }, ["uses plan"]],
	["an event that tells nothing", { type: "turn.started" }, []],
])("the steps of %s", (_name, event, steps) => {
	expect(told(event)).toEqual(steps);
});

test("a report, and what a program prints, are no events", () => {
	expect(told({ decision: "approve" })).toBeUndefined();
	expect(told("npm warn old lockfile")).toBeUndefined();
	expect(told("[permission edit] a.js: refused: protected")).toBeUndefined();
	expect(told('{"type":')).toBeUndefined();
});

test("any value is taken, and tells steps with a text or nothing", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) =>
			(stepsIn(JSON.stringify(value)) ?? []).every(({ text }) => text.trim() !== ""),
		),
	);
});

test("the sign-ins of coding agents are below the home directory, and nowhere without one", () => {
	const homes = agentHomes({ HOME: "/home/me" });
	expect(homes).toEqual(expect.arrayContaining(["/home/me/.codex", "/home/me/.qwen"]));
	expect(homes.every((place) => place.startsWith("/home/me/."))).toBe(true);
	expect(agentHomes({})).toEqual([]);
	expect(agentHomes({ HOME: "" })).toEqual([]);
});

test("a folder that other programs share is no store of a coding agent's own", () => {
	expect(STORE_VARIABLES).toEqual(["CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"]);
});
