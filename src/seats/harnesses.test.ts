import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { agentHomes, STORE_VARIABLES, toldBy } from "./harnesses.ts";

const RECORDED = `${import.meta.dirname}/../../test/fixtures/harness`;

function toldIn(file: string): string[] {
	return readFileSync(`${RECORDED}/${file}.jsonl`, "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.flatMap((line) => toldBy(JSON.parse(line)) ?? []);
}

const APPROVAL =
	'{"decision":"approve","rationale":"fine","requirements_status":[],"findings_status":[],"feedback_items":[]}';
const DONE = 'Done.\n{"implementation_notes":"wrote hello.txt"}';

test.each<[string, readonly string[]]>([
	["claude.edit", ["Write /checkout/hello.txt", APPROVAL, "Write /checkout/hello.txt", APPROVAL]],
	["codex.edit", ["edit /checkout/hello.txt", "edit /checkout/hello.txt", APPROVAL]],
	["gemini.edit", ["write_file /checkout/hello.txt", DONE]],
	["opencode.edit", ["write /checkout/hello.txt", DONE]],
])("the events of %s tell tools and words, and nothing else", (file, told) => {
	expect(toldIn(file)).toEqual(told);
});

test("a command is told by its text, and a tool without known input by its name", () => {
	const item = { type: "command_execution", command: "npm test" };
	expect(toldBy({ type: "item.started", item })).toBe("npm test");
	expect(toldBy({ type: "tool_use", tool_name: "plan", parameters: {} })).toBe("plan");
});

test("any value is taken, and tells a text or nothing", () => {
	fc.assert(
		fc.property(fc.jsonValue(), (value) => {
			const told = toldBy(value);
			return told === null || typeof told === "string";
		}),
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
