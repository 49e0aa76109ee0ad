import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { repository, type TestRepository } from "../support/repository.ts";
import { tidyLater } from "../support/tidy.ts";
import { workflow } from "../support/workflow.ts";

// What somebody must have read to change a verdict: the files in which a function ran, by the coverage of V8. The figures
// of `test/reach.json` only fall.

const ROOT = join(import.meta.dirname, "../..");
const MAIN = join(ROOT, "src/cli/main.ts");
/** Rooms whose lines count too, so that joining files brings nothing. */
const JUDGING = ["judge", "wall", "checks", "formats", "gate"];
/** A machine may have a sandbox or not; where there is none, its program gives the result of one that did not start. */
const OF_SANDBOX = ["sandbox/", "ended-result.ts"].map((name) => join("src", "process", name));
/** A figure may be this far below its budget before the budget is to fall. */
const SLACK = { check: 5, run: 5, judging_lines: 200 };

const budgetJson = z.strictObject({ check: z.int(), run: z.int(), judging_lines: z.int() });
const coverageJson = z.object({
	result: z.array(
		z.object({
			url: z.string(),
			functions: z.array(
				z.object({ functionName: z.string(), ranges: z.array(z.object({ count: z.number() })) }),
			),
		}),
	),
});

/** Paths below `src` of which a named function ran in one of the processes that left their coverage in a folder. */
function reached(folder: string): ReadonlySet<string> {
	const found = new Set<string>();
	for (const name of readdirSync(folder)) {
		const { result } = coverageJson.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
		for (const { url, functions } of result) {
			const path = url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)) : "";
			const ran = functions.some(
				({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0,
			);
			const isOfSandbox = OF_SANDBOX.some((start) => path.startsWith(start));
			const counts = path.startsWith(`src${sep}`) && !isOfSandbox;
			if (ran && counts) found.add(path);
		}
	}
	return found;
}

function linesOf(files: ReadonlySet<string>): number {
	const judging = [...files].filter((path) => JUDGING.includes(path.split(sep)[1] ?? ""));
	return judging.reduce(
		(sum, path) => sum + readFileSync(join(ROOT, path), "utf8").split("\n").length - 1,
		0,
	);
}

const SUM = "export const add = (a, b) => a + b;\n";
const TEST = `import assert from "node:assert";
import test from "node:test";
import { add } from "./sum.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;
/** The smallest work: a line of the product, and a test for it. */
const WORK = [
	"echo 'export const sub = (a, b) => a - b;' >> sum.js",
	"echo 'test(\"adds again\", () => assert.equal(add(3, 4), 7));' >> sum.test.js",
].join("\n");

function project(more: Readonly<Record<string, string>> = {}): TestRepository {
	const packageJson = '{ "type": "module", "scripts": { "test": "node --test" } }\n';
	const files = { "package.json": packageJson, "sum.js": SUM, "sum.test.js": TEST, ...more };
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	return repo;
}

/** Runs a command of the source to its end. */
function reachOf(repo: TestRepository, args: readonly string[]): ReadonlySet<string> {
	const folder = join(repo.home, "coverage");
	mkdirSync(folder);
	const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
		cwd: repo.root,
		env: { ...repo.env, NODE_V8_COVERAGE: folder },
		encoding: "utf8",
	});
	expect(status, `${stdout}${stderr}`).toBe(0);
	return reached(folder);
}

function ofCheck(): ReadonlySet<string> {
	const repo = project();
	repo.git("switch", "--quiet", "--create", "topic");
	expect(spawnSync("sh", ["-c", WORK], { cwd: repo.root }).status).toBe(0);
	repo.commit("The work");
	return reachOf(repo, ["check", "--base", "main"]);
}

function ofRun(): ReadonlySet<string> {
	const said = {
		decision: "approve",
		requirements_status: [{ criterion: "it is there", met: true }],
	};
	const coach = `printf '%s' '${JSON.stringify(said)}' > "$SPAR_REPORT"`;
	const file = workflow({
		agents: {
			dev: { adapter: "command", run: ["sh", "-c", WORK] },
			coach: { adapter: "command", run: ["sh", "-c", coach] },
		},
		checks: { tests: "npm test" },
		tasks: {
			one: {
				agent: "dev",
				coach: "coach",
				description: "Add it.",
				acceptance_criteria: ["it is there"],
			},
		},
	});
	return reachOf(project({ "sparring.yaml": file }), ["run"]);
}

test("a check and a run reach no more of the house than before, and what fell is written down", () => {
	const budget = budgetJson.parse(JSON.parse(readFileSync(join(ROOT, "test/reach.json"), "utf8")));
	const check = ofCheck();
	const found = { check: check.size, run: ofRun().size, judging_lines: linesOf(check) };
	for (const name of ["check", "run", "judging_lines"] as const) {
		expect(found[name], `${name} reaches more`).toBeLessThanOrEqual(budget[name]);
		const least = budget[name] - SLACK[name];
		expect(found[name], `${name} fell: write it into test/reach.json`).toBeGreaterThanOrEqual(
			least,
		);
	}
});
