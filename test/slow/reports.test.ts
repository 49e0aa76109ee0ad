import { expect, test } from "vitest";
import { z } from "zod";
import { APPROVES, dataOf, stage, TESTS } from "../acceptance/stage.ts";
import { pair } from "../support/workflow.ts";

/** A linter that complains of each line with `var` of the sources, as SARIF, and exits with 1 when there is one. */
const LINTER = `
import { readdirSync, readFileSync } from "node:fs";
const results = readdirSync("src").flatMap((name) =>
	readFileSync("src/" + name, "utf8").split("\\n").flatMap((line, index) => line.startsWith("var") ? [{
		ruleId: "no-var", level: "error", message: { text: "Unexpected var" },
		locations: [{ physicalLocation: {
			artifactLocation: { uri: process.cwd() + "/src/" + name },
			region: { startLine: index + 1 },
		} }],
	}] : []));
console.log(JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name: "lint" } }, results }] }));
process.exitCode = results.length > 0 ? 1 : 0;
`;

/** Writes coverage by what each line says of itself, for every source. */
const COVERAGE = `
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
const files = readdirSync("src").map((name) => {
	const lines = readFileSync("src/" + name, "utf8").trimEnd().split("\\n");
	const hits = lines.map((line, index) => "DA:" + (index + 1) + "," + (line.includes("// run") ? 1 : 0));
	return ["SF:" + process.cwd() + "/src/" + name, ...hits, "end_of_record", ""].join("\\n");
});
mkdirSync("out", { recursive: true });
writeFileSync("out/lcov.info", files.join(""));
`;

const FILES = {
	"lint.mjs": LINTER,
	"cover.mjs": COVERAGE,
	"src/old.js": "var old = 1; // run\nvar older = 2;\n",
	".gitignore": "out/\n",
};
const CHECKS = {
	tests: TESTS,
	lint: { kind: "lint", run: "node lint.mjs", report: { format: "sarif" } },
	coverage: {
		kind: "coverage",
		run: "node cover.mjs",
		report: { format: "lcov", path: "out/lcov.info" },
	},
};
const SOURCE = "let a = 1; // run\nlet b = 2; // run\nlet c = 3; // run\nlet d = 4;\n";
const works = (path: string, text: string) =>
	({ role: "player", files: { [path]: text } }) as const;

const scored = z.looseObject({
	score: z.number(),
	metrics: z.array(z.looseObject({ type: z.string(), score: z.number().nullable() })),
});

test("known problems do not count, a new one is shown and blocks nothing at T0", async () => {
	const { run, trace } = stage({
		steps: [works("src/new.js", `${SOURCE}var worse = 5; // run\n`), APPROVES],
		files: FILES,
		workflow: { checks: CHECKS },
	});
	expect(await run()).toMatchObject({ code: 0, task: { merged: true, turns: 1 } });
	const lint = dataOf(trace(), "check-ran").filter(({ check }) => check === "lint");
	expect(lint).toMatchObject([
		{ purpose: "baseline", status: "fail", reason: "2 problems" },
		{ purpose: "turn", status: "fail", reason: "1 new problem" },
	]);
});

test("a turn with old problems alone is green, and what it covers is scored by its own lines", async () => {
	const metrics = [
		{ type: "test_coverage", weight: 1 },
		{ type: "lint_score", weight: 1 },
	];
	const { run, trace, kept } = stage({
		steps: [
			works("src/new.js", SOURCE),
			{ ...APPROVES, run: 'cat "$SPAR_PROMPT" > "$HOME/coach.txt"' },
		],
		files: FILES,
		task: {
			overlays: {
				...pair(),
				confidence_loop: { enabled: true, mode: "composite", threshold: 0.8, metrics },
			},
		},
		workflow: { checks: CHECKS },
	});
	expect(await run()).toMatchObject({ code: 0, task: { merged: true, turns: 1 } });
	const inTurn = dataOf(trace(), "check-ran").filter(({ purpose }) => purpose === "turn");
	expect(inTurn.map(({ check, status }) => [check, status])).toEqual([
		["tests", "pass"],
		["lint", "pass"],
		["coverage", "pass"],
		["replay:tests", "pass"],
	]);
	const [score] = dataOf(trace(), "confidence-scored").map((data) => scored.parse(data));
	expect(score?.metrics).toMatchObject([
		{ type: "test_coverage", score: 0.75 },
		{ type: "lint_score", score: 1 },
	]);
	expect(score?.score).toBeCloseTo(0.875, 10);
	const prompt = kept("coach.txt");
	expect(prompt).toContain("3 of 4 changed lines are covered");
	expect(prompt).toContain("not covered: src/new.js:4");
	expect(prompt).toContain("known: src/old.js:1 error no-var: Unexpected var");
});

test("a hostile or broken report is an error that says why, and never a pass", async () => {
	const { run, trace } = stage({
		steps: [works("src/new.js", SOURCE), APPROVES],
		files: { ...FILES, "deep.mjs": 'console.log("[".repeat(1e6));' },
		workflow: {
			checks: {
				tests: TESTS,
				deep: { kind: "lint", run: "node deep.mjs", report: { format: "sarif" } },
				cut: {
					kind: "security",
					run: "node lint.mjs | head -c 80",
					report: { format: "sarif" },
				},
				none: { kind: "coverage", run: "echo TN:", report: { format: "lcov" } },
				bomb: {
					kind: "coverage",
					run: `echo '<!DOCTYPE a [<!ENTITY b "bb">]><coverage>&b;</coverage>'`,
					report: { format: "cobertura" },
				},
			},
		},
	});
	expect(await run()).toMatchObject({ code: 0, task: { merged: true } });
	const ran = dataOf(trace(), "check-ran").filter(
		({ kind }) => kind !== "acceptance" && kind !== "replay",
	);
	expect(new Set(ran.map(({ status }) => status))).toEqual(new Set(["error"]));
	expect(ran.every(({ reason }) => String(reason).startsWith("the report is invalid: "))).toBe(
		true,
	);
});
