import { expect, test } from "vitest";
import { loadWorkflow } from "./load.ts";
import { nameProblem } from "./safe-name.ts";
import {
	DEFAULT_TIE_BREAKER,
	mayDisagree,
	stakeholdersOf,
	standInsOf,
	tieBreakerOf,
} from "./tie-breaker-of.ts";
import type { Workflow } from "./workflow.ts";

function workflow(more: string): Workflow {
	const loaded = loadWorkflow({
		content: `version: 1
agents:
  dev: { adapter: command, run: [a] }
  rev: { adapter: command, run: [b], timeout: 2m }
tasks: { a: { agent: dev, description: x } }
${more}`,
		file: "w.yaml",
		directory: "/repo",
	});
	if (loaded.workflow === null) throw new Error(loaded.errors[0]?.message ?? "no workflow");
	return loaded.workflow;
}

test("the agent that the file names settles conflicts, with its own limits", () => {
	const named = workflow("tie_breaker: rev\n");
	expect(named.tieBreaker).toBe("rev");
	expect(tieBreakerOf(named)).toMatchObject({ name: "rev", run: ["b"], timeoutMs: 120_000 });
});

test("else a Gemini Flash model does, with the timeout of an agent that names none", () => {
	const plain = workflow("");
	expect(plain.tieBreaker).toBeUndefined();
	expect(tieBreakerOf(plain)).toEqual({
		adapter: "model",
		name: "google/gemini-flash-latest",
		model: "google/gemini-flash-latest",
		env: [],
		timeoutMs: plain.agents["dev"]?.timeoutMs,
	});
});

test("no agent of a file can have the name of the default", () => {
	expect(nameProblem(DEFAULT_TIE_BREAKER.name)).toBeDefined();
});

test("a stored workflow without its tie-breaker is a bug, not another tie-breaker", () => {
	expect(() => tieBreakerOf({ ...workflow(""), tieBreaker: "gone" })).toThrow(
		"no tie-breaker gone",
	);
});

test("a pair may disagree, and a player with a verifier", () => {
	const plain = workflow("");
	expect(mayDisagree(plain)).toBe(false);
	const tasks = plain.tasks.map((task) => ({ ...task, pair: { challenger: "rev" } }));
	expect(mayDisagree({ ...plain, tasks })).toBe(true);
	const verification = { ...plain.verification, agent: "rev" };
	expect(mayDisagree({ ...plain, verification })).toBe(true);
});

test.each<[string, string, readonly string[]]>([
	["nobody is free", "", []],
	["another family than both seats", "gem: { adapter: gemini }", ["gem"]],
	["a relative of a seat", "c2: { adapter: model, model: anthropic/claude-haiku-4-5 }", []],
	[
		"an unknown family after a known one",
		"own: { adapter: command, run: [x] }\n  gem: { adapter: gemini }",
		["gem", "own"],
	],
	["who falls back to a seat", "own: { adapter: command, run: [x], fallback: cla }", []],
	[
		"who falls back to a relative",
		"own: { adapter: command, run: [x], fallback: cod2 }\n  cod2: { adapter: codex }",
		[],
	],
])("in place of the default tie-breaker: %s", (_name, more, expected) => {
	const { workflow: loaded } = loadWorkflow({
		content: `version: 1
agents:
  cla: { adapter: claude, fallback: aid }
  cod: { adapter: codex }
  aid: { adapter: command, run: [aid] }
  ${more}
tasks: { a: { agent: cla, description: x } }
`,
		file: "w.yaml",
		directory: "/repo",
	});
	if (loaded === null) throw new Error("no workflow");
	// `aid` stands in for a seat.
	expect(standInsOf(loaded, ["cla", "cod"]).map(({ name }) => name)).toEqual(expected);
});

test("of seats of unknown family nobody is known to be a relative", () => {
	const seats = workflow("").agents;
	const third = { ...seats["dev"], name: "third" } as Workflow["agents"][string];
	const agents = { ...seats, third };
	expect(standInsOf({ agents }, ["dev", "rev"])).toEqual([third]);
});

test.each([
	["the verifier that the file names", "requires_verification: true", ["a", "rev"]],
	["nobody verifies what declines it", "requires_verification: false", ["a"]],
])("a stake in a task has %s", (_name, flag, names) => {
	const { workflow: file } = loadWorkflow({
		content: `version: 1
agents: { a: { adapter: command, run: [a] }, rev: { adapter: command, run: [b] } }
verifier: rev
tasks: { t: { agent: a, description: x, ${flag} } }
`,
		file: "w.yaml",
		directory: "/repo",
	});
	const [task] = file?.tasks ?? [];
	if (file === null || task === undefined) throw new Error("no workflow");
	expect(stakeholdersOf(file, task)).toEqual(names);
});
