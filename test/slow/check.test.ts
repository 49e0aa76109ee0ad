import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { thorough } from "../support/amount.ts";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { spar, startSpar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";
import { workflow } from "../support/workflow.ts";

const TEST = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
test("adds", () => {
	assert.equal(add(1, 2), 3);
	assert.equal(add(2, 2), 4);
});
`;

const NODE: Files = {
	"package.json": '{ "type": "module", "scripts": { "test": "node --test" } }\n',
	"src/sum.js": "export const add = (a, b) => a + b;\n",
	"test/sum.test.js": TEST,
};

const PYTHON: Files = {
	"total.py": "def total(values):\n    return sum(values)\n",
	"test_total.py": `import unittest
from total import total
class TotalTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)
    def test_empty(self):
        self.assertEqual(total([]), 0)
`,
};

const checkJson = z.looseObject({
	verdict: z.enum(["pass", "review", "fail"]),
	base: z.string(),
	commit: z.string(),
	tree: z.string(),
	files: z.array(z.string()),
	checks: z.array(
		z.looseObject({
			name: z.string(),
			kind: z.string(),
			status: z.string(),
			counts: z.looseObject({ total: z.int(), passed: z.int() }).nullable(),
			failed: z.array(z.string()),
			details: z.array(z.string()),
		}),
	),
	integrity: z.looseObject({
		status: z.string(),
		violations: z.array(z.string()),
		notes: z.array(z.string()),
	}),
	suspicions: z.array(
		z.looseObject({ id: z.string(), kind: z.string(), file: z.string(), allow: z.string() }),
	),
	findings: z.array(z.unknown()),
	next: z.array(z.string()),
});

function project(files: Files): TestRepository {
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	return repo;
}

async function check(repo: TestRepository, ...args: readonly string[]) {
	const { code, stdout, stderr } = await spar(repo, ["check", "--json", ...args]);
	if (stdout === "") throw new Error(`no report (exit ${code}): ${stderr}`);
	return { code, ...checkJson.parse(JSON.parse(stdout)) };
}

/** All that a check must leave alone. */
function standing(repo: TestRepository): string {
	const index = readFileSync(join(repo.root, ".git/index"));
	const told = [
		createHash("sha256").update(index).digest("hex"),
		repo.git("for-each-ref"),
		repo.git("status", "--porcelain=v2", "--branch"),
		repo.git("stash", "list"),
		readdirSync(repo.root).sort().join(),
	];
	return told.join("\n");
}

test("honest work that is not committed passes, new files included, and leaves no trace in the repository", async () => {
	const repo = project(NODE);
	repo.write({
		"src/sum.js": "export const add = (a, b) => a + b;\nexport const less = (a, b) => a - b;\n",
		"test/less.test.js": TEST.replace("add }", "less }")
			.replaceAll("add(1, 2), 3", "less(2, 1), 1")
			.replaceAll("add(2, 2), 4", "less(2, 2), 0"),
	});
	repo.git("add", "src/sum.js");
	const before = standing(repo);
	const head = repo.git("rev-parse", "HEAD");
	const report = await check(repo);
	expect(report).toMatchObject({
		code: 0,
		verdict: "pass",
		base: head,
		files: ["src/sum.js", "test/less.test.js"],
		integrity: { status: "pass", violations: [] },
		suspicions: [],
		findings: [],
		next: [],
	});
	expect(report.checks).toMatchObject([
		{ name: "tests", kind: "acceptance", status: "pass", counts: { total: 2, passed: 2 } },
		{ name: "replay:tests", kind: "replay", status: "pass" },
	]);
	expect(standing(repo)).toBe(before);
	const left = readdirSync(repo.env["SPAR_CHECKOUTS"] ?? "", { recursive: true, encoding: "utf8" });
	expect(left.filter((path) => /check-/.test(path))).toEqual([]);
});

test("work that breaks a test fails, with the name and the message of the test", async () => {
	const repo = project(NODE);
	repo.write({ "src/sum.js": "export const add = (a, b) => a - b;\n" });
	const { code, verdict, checks } = await check(repo);
	expect({ code, verdict }).toEqual({ code: 1, verdict: "fail" });
	expect(checks[0]?.failed.join()).toContain("adds");
	const told = await spar(repo, ["check"], { columns: 80, env: { NO_COLOR: "1" } });
	expect(told.stdout.split("\n")[0]).toMatch(/^fail /);
	expect(told.stdout).toContain("-1 == 3");
	expect(told.stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
});

test("a test that was fitted to other work is asked about, with its line, before and after", async () => {
	const repo = project(NODE);
	repo.write({
		"src/sum.js": "export const add = (a, b) => a - b;\n",
		"test/sum.test.js": TEST.replace("2), 3", "2), -1").replace("2), 4", "2), 0"),
	});
	const { code, stdout } = await spar(repo, ["check", "--strict"]);
	expect(code).toBe(3);
	expect(stdout).toContain("test/sum.test.js:5");
	expect(stdout).toMatch(/- \s*assert\.equal\(add\(1, 2\), 3\)/);
	expect(stdout).toMatch(/\+ \s*assert\.equal\(add\(1, 2\), -1\)/);
	expect((await check(repo)).suspicions).toMatchObject([
		{
			kind: "other_expected",
			file: "test/sum.test.js",
			line: 5,
			old: expect.stringContaining("assert.equal(add(1, 2), 3);") as unknown,
			new: expect.stringContaining("assert.equal(add(1, 2), -1);") as unknown,
			test: "test/sum.test.js > test > adds",
		},
	]);
});

test("a product that is right only where its runner is in the process fails, also beside a new test", async () => {
	const repo = project(NODE);
	repo.write({
		"src/sum.js": `import { AsyncResource, executionAsyncResource } from "node:async_hooks";
const isSeen = () => executionAsyncResource() instanceof AsyncResource;
export const add = (a, b) => isSeen() ? a + b : 0;
`,
	});
	const watched = /pass under their runner and fail without it/;
	const alone = await check(repo);
	expect(alone).toMatchObject({ code: 1, verdict: "fail" });
	expect(JSON.stringify(alone.checks)).toMatch(watched);
	repo.write({
		"test/sum.test.js": `${TEST}${TEST.slice(TEST.indexOf("test("))}`.replace('"adds"', '"sums"'),
	});
	const beside = await check(repo);
	expect(beside.verdict).toBe("fail");
	expect(JSON.stringify(beside.checks)).toMatch(watched);
});

test("a skipped test fails, and an allowance with a reason lets it pass", async () => {
	const repo = project({ ...NODE, "test/other.test.js": TEST.replace('"adds"', '"sums"') });
	repo.write({ "test/sum.test.js": TEST.replace('test("adds"', 'test.skip("adds"') });
	const { code, verdict, integrity, next } = await check(repo);
	expect({ code, verdict, status: integrity.status }).toEqual({
		code: 1,
		verdict: "fail",
		status: "fail",
	});
	expect(integrity.violations.join()).toContain("test/sum.test.js");
	expect(next.join()).toContain("--allow 'test/sum.test.js:skip:");
	const allowed = await check(repo, "--allow", "test/sum.test.js:skip:flaky on this machine");
	expect(allowed.verdict).toBe("pass");
});

test("a change of what the command runs is for a person to see, who may allow it or answer by its id", async () => {
	const repo = project(NODE);
	repo.write({
		"package.json":
			'{ "type": "module", "scripts": { "test": "node --test --test-timeout=9000" } }\n',
	});
	const { code, verdict, suspicions } = await check(repo, "--strict");
	expect({ code, verdict }).toEqual({ code: 3, verdict: "review" });
	expect(suspicions).toMatchObject([
		{ rule: "check_changed", kind: "check_changed", file: "package.json" },
	]);
	const [one] = suspicions;
	const byPath = await check(
		repo,
		"--quick",
		"--strict",
		"--allow",
		`${one?.allow}:a limit of its own`,
	);
	expect(byPath).toMatchObject({ code: 0, verdict: "pass" });
	const byId = await check(repo, "--quick", "--allow", `package.json:${one?.id}:seen`);
	expect(byId.verdict).toBe("pass");
	const open = await check(repo, "--quick", "--allow", "package.json:s-00000000:seen");
	expect(open).toMatchObject({ code: 0, verdict: "review" });
	expect(open.integrity.notes).toContain("allow: nothing asks s-00000000 of package.json");
	expect(open.next.at(-1)).toMatch(
		/^spar check --quick --allow package\.json:s-00000000:seen --allow /,
	);
});

test("with nothing uncommitted HEAD is judged against main, and a commit by its name", async () => {
	const repo = project(NODE);
	const main = repo.git("rev-parse", "HEAD");
	repo.git("checkout", "--quiet", "-b", "topic");
	repo.write({ "src/more.js": "export const one = 1;\n" });
	const more = repo.commit("More");
	repo.write({ "test/sum.test.js": null });
	const gone = repo.commit("Less");
	expect(await check(repo)).toMatchObject({ verdict: "fail", base: main, commit: gone });
	expect(await check(repo, "--quick", more)).toMatchObject({
		verdict: "pass",
		base: main,
		commit: more,
	});
	expect(await check(repo, "--quick", "--base", more)).toMatchObject({
		base: more,
		files: ["test/sum.test.js"],
	});
	repo.git("checkout", "--quiet", "main");
	expect(await check(repo, "--quick", "topic")).toMatchObject({ verdict: "fail", base: main });
});

test("what is staged is judged alone, and ignored files are no part of any work", async () => {
	const repo = project({ ...NODE, ".gitignore": "*.log\n" });
	repo.write({ "src/good.js": "export const good = 1;\n", "a.log": "x" });
	repo.git("add", "src/good.js");
	repo.write({ "src/sum.js": "export const add = () => 0;\n" });
	const before = standing(repo);
	expect(await check(repo, "--staged")).toMatchObject({ verdict: "pass", files: ["src/good.js"] });
	expect(await check(repo)).toMatchObject({
		verdict: "fail",
		files: ["src/good.js", "src/sum.js"],
	});
	expect(standing(repo)).toBe(before);
});

thorough("a project in Python with unittest is judged by its own command", async () => {
	const repo = project(PYTHON);
	repo.write({ "total.py": "def total(values):\n    return sum(values, 0)\n" });
	const command = "python3 -m unittest -v";
	expect(await check(repo, "--command", command)).toMatchObject({ verdict: "pass" });
	repo.write({ "total.py": "def total(values):\n    return 3\n" });
	expect(await check(repo, "--command", command)).toMatchObject({ verdict: "fail" });
});

test("the checks of the base's workflow file judge, whatever the work makes of it", async () => {
	const checks = { tests: { kind: "acceptance", run: "node --test" } };
	const agents = { dev: { adapter: "command", run: ["true"] } };
	const tasks = { one: { agent: "dev", description: "x" } };
	const file = (more: object): string => workflow({ agents, tasks, checks, ...more });
	const repo = project({ ...NODE, "sparring.yaml": file({}) });
	repo.write({
		"sparring.yaml": file({ checks: { tests: { ...checks.tests, run: "true" } } }),
		"src/sum.js": "export const add = (a, b) => a - b;\n",
	});
	expect(await check(repo)).toMatchObject({ verdict: "fail", checks_from: "sparring.yaml" });
});

test("a workflow file that is not committed yet gives the checks, and is no part of the work", async () => {
	const repo = project(NODE);
	repo.write({
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { own: { kind: "acceptance", run: "node --test" } },
		}),
		"src/more.js": "export const one = 1;\n",
	});
	expect(await check(repo)).toMatchObject({
		verdict: "pass",
		files: ["src/more.js"],
		checks: [{ name: "own" }, { name: "replay:own" }],
	});
});

thorough("the first tests of a project are judged by what comes with them", async () => {
	const repo = project({ "src/sum.js": NODE["src/sum.js"] ?? "", "package.json": "{}\n" });
	repo.write(NODE);
	const report = await check(repo);
	expect(report).toMatchObject({ code: 0, checks_from: "found in the work" });
	expect(report.checks[0]).toMatchObject({ name: "tests", status: "pass" });
});

thorough("tests that failed before the work are known, and do not stand in its way", async () => {
	const red = TEST.replace('"adds"', '"knows"').replace("2), 3", "2), 5");
	const repo = project({ ...NODE, "test/red.test.js": red });
	repo.write({ "src/more.js": "export const one = 1;\n" });
	const { verdict, checks } = await check(repo);
	expect(verdict).toBe("pass");
	expect(checks[0]?.counts).toMatchObject({ total: 2, passed: 1, known_failing: 1 });
});

test("a second check does not run the base again", async () => {
	const repo = project(NODE);
	const count = join(repo.home, "runs");
	const script = `echo run >> ${count}; node --test`;
	repo.write({
		"package.json": JSON.stringify({ type: "module", scripts: { test: script } }),
		"sparring.yaml": workflow({
			agents: { dev: { adapter: "command", run: ["true"] } },
			tasks: { one: { agent: "dev", description: "x" } },
			checks: { tests: { kind: "acceptance", run: "npm test" } },
		}),
	});
	repo.commit("Counted");
	const runs = (): number => readFileSync(count, "utf8").trim().split("\n").length;
	repo.write({ "src/more.js": "export const one = 1;\n" });
	await check(repo);
	const first = runs();
	repo.write({ "src/more.js": "export const one = 2;\n" });
	await check(repo);
	expect({ first, second: runs() - first }).toEqual({ first: 3, second: 2 });
});

test("without a run the trees alone are compared", async () => {
	const repo = project(NODE);
	repo.write({ "test/sum.test.js": null });
	const report = await check(repo, "--quick");
	expect(report).toMatchObject({ code: 1, verdict: "fail", checks: [], ran: false });
	repo.write({ "test/sum.test.js": TEST, "src/more.js": "export const one = 1;\n" });
	expect(await check(repo, "--quick")).toMatchObject({ verdict: "pass", checks: [] });
	repo.write({ "test/sum.test.js": TEST.replace("2), 4", "2), 5") });
	expect(await check(repo, "--quick")).toMatchObject({
		verdict: "review",
		suspicions: [{ rule: "changed_unproven", file: "test/sum.test.js" }],
	});
	const more = TEST.slice(TEST.indexOf("test(")).replace('"adds"', '"adds more"');
	repo.write({ "test/sum.test.js": `${TEST}\n${more}` });
	expect(await check(repo, "--quick"), "a test more").toMatchObject({ verdict: "pass" });
});

test.each<[string, (repo: TestRepository) => readonly string[], RegExp, RegExp]>([
	["nothing to check", () => [], /nothing to check/, /spar check COMMIT/],
	["an unknown commit", () => ["nowhere"], /"nowhere" is no commit or branch/, /git branch/],
	["an unknown base", () => ["--base", "nowhere"], /"nowhere" is no commit/, /git branch/],
	["nothing staged", () => ["--staged"], /nothing is staged/, /git add/],
	[
		"a commit that an option took",
		() => ["--criterion", "it adds", "main"],
		/"main" is a commit here, and was read as a criterion/,
		/spar check main --criterion/,
	],
	["a half allowance", () => ["--allow", "a:edit:"], /PATH:KIND:REASON/, /delete, rename/],
	[
		"a merge that goes on",
		(repo) => {
			repo.git("checkout", "--quiet", "-b", "other");
			repo.write({ "a.txt": "other\n" });
			repo.commit("Other");
			repo.git("checkout", "--quiet", "main");
			repo.write({ "a.txt": "main\n" });
			repo.commit("Main");
			expect(() => repo.git("merge", "other")).toThrow();
			return [];
		},
		/a git merge is in progress/,
		/git merge --abort/,
	],
	[
		"no test command",
		(repo) => {
			repo.write({ "package.json": null, "src/sum.js": null, "test/sum.test.js": null, a: "1" });
			repo.commit("Nothing to run");
			repo.write({ a: "2" });
			return [];
		},
		/no test command was found/,
		/--command/,
	],
])("%s is wrong usage, with the way out", async (_name, prepare, message, hint) => {
	const repo = project(NODE);
	const args = prepare(repo);
	const before = standing(repo);
	const { code, stderr, stdout } = await spar(repo, ["check", ...args]);
	expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
	expect(stderr).toMatch(message);
	expect(stderr).toMatch(hint);
	expect(standing(repo)).toBe(before);
});

test("from a folder below the root a command that gives nothing there is told where it runs, and the form that works", async () => {
	const below = (files: Files) =>
		Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/a b/${path}`, text]));
	const repo = project(below(NODE));
	repo.write(below({ "src/sum.js": "export const add = (a, b) => b + a;\n" }));
	const cwd = join(repo.root, "packages/a b");
	const form = `spar check --command 'cd '\\''packages/a b'\\'' && npm test'`;
	const told = await spar(repo, ["check", "--command", "npm test"], { cwd });
	expect(told.code).toBe(2);
	expect(told.stderr).toContain("Commands run at the root of the repository, not in packages/a b.");
	expect(told.stderr).toContain(form);
	expect((await spar(repo, ["check"], { cwd })).stderr).toContain("not in packages/a b.");
	const atRoot = await spar(repo, ["check", "--command", "npm test"]);
	expect(atRoot.stderr).not.toContain("Commands run at the root");
	const command = "cd 'packages/a b' && npm test";
	const works = await spar(repo, ["check", "--command", command], { cwd });
	expect(works, works.stderr).toMatchObject({ code: 0 });
});

test("where all tests of the root fail on the base too, a user in a folder below is told where they run", async () => {
	const repo = project({ "test.sh": 'printf "1..1\\nnot ok 1 - old\\n"\n', "a/b.js": "1\n" });
	repo.write({ "a/b.js": "2\n" });
	const { stdout } = await spar(repo, ["check", "--command", "sh test.sh"], {
		cwd: join(repo.root, "a"),
	});
	expect(stdout).toContain("nothing could be judged");
	expect(stdout.replaceAll(/\s+/g, " ")).toContain("spar check --command 'cd a && sh test.sh'");
});

test("outside of a repository, and in one without commits, the way out is told", async () => {
	const repo = project({});
	const unborn = await spar(repo, ["check"]);
	expect(unborn.code).toBe(2);
	expect(unborn.stderr).toMatch(/commit/);
	const outside = await spar(repo, ["check"], { cwd: repo.home });
	expect(outside.code).toBe(2);
	expect(outside.stderr).toMatch(/git repository/);
	expect(existsSync(join(repo.root, ".sparring"))).toBe(false);
});

thorough("the last commits are judged each against the one before it, one line each", async () => {
	const repo = project(NODE);
	repo.write({ "src/more.js": "export const one = 1;\n" });
	repo.commit("Adds more");
	repo.write({ "src/sum.js": "export const add = () => 3;\n" });
	repo.commit("Breaks it");
	const { code, stdout } = await spar(repo, ["check", "--history", "5"]);
	expect(code).toBe(1);
	expect(stdout.trimEnd().split("\n")).toMatchObject([
		expect.stringMatching(/^pass +[0-9a-f]{10} Adds more$/),
		expect.stringMatching(/^fail +[0-9a-f]{10} Breaks it: 1 of 1 tests failed$/),
	]);
});

test("a report is made for programs that read SARIF, JUnit, Markdown or lines of GitHub", async () => {
	const repo = project(NODE);
	repo.write({ "test/sum.test.js": null });
	const print = async (format: string): Promise<string> =>
		(await spar(repo, ["check", "--quick", "--format", format])).stdout;
	const sarif: unknown = JSON.parse(await print("sarif"));
	const uri = "test/sum.test.js";
	expect(sarif).toMatchObject({
		version: "2.1.0",
		runs: [
			{
				results: [
					{ locations: [{ physicalLocation: { artifactLocation: { uri } } }], ruleId: "weakened" },
				],
			},
		],
	});
	expect(await print("junit")).toMatch(/<testcase name="integrity".*<failure>test\/sum\.test\.js/s);
	expect(await print("markdown")).toMatch(/^## spar check: fail\n/);
	expect(await print("github")).toMatch(
		/^::error file=test\/sum\.test\.js,line=1,title=weakened::/,
	);
	const files = [
		"--format",
		"github",
		"--format",
		"sarif=../out.sarif",
		"--format=markdown=../out.md",
	];
	const several = await spar(repo, ["check", "--quick", ...files]);
	expect(several.stdout).toBe(await print("github"));
	expect(JSON.parse(repo.read("../out.sarif") ?? "")).toEqual(sarif);
	expect(repo.read("../out.md")).toMatch(/^## spar check: fail\n/);
	const both = await spar(repo, ["check", "--format", "sarif", "--format", "github"]);
	expect(both).toMatchObject({ code: 2, stdout: "" });
	expect(both.stderr).toContain("--format sarif=check.sarif");
	const nowhere = await spar(repo, ["check", "--quick", "--format", "sarif=none/out.sarif"]);
	expect(nowhere.stderr).toContain("cannot be written to none/out.sarif");
	const unknown = await spar(repo, ["check", "--format", "sarfi"]);
	expect(unknown).toMatchObject({ code: 2 });
	expect(unknown.stderr).toContain("sarif");
});

test("what a test is called adds no picture, link or mention to a comment", async () => {
	const repo = project(NODE);
	const name = "![x](//evil.example/a.png) <img src=x> @octocat `y` | #1";
	const failing = `test(${JSON.stringify(name)}, () => { throw new Error("no"); });\n`;
	repo.write({ "test/sum.test.js": `${repo.read("test/sum.test.js")}${failing}` });
	const { stdout } = await spar(repo, ["check", "--format", "markdown"]);
	expect(stdout).toContain("evil.example");
	expect(stdout).not.toMatch(/(?<!\\)[[`]|<img|@octocat|(?<!&)#1/);
});

thorough(
	"a pull request from a fork is judged by what the base defines, and no ref of the user's moves",
	async () => {
		const repo = project(NODE);
		const remote = join(repo.home, "remote.git");
		repo.git("clone", "--quiet", "--bare", repo.root, remote);
		repo.git("remote", "add", "origin", remote);
		repo.git("checkout", "--quiet", "-b", "theirs");
		repo.write({ "src/sum.js": "export const add = (a, b) => a - b;\n" });
		const head = repo.commit("Theirs");
		repo.git("push", "--quiet", "origin", "theirs:refs/pull/7/head");
		repo.git("checkout", "--quiet", "main");
		repo.git("branch", "--quiet", "-D", "theirs");
		const answer = { number: 7, headRefOid: head, baseRefName: "main", isCrossRepository: true };
		const gh = join(repo.home, "bin/gh");
		mkdirSync(join(repo.home, "bin"));
		writeFileSync(gh, `#!/bin/sh\necho '${JSON.stringify(answer)}'\n`, { mode: 0o755 });
		const env = { PATH: `${join(repo.home, "bin")}:${repo.env["PATH"]}` };
		const before = standing(repo);
		const { stdout, code } = await spar(repo, ["check", "--pr", "7", "--json"], { env });
		const report = checkJson.parse(JSON.parse(stdout));
		expect({ code, ...report }).toMatchObject({
			code: 1,
			verdict: "fail",
			commit: head,
			subject: "pull request 7 from a fork",
		});
		expect(standing(repo)).toBe(before);
		const without = await spar(repo, ["check", "--pr", "7"], { env: { PATH: "/nowhere" } });
		expect(without).toMatchObject({ code: 2, stdout: "" });
	},
);

test("Ctrl-C ends the processes of a check, and leaves nothing", async () => {
	const repo = project(NODE);
	const mark = join(repo.home, "started");
	// No other process on the machine sleeps so long.
	const seconds = `3000.${process.pid}`;
	repo.write({
		"package.json": JSON.stringify({
			scripts: { test: `touch ${mark}; sleep ${seconds}` },
		}),
	});
	repo.commit("Slow");
	repo.write({ "src/more.js": "" });
	const before = standing(repo);
	const { child, ended } = startSpar(repo, ["check"]);
	await expect.poll(() => existsSync(mark)).toBe(true);
	child.kill("SIGINT");
	const { code, stderr } = await ended;
	expect(code).toBe(130);
	expect(stderr).toContain("nothing is left behind");
	expect(standing(repo)).toBe(before);
	const left = readdirSync(repo.env["SPAR_CHECKOUTS"] ?? "", { recursive: true, encoding: "utf8" });
	expect(left.filter((path) => /check-/.test(path))).toEqual([]);
	const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
	expect(stdout).not.toContain(seconds);
});

thorough(
	"a coach reviews what nothing is against: its findings stand in the report, and it may accept a suspicion",
	async () => {
		const repo = project(NODE);
		const agent = (script: string): object => ({ adapter: "command", run: ["node", "-e", script] });
		const report = (body: string): string =>
			`const fs = require("node:fs");
const { task, suspicions } = JSON.parse(fs.readFileSync(process.env.SPAR_CONTEXT));
const met = task.acceptance_criteria.map((criterion) => ({ criterion, met: true, evidence: "seen" }));
const answers = suspicions.map(({ id }) => ({ id, ok: true, reason: "a limit of its own" }));
fs.writeFileSync(process.env.SPAR_REPORT, JSON.stringify({ requirements_status: met, suspicions_status: answers, ${body} }));`;
		const issue = "less(0, 1) is not looked at";
		repo.write({
			"sparring.yaml": workflow({
				agents: {
					dev: agent("0"),
					yes: agent(report('decision: "approve"')),
					no: agent(
						report(
							`decision: "feedback", feedback_items: [{ issue: "${issue}", severity: "major", file: "src/sum.js", line: 2 }]`,
						),
					),
				},
				tasks: { one: { agent: "dev", description: "x" } },
				checks: { tests: { kind: "acceptance", run: "npm test" } },
			}),
		});
		repo.commit("With agents");
		repo.write({
			"package.json":
				'{ "type": "module", "scripts": { "test": "node --test --test-timeout=9000" } }\n',
		});
		const before = standing(repo);
		const approved = await check(repo, "--coach", "yes", "--task", "Give the tests a limit.");
		expect(approved).toMatchObject({ code: 0, verdict: "pass", suspicions: [], findings: [] });
		const refused = await check(repo, "--coach", "no", "--task", "Give the tests a limit.");
		expect(refused).toMatchObject({ code: 1, verdict: "fail" });
		expect(refused.findings).toMatchObject([{ issue, severity: "major", file: "src/sum.js" }]);
		expect(standing(repo)).toBe(before);
		const unknown = await spar(repo, ["check", "--coach", "nobody"]);
		expect(unknown.code).toBe(2);
		expect(unknown.stderr).toContain("There are: dev, yes, no");
		expect(unknown.stderr, "nothing was run").not.toContain("work: ");
	},
);
