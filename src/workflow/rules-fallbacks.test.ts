import { expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

/** Agents from line 5 on, one a line, and a pair of `dev` and `rev`. */
const load = (...agents: readonly string[]) =>
	loadWorkflow({
		content: `version: 1
checks: { t: { kind: acceptance, run: npm test } }
tasks: { a: { description: x, overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } } }, b: { description: x, agent: dev } }
agents:
${agents.map((agent) => `  ${agent}\n`).join("")}`,
		file: "w.yaml",
		directory: "/repo",
	});
const errorsOf = (...agents: readonly string[]): string[] =>
	load(...agents).errors.map((each) => formatDiagnostic(each).replace(/^w\.yaml:|\n[\s\S]*$/g, ""));

const REV = "rev: { adapter: codex }";
const harness = (name: string, fallback: string): string =>
	`${name}: { adapter: claude, fallback: ${fallback} }`;

test("fallbacks of their own for both seats are fine", () => {
	expect(
		errorsOf(
			harness("dev", "spare"),
			harness("rev", "other"),
			harness("spare", "last"),
			"other: { adapter: model, model: openai/m }",
			"last: { adapter: opencode }",
		),
	).toEqual([]);
});

test("a cycle of fallbacks is named with all its agents", () => {
	expect(errorsOf(harness("dev", "b"), harness("b", "c"), harness("c", "dev"), REV)).toEqual([
		"5:37 the fallbacks form a cycle: dev -> b -> c -> dev",
	]);
	expect(errorsOf(harness("dev", "dev"), REV)).toEqual([
		"5:37 the fallbacks form a cycle: dev -> dev",
	]);
});

test("nobody becomes the judge of its own work, not even over several fallbacks", () => {
	const own = (fallback: string, agent: string): string =>
		`fallback "${fallback}" of agent "${agent}" would judge its own work in task "a"`;
	expect(errorsOf(harness("dev", "rev"), REV)).toEqual([`5:37 ${own("rev", "dev")}`]);
	expect(errorsOf("dev: { adapter: codex }", harness("rev", "dev"))).toEqual([
		`6:37 ${own("dev", "rev")}`,
	]);
	expect(errorsOf(harness("dev", "b"), harness("b", "rev"), REV)).toEqual([
		`6:35 ${own("rev", "b")}`,
	]);
	expect(errorsOf(harness("dev", "c"), harness("rev", "c"), "c: { adapter: gemini }")).toEqual([
		`6:37 ${own("c", "rev")}`,
	]);
});

test("a model by API sits as coach only, also as a fallback", () => {
	const api = "{ adapter: model, model: openai/m }";
	const no = "cannot be the player: a model called by API has no tools";
	expect(errorsOf(`rev: ${api}`, "dev: { adapter: claude }")).toEqual([]);
	expect(errorsOf(`dev: ${api}`, REV)).toEqual([
		`3:91 agent "dev" ${no}`,
		`3:153 agent "dev" ${no}`,
	]);
	expect(errorsOf(harness("dev", "b"), harness("b", "m"), `m: ${api}`, REV)).toEqual([
		`6:35 fallback "m" ${no}`,
	]);
});

test("a chain of more than 15 fallbacks is refused, however long it is", () => {
	const chain = (length: number): string[] => [
		harness("dev", "f1"),
		...Array.from({ length: length - 1 }, (_, i) => harness(`f${i + 1}`, `f${i + 2}`)),
		`f${length}: { adapter: codex }`,
		REV,
	];
	expect(errorsOf(...chain(15))).toEqual([]);
	expect(errorsOf(...chain(16))).toEqual(["5:37 more than 15 fallbacks in a row"]);
	const long = amount(2_000, 200);
	expect(errorsOf(...chain(long))).toHaveLength(long - 15);
});

test.each<[string, readonly string[]]>([
	["mcp: { notes: { command: [npx, notes], env: [NOTES_KEY] } }", []],
	["mcp: {}", []],
	["mcp: { my_notes: { command: [x] } }", ['"my_notes" is no name of a server']],
	["mcp: { notes: { command: [] } }", ["agents.dev.mcp.notes.command must not be empty"]],
	["mcp: { notes: { command: [x], env: [A=b] } }", ["without a value"]],
	["mcp: { notes: { url: http://x } }", ["command is missing", 'unknown key "url"']],
])("servers of an agent are named with their program and no value: %s", (mcp, expected) => {
	const errors = errorsOf(`dev: { adapter: claude, ${mcp} }`, REV).sort();
	expect(errors).toEqual(expected.map((text): unknown => expect.stringContaining(text)));
});

test("servers are for coding agents", () => {
	expect(errorsOf("dev: { adapter: command, run: [x], mcp: {} }", REV)).toEqual([
		expect.stringMatching(/mcp/),
	]);
});
