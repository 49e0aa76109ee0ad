import { describe, expect, test } from "vitest";
import { formatDiagnostic } from "./diagnostic.ts";
import { loadWorkflow } from "./load.ts";
import type { OneShot } from "./one-shot.ts";
import { taskFromWords } from "./task-file.ts";

const HEAD =
	"version: 1\nagents: { dev: { adapter: claude }, rev: { adapter: codex }, sh: { adapter: command, run: [sh] } }\n";
const CHECKS = "checks: { t: npm test, lint: { kind: lint, run: npm run lint } }\n";
const DEFAULTS =
	"defaults: { max_turns: 2, overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev }, policy_gate: { risk_tier: T2 } } }\n";

function load(file: string, shot: OneShot = {}) {
	const onlyTask = taskFromWords({ description: "Do it", criteria: ["done"], shot });
	const content = HEAD + file;
	const loaded = loadWorkflow({ content, file: "w.yaml", directory: "/repo", onlyTask });
	return { ...loaded, task: loaded.workflow?.tasks[0] };
}

const seats = (file: string, shot: OneShot = {}) => {
	const { task, errors } = load(file, shot);
	return errors.length > 0 ? errors.map(formatDiagnostic) : [task?.player, task?.pair?.challenger];
};

const FIRST =
	"tasks: { a: { agent: dev, description: x, overlays: { paired_workflow: { enabled: true, driver_agent: dev, challenger_agent: rev } } } }\n";

describe("seats of a task in words", () => {
	test.each<[string, string, OneShot, readonly unknown[]]>([
		["those of the file", "player: dev\ncoach: rev\n", {}, ["dev", "rev"]],
		["those of its defaults", DEFAULTS, {}, ["dev", "rev"]],
		["those of its first task, where it names none else", FIRST, {}, ["dev", "rev"]],
		[
			"of a task without a coach",
			"tasks: { a: { agent: dev, description: x } }\n",
			{},
			["dev", undefined],
		],
		["as wished", DEFAULTS, { player: "rev", coach: "dev" }, ["rev", "dev"]],
		["nobody as coach", DEFAULTS, { coach: "none" }, ["dev", undefined]],
		["quick: nobody as coach", DEFAULTS, { preset: "quick" }, ["dev", undefined]],
		["quick, with a coach after all", DEFAULTS, { preset: "quick", coach: "sh" }, ["dev", "sh"]],
		[
			"of nobody",
			"",
			{},
			[
				'--task:1:1 task "do-it" needs an agent\n    add `agent` or enable paired_workflow, for it or in `defaults`',
			],
		],
		[
			"of an unknown agent",
			DEFAULTS,
			{ player: "dve" },
			['--player:1:1 unknown agent "dve"\n    did you mean "dev"?'],
		],
	])("%s", (_name, file, shot, expected) => {
		expect(seats(CHECKS + file, shot)).toEqual(expected);
	});
});

test("quick takes at most three turns, and no more than the file allows", () => {
	const file = "player: dev\ncoach: rev\n";
	expect(load(file).task?.bound).toBe(10);
	expect(load(file, { preset: "pair" }).task).toEqual(load(file).task);
	expect(load(file, { preset: "quick" }).task?.bound).toBe(3);
	expect(load(DEFAULTS, { preset: "quick" }).task?.bound).toBe(2);
});

test("strict has a verifier, T1 at least, and mutants; what T1 lacks is waived, with the reason", () => {
	const { workflow, task, warnings } = load(
		`${CHECKS}player: dev\ncoach: rev\nmutation: { timeout: 9m }\n`,
		{
			preset: "strict",
		},
	);
	expect(task).toMatchObject({
		requiresVerification: "true",
		gate: true,
		gatePolicy: { riskTier: "T1" },
	});
	expect(workflow).toMatchObject({
		waive: { security: "the workflow has no security check" },
		mutation: { when: "always", timeoutMs: 540_000 },
	});
	expect(workflow?.waive?.lint).toBeUndefined();
	expect(warnings).toEqual([]);
	expect(load(CHECKS + DEFAULTS, { preset: "strict" }).task?.gatePolicy?.riskTier).toBe("T2");
	const own = load(`waive: { lint: mine }\nplayer: dev\ncoach: rev\n`, { preset: "strict" });
	expect(own.workflow?.waive?.lint).toBe("mine");
	expect(load(DEFAULTS, { preset: "strict", coach: "none" }).errors.map(formatDiagnostic)).toEqual([
		'--preset:1:1 task "do-it" requires verification, and nobody can verify it\n    name an agent with `verifier`, or give the task a pair: its challenger verifies then',
	]);
});

test("a command is the only acceptance check; other checks stay", () => {
	const { workflow } = load(`${CHECKS}${DEFAULTS}`, { command: "make t" });
	expect(workflow?.checks).toMatchObject([
		{ name: "tests", kind: "acceptance", run: "make t" },
		{ name: "lint", kind: "lint" },
	]);
	expect(load(CHECKS + DEFAULTS, { command: " " }).errors.map(formatDiagnostic)).toEqual([
		"--command:1:1 checks.tests.run must not be empty",
	]);
});

test("a model is the player's, if its adapter takes one", () => {
	const { workflow } = load(DEFAULTS, { model: "opus" });
	expect(workflow?.agents).toMatchObject({ dev: { model: "opus" } });
	expect(workflow?.agents["rev"]).not.toHaveProperty("model");
	const harness = load(DEFAULTS, { player: "gemini", model: "flash" });
	expect(harness.workflow?.agents).toMatchObject({ gemini: { adapter: "gemini", model: "flash" } });
	const [error] = load(DEFAULTS, { player: "sh", model: "opus" }).errors;
	expect(error).toMatchObject({ file: "--model", message: 'unknown key "model"' });
	expect(load("", { player: "nobody", model: "opus" }).errors).toMatchObject([
		{ file: "--player" },
	]);
});
