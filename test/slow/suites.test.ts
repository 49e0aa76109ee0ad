import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	answersSuspicions,
	dataOf,
	type Stage,
	sendsBack,
	stage,
	WORKS,
} from "../acceptance/stage.ts";
import { CRASH_AT } from "../support/killing.ts";
import { startSpar } from "../support/spar.ts";

const FILES = {
	"package.json": '{ "type": "module" }\n',
	"src/sum.js": "export const sum = (a, b) => a + b;\n",
	"test/sum.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { sum } from "../src/sum.js";
test("adds", () => assert.equal(sum(1, 2), 3));
`,
};

interface Counted extends Stage {
	/** Executions of the suite since the last call. */
	readonly executions: () => number;
}

/** A project with a suite that counts how often it runs; `keys` of the workflow file. */
function counted(
	steps: Parameters<typeof stage>[0]["steps"],
	keys: Readonly<Record<string, unknown>> = {},
): Counted {
	const at = stage({ steps, files: FILES });
	const file = join(at.repo.home, "executions");
	const run = `echo one >> ${file}; node --test`;
	at.rewrite({ checks: { tests: { kind: "acceptance", run } }, ...keys });
	at.repo.commit("Counted");
	let known = 0;
	const executions = (): number => {
		const all = readFileSync(file, "utf8").trim().split("\n").length;
		const fresh = all - known;
		known = all;
		return fresh;
	};
	return { ...at, executions };
}

const more = (name: string, text = "export const one = 1;\n") =>
	({ role: "player", files: { [name]: text } }) as const;

test("a task of one turn runs the suite for the base, for the turn, and once cold for the merge", async () => {
	const at = counted([more("src/more.js"), APPROVES]);
	const { code, stderr, task } = await at.run();
	expect([code, task.merged], stderr).toEqual([0, true]);
	expect(at.executions()).toBe(3);
	expect(task["suite_work"]).toMatchObject({ suite_runs: 3, suite_runs_saved: 1 });
	expect(stderr).not.toContain("that came through here");
	const ran = dataOf(at.trace(), "check-ran");
	expect(ran.map(({ check, purpose, reused }) => [check, purpose, typeof reused])).toEqual([
		["tests", "baseline", "undefined"],
		["tests", "turn", "undefined"],
		["tests", "assembled", "string"],
		["replay:tests", "assembled", "undefined"],
		["replay:tests", "turn", "string"],
	]);
	expect(stderr).toContain("tests 1/1 and the base's 1/1 on the merged tree");
	const titles = async (...args: string[]) =>
		(await at.spar(["logs", "one", ...args])).stdout.match(/(?<=^==> .*check ).*/gm);
	expect(await titles(), "tests that must fail are no news").toEqual(["tests (baseline)", "tests"]);
	expect(await titles("--raw")).toContain("canary:tests (assembled)");
});

test("a baseline is kept across runs, and what passed is the base of the next one", async () => {
	const at = counted([{ role: "player", run: "date +%s%N > src/more.txt" }, APPROVES]);
	await at.run();
	at.executions();
	const again = await at.run();
	expect([again.code, at.executions()], again.stderr).toEqual([0, 2]);
	expect(again.stderr).toMatch(
		/^note: about \d calls.* a task, by the last one that came through here$/m,
	);
	const [baseline] = dataOf(at.trace(), "check-ran");
	expect([baseline?.["purpose"], typeof baseline?.["reused"]]).toEqual(["baseline", "string"]);
	await at.spar(["land"]);
	const next = await at.run();
	expect([next.code, at.executions()], next.stderr).toEqual([0, 2]);
});

const IS_COLD = 'case "$PWD" in */integration/*) export COLD=1;; esac';
const WARM = `import assert from "node:assert/strict";
import { test } from "node:test";
test("is warm", () => assert.equal(process.env.COLD, undefined));
`;

test.each<[string, Readonly<Record<string, string>>, object]>([
	["named tests", { "test/warm.test.js": WARM }, { run: `${IS_COLD}; node --test` }],
	[
		"an exit code",
		{},
		{ run: `${IS_COLD}; test -z "$COLD" && node --test`, report: { format: "exit" } },
	],
	[
		"a script without a test to plant one in",
		{
			"check.sh":
				'test -z "$COLD" || exit 1\ngrep -q sum src/sum.js && echo "ok 1 - sums" && echo 1..1\n',
		},
		{ run: `${IS_COLD}; sh check.sh` },
	],
])("what passes warm and fails cold does not merge: %s", async (_name, files, check) => {
	const at = stage({
		steps: [more("src/more.js"), APPROVES],
		files: { ...FILES, ...files },
		task: { max_turns: 1 },
	});
	at.rewrite({ checks: { tests: { kind: "acceptance", ...check } } });
	at.repo.commit("Warm");
	const { task, stderr } = await at.run();
	expect([task.merged, task.status], stderr).toEqual([false, "failed"]);
});

test("a first run takes what a check found of its base", async () => {
	const at = counted([more("src/more.js"), APPROVES]);
	at.repo.write({ "src/other.js": "export const other = 1;\n" });
	const { code, stderr } = await at.spar(["check"]);
	expect([code, at.executions()], stderr).toEqual([0, 3]);
	at.repo.git("clean", "-fdq");
	const { stderr: said, task } = await at.run();
	expect([task.merged, at.executions()], said).toEqual([true, 2]);
});

test("a check of work takes what a run found of its base", async () => {
	const at = counted([more("src/more.js"), APPROVES]);
	await at.run();
	at.executions();
	at.repo.write({ "src/own.js": "export const own = 1;\n" });
	const { code, stderr } = await at.spar(["check"]);
	expect([code, at.executions()], stderr).toEqual([0, 2]);
});

test("two turns run it once more", async () => {
	const finding = { issue: "more is wrong", severity: "major", file: "src/more.js", line: 1 };
	const at = counted([
		{ ...more("src/more.js"), turn: 1 },
		{ ...more("src/more.js", "export const two = 2;\n"), turn: 2 },
		{ role: "coach", turn: 1, report: sendsBack(finding) },
		{
			role: "coach",
			turn: 2,
			report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
		},
	]);
	const { code, stderr, task } = await at.run();
	expect([code, task.turns], stderr).toEqual([0, 2]);
	expect(at.executions()).toBe(4);
});

test("a change of what setup reads adds a cold run of the check", async () => {
	const at = counted(
		[more("src/sum.js", `${FILES["src/sum.js"]}export const one = 1;\n`), APPROVES],
		{
			setup: ["true"],
			setup_inputs: ["src/sum.js"],
		},
	);
	const { code, stderr } = await at.run();
	expect([code, at.executions()], stderr).toEqual([0, 4]);
	const cold = dataOf(at.trace(), "check-ran").filter(({ purpose }) => purpose === "assembled");
	expect(cold.map(({ check, reused }) => [check, reused])).toEqual([
		["tests", undefined],
		["replay:tests", undefined],
	]);
});

const RED = `import assert from "node:assert/strict";
import { test } from "node:test";
test("is to come", () => assert.ok(false));
`;

// docs/benchmarks.md has these as a table.
test.each([
	["a green base", {}, [3, 2], [3, 2]],
	["a red base", { "test/red.test.js": RED }, [4, 3], [5, 4]],
] as const)(
	"%s: runs of the suite for two checks and for two runs",
	async (_name, files, ofChecks, ofRuns) => {
		const checks = counted([]);
		checks.repo.write(files);
		if ("test/red.test.js" in files) checks.repo.commit("Red");
		for (const [nth, runs] of ofChecks.entries()) {
			checks.repo.write({ "src/own.js": `export const own = ${nth};\n` });
			const { code, stderr } = await checks.spar(["check"]);
			expect([code, checks.executions()], stderr).toEqual([0, runs]);
		}
		const tasks = counted([{ role: "player", run: "date +%s%N > src/more.txt" }, APPROVES]);
		tasks.repo.write(files);
		if ("test/red.test.js" in files) tasks.repo.commit("Red");
		for (const runs of ofRuns) {
			const { code, stderr } = await tasks.run();
			expect([code, tasks.executions()], stderr).toEqual([0, runs]);
		}
	},
);

test("a red baseline is run again, for what made it red may come back", async () => {
	const at = counted([WORKS, APPROVES]);
	const database = JSON.stringify(join(at.repo.home, "database"));
	at.repo.write({
		"test/database.test.js": `import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
test("asks the database", () => assert.ok(existsSync(${database})));
`,
	});
	at.repo.commit("Asks a database");
	await at.run();
	at.repo.write({ "../database": "" });
	const { code, stderr } = await at.run();
	expect(code, stderr).toBe(0);
	const [baseline] = dataOf(at.trace(), "check-ran");
	expect(baseline).toMatchObject({ purpose: "baseline", status: "pass" });
});

test("evidence of another environment is none", async () => {
	const at = counted([WORKS, APPROVES]);
	await at.run();
	at.executions();
	const result = await at.spar(["run", "--json"], { env: { TZ: "Asia/Tokyo" } });
	expect([result.code, at.executions()], result.stderr).toEqual([0, 3]);
});

/** A project whose setup builds what its tests read. */
const BUILT = {
	"package.json": '{ "type": "module" }\n',
	".gitignore": "dist/\n",
	"build.js": `import fs from "node:fs";
fs.mkdirSync("dist", { recursive: true });
fs.copyFileSync("src/table.json", "dist/table.json");
`,
	"src/table.json": '{ "a": 1, "b": 2 }\n',
	"test/a.test.js": tableTest("a", 1),
};

function tableTest(key: string, value: number): string {
	return `import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
test("has ${key}", () => assert.equal(JSON.parse(readFileSync("dist/table.json", "utf8")).${key}, ${value}));
`;
}

function built(steps: Parameters<typeof stage>[0]["steps"]): Stage {
	const at = stage({ steps, files: BUILT, task: { max_turns: 1, requires_verification: false } });
	const checks = { tests: { kind: "acceptance", run: "node --test" } };
	at.rewrite({ setup: ["node build.js"], checks });
	at.repo.commit("Built");
	return at;
}

test("what a setup builds is of one tree: a turn that ran on the base's does not stand for the merge", async () => {
	const files = { "src/table.json": '{ "a": 1, "b": 3 }\n', "test/b.test.js": tableTest("b", 2) };
	const at = built([{ role: "player", files }, APPROVES]);
	const { task, stderr } = await at.run();
	expect(task.merged, stderr).toBe(false);
	const cold = dataOf(at.trace(), "check-ran").filter(({ purpose }) => purpose === "assembled");
	expect(cold[0]).toMatchObject({ check: "tests", status: "fail" });
});

test("what a setup builds is built anew for work that is checked", async () => {
	const at = built([WORKS, APPROVES]);
	at.repo.write({ "src/table.json": '{ "a": 9, "b": 2 }\n' });
	const { code, stdout, stderr } = await at.spar(["check"]);
	expect(code, stderr).toBe(1);
	expect(stdout).toContain("has a");
});

test("where a task allows a change of tests the check runs cold too", async () => {
	const at = stage({
		steps: [
			{
				role: "player",
				files: {
					"src/sum.js": "export const add = (a, b) => a + b;\n",
					"test/sum.test.js": null,
					"test/warm.test.js": WARM,
				},
			},
			{ role: "coach", run: answersSuspicions(true) },
		],
		files: FILES,
		task: {
			max_turns: 1,
			allow: [{ path: "test/sum.test.js", change: "delete", reason: "the feature goes" }],
		},
	});
	const check = { kind: "acceptance", run: `${IS_COLD}; node --test` };
	at.rewrite({ checks: { tests: check } });
	at.repo.commit("Warm");
	const { task, stderr } = await at.run();
	expect(task.merged, stderr).toBe(false);
});

test.each([
	["its baseline", "commit.17.after"],
	["its cold run", "commit.55.after"],
])(
	"killed after %s, a run goes on in another environment with runs of its own",
	async (_what, point) => {
		const at = counted([more("src/more.js"), APPROVES]);
		const env = { TZ: "Europe/Berlin", SPAR_TEST_CRASH_AT: point };
		const killed = await startSpar(at.repo, ["run"], { env, preload: CRASH_AT }).ended;
		expect(killed.signal).toBe("SIGKILL");
		const before = at.executions();
		const { code, stderr } = await at.spar(["resume"], { env: { TZ: "Asia/Tokyo" } });
		expect(code, stderr).toBe(0);
		const turn = before > 1 ? 0 : 1;
		expect(at.executions(), `${before} before the kill`).toBeGreaterThanOrEqual(2 + turn);
	},
	120_000,
);
