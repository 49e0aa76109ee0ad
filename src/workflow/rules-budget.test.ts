import { expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";

/** The lines of `more` begin on line 6. */
const load = (more: string) =>
	loadWorkflow({
		content: `version: 1
agents:
  dev: { adapter: command, run: [sh] }
  rev: { adapter: codex }
checks: { t: { kind: acceptance, run: npm test } }
${more}
`,
		file: "w.yaml",
		directory: "/repo",
	});
const task = (keys: string): string => `tasks: { a: { description: x, ${keys} } }`;
const PLAIN = task("agent: rev");

test("the budgets of the run and of a task arrive, those of defaults key by key", () => {
	const { workflow, errors } = load(
		`budget: { usd: 10, wall: 4h }\ndefaults: { budget: { usd: 2, wall: 1h } }\n${task("agent: rev, budget: { usd: 0.5 }")}`,
	);
	expect(errors).toEqual([]);
	expect(workflow?.budget).toEqual({ usd: 10, wallMs: 14_400_000 });
	expect(workflow?.tasks[0]?.budget).toEqual({ usd: 0.5, wallMs: 3_600_000 });
});

test("a budget that limits nothing is left out", () => {
	const { workflow } = load(`budget: {}\n${task("agent: rev, budget: {}")}`);
	expect(workflow?.budget).toBeUndefined();
	expect(workflow?.tasks[0]?.budget).toBeUndefined();
});

test.each([
	["no money", "budget: { usd: 0 }", "6:16 budget.usd must be above 0"],
	["less than no money", "budget: { usd: -1 }", "6:16 budget.usd must be above 0"],
	["money as text", "budget: { usd: $5 }", '6:16 budget.usd must be a number, not "$5"'],
	["endless money", "budget: { usd: .inf }", "6:16 budget.usd must be a number, not Infinity"],
	[
		"no time",
		"budget: { wall: 0s }",
		"6:17 budget.wall must be a duration above 0 and below 25 days",
	],
	["time without unit", "budget: { wall: 4 }", "6:17 budget.wall must be a duration, not 4"],
	["an unknown key", "budget: { eur: 4 }", '6:11 unknown key "eur"'],
])("%s is one error at its place", (_name, budget, message) => {
	const [error, ...more] = load(`${budget}\n${PLAIN}`).errors.map(formatDiagnostic);
	expect(error?.split("\n")[0]).toBe(`w.yaml:${message}`);
	expect(more).toEqual([]);
});

test("dollars are warned of where only programs of the user's sit, who say no cost", () => {
	const none =
		"budget.usd has no effect unless the programs in the seats report what their calls cost";
	const warnings = (more: string) =>
		load(more).warnings.map(({ line, column, message }) => `${line}:${column} ${message}`);
	expect(warnings(`budget: { usd: 1 }\n${task("agent: dev")}`)).toEqual([`6:11 ${none}`]);
	expect(warnings(task("agent: dev, budget: { usd: 1 }"))).toEqual([`6:53 ${none}`]);
	expect(warnings(`budget: { usd: 1 }\n${PLAIN}`)).toEqual([]);
	expect(warnings(`budget: { wall: 1h }\n${task("agent: dev")}`)).toEqual([]);
	const pair = "{ enabled: true, driver_agent: dev, challenger_agent: rev }";
	expect(warnings(task(`budget: { usd: 1 }, overlays: { paired_workflow: ${pair} }`))).toEqual([]);
});
