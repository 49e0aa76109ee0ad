import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Files, repository, type TestRepository } from "../support/repository.ts";
import { runSmall } from "../support/small-process.ts";
import { type SparOptions, type SparResult, spar } from "../support/spar.ts";
import { tidyLater } from "../support/tidy.ts";

const TEST = `import assert from "node:assert";
import test from "node:test";
import { add } from "../src/sum.js";
test("adds", () => assert.equal(add(1, 2), 3));
`;

const SUM = "export const add = (a, b) => a + b;\n";

const nodeFiles = (scripts: object): Files => ({
	"package.json": JSON.stringify({ type: "module", scripts }),
	"src/sum.js": SUM,
	"test/sum.test.js": TEST,
});

/** A project with work that is not committed. */
function project(files: Files): TestRepository {
	const repo = repository({ files });
	tidyLater(() => repo.remove());
	repo.write({ "src/sum.js": `${SUM}export const less = (a, b) => a - b;\n` });
	return repo;
}

/** The last command line that was printed, as its words. */
function printedStep({ stdout, stderr }: SparResult): string[] {
	const lines = `${stdout}\n${stderr}`.split("\n").map((line) => line.trim());
	const line = lines.findLast((each) => each.startsWith("spar "));
	if (line === undefined) throw new Error(`no step was printed: ${stdout}${stderr}`);
	const words = runSmall("sh", ["-c", `set -- ${line}; printf '%s\\0' "$@"`], {
		cwd: "/",
		env: {},
	});
	return words.stdout.split("\0").slice(1, -1);
}

/** Runs a check that has no result, and then the step that it prints. */
async function stepAfter(
	repo: TestRepository,
	args: readonly string[] = [],
	between: () => SparOptions | Promise<SparOptions> = () => ({}),
): Promise<{
	readonly told: string;
	readonly step: readonly string[];
	readonly after: SparResult;
}> {
	const first = await spar(repo, ["check", ...args]);
	expect(first.code, first.shown).toBe(2);
	const step = printedStep(first);
	const after = await spar(repo, step, await between());
	return { told: first.shown, step, after };
}

test("a test script that watches is not waited for where another one is for CI", async () => {
	const repo = project(nodeFiles({ test: "node --test --watch", "test:ci": "node --test" }));
	const { code, stdout } = await spar(repo, ["check"]);
	expect(stdout).toMatch(/^pass /);
	expect(code).toBe(0);
});

test("a test script that watches is named before it runs, with a command that ends", async () => {
	const repo = project(nodeFiles({ test: "node --test --watch" }));
	const { told, step, after } = await stepAfter(repo);
	expect(told).toContain("the test script watches for changes and never ends: node --test --watch");
	expect(step).toEqual(["check", "--command", "node --test"]);
	expect(after.stdout).toMatch(/^pass /);
});

test("a command that watches unseen is told by what it printed once its limit ends it, and the work is not run", async () => {
	const files = nodeFiles({ test: "node test/all.js" });
	const watching = "console.log('Waiting for file changes...'); setInterval(() => {}, 1000);\n";
	const repo = project({ ...files, "test/all.js": watching });
	const { told, after } = await stepAfter(repo, ["--timeout", "2s"], () => ({}));
	expect(told).toContain("It watches for changes and never ends");
	expect(told).not.toMatch(/^work/m);
	// CMD is for the user to fill in.
	expect(after.code).not.toBe(0);
	const { stdout } = await spar(repo, ["check", "--command", "node --test test/sum.test.js"]);
	expect(stdout).toMatch(/^pass /);
});

test("each step of a check is told by its own name as it begins, with the time of the base", async () => {
	const repo = project({
		...nodeFiles({ test: "node --test" }),
		"sparring.yaml": 'version: 1\nsetup: ["echo ready"]\nchecks: { tests: npm test }\ntasks: {}\n',
	});
	repo.write({ "test/sum.test.js": TEST.replace("add(1, 2), 3", "add(2, 2), 4") });
	const { stderr } = await spar(repo, ["check"]);
	const lines = stderr.split("\n").map((line) => line.replace(/took [\dms. ]+\)/, "took T)"));
	const steps = lines.filter((line) => /^(?:setup|base|work|the base|what)\b/.test(line));
	expect([...new Set(steps)]).toEqual([
		"setup: echo ready",
		"base: npm test",
		"work: npm test (base took T)",
		"the base's tests on the work (base took T)",
		"what the tests notice (base took T)",
	]);
});

test("a suite that prints words is judged by its exit code where the user says so, and the verdict says by what", async () => {
	const run =
		"#!/bin/sh\nnode -e 'import(\"./src/sum.js\").then(({ add }) => process.exit(add(1, 2) === 3 ? 0 : 1))' && echo all is well\n";
	const repo = project({
		Makefile: "test:\n\t./check.sh\n",
		"check.sh": run,
		"package.json": '{ "type": "module" }\n',
		"src/sum.js": SUM,
	});
	const { told, step, after } = await stepAfter(repo);
	expect(told).toContain("nothing in what `make test` prints tells which tests ran");
	expect(told).not.toContain("sparring.yaml");
	expect(step).toEqual(["check", "--exit-code"]);
	expect(after.stdout).toMatch(/^pass, by exit code alone /);
	repo.write({ "src/sum.js": SUM.replace("a + b", "a - b") });
	const red = await spar(repo, ["check", "--exit-code"]);
	expect(red.stdout).toMatch(/^fail, by exit code alone /);
	const { stdout } = await spar(repo, ["check", "--exit-code", "--json"]);
	expect(JSON.parse(stdout)).toMatchObject({ verdict: "fail", by_exit_code: true });
	const words = "judged by the exit code of their command alone";
	for (const format of ["junit", "sarif", "github"])
		expect((await spar(repo, ["check", "--exit-code", "--format", format])).stdout).toContain(
			words,
		);
	repo.write({ "src/sum.js": `${SUM}export const none = 0;\n` });
	repo.commit("A constant");
	const past = await spar(repo, ["check", "--exit-code", "--history", "1"]);
	expect(past.stdout, past.stderr).toContain("by exit code alone");
});

/** A project with `make test`, whose lines are given. */
const makeFiles = (...lines: readonly string[]): Files => ({
	Makefile: `test:\n${lines.map((line) => `\t@${line}\n`).join("")}`,
	"src/sum.js": SUM,
});

const TAP = "#!/bin/sh\necho TAP version 13; echo 1..1; echo ok 1 - adds\n";

test("a missing program is named, and the same check passes once it is there", async () => {
	const repo = project(makeFiles("no-such-runner"));
	const { told, step, after } = await stepAfter(repo, [], () => {
		writeFileSync(join(repo.home, "no-such-runner"), TAP, { mode: 0o755 });
		return { env: { PATH: `${repo.home}:${repo.env["PATH"]}` } };
	});
	expect(told).toContain("no-such-runner");
	expect(told).toContain("Install what is missing");
	expect(step).toEqual(["check"]);
	expect(after.stdout, after.shown).toMatch(/^pass /);
});

test("a registry that is out of reach is the cause, and the same check passes once it answers", async () => {
	const registry = createServer((_request, response) => void response.end("{}"));
	const listen = (port: number): Promise<number> =>
		new Promise((resolve) => {
			registry.listen(port, "127.0.0.1", () => resolve((registry.address() as AddressInfo).port));
		});
	const port = await listen(0);
	await new Promise((resolve) => registry.close(resolve));
	const repo = project({
		...nodeFiles({ test: "node --test" }),
		"install.js": `await fetch("http://127.0.0.1:${port}/");\n`,
		"sparring.yaml":
			"version: 1\nsetup: [node install.js]\nchecks: { tests: npm test }\nsandbox: off\ntasks: {}\n",
	});
	const { told, step, after } = await stepAfter(repo, ["--base", "HEAD"], async () => {
		await listen(port);
		return {};
	}).finally(() => registry.close());
	expect(told).toContain("ECONNREFUSED");
	expect(told).toContain("What it installs from cannot be reached");
	expect(step).toEqual(["check", "--base", "HEAD"]);
	expect(after.stdout, after.shown).toMatch(/^pass /);
});

test("a setup that fails is the cause, and each way that it names works", async () => {
	const repo = project({
		...nodeFiles({ test: "node --test" }),
		"sparring.yaml": "version: 1\nsetup: ['false']\nchecks: { tests: npm test }\ntasks: {}\n",
	});
	const { told, step, after } = await stepAfter(repo, [], () => ({}));
	expect(told).toContain("the setup failed");
	expect(told).toContain("(spar check --setup CMD)");
	expect(told).not.toContain("--command");
	expect(step).toEqual(["check", "--no-setup"]);
	expect(after.stdout, after.shown).toMatch(/^pass /);
	const made = await spar(repo, ["check", "--setup", "echo ready"]);
	expect(made.stdout, made.stderr).toMatch(/^pass /);
	expect(await spar(repo, ["check", "--setup", " "])).toMatchObject({ code: 2 });
});

test("a limit that is too short for the base is told with a longer one, which is enough", async () => {
	const repo = project({
		...nodeFiles({ test: "node --test" }),
		"sparring.yaml":
			'version: 1\nchecks:\n  tests: echo run >> "$HOME/runs"; npm test\nsandbox: off\ntasks: {}\n',
		"test/late.test.js":
			'import test from "node:test";\ntest("late", () => new Promise((done) => setTimeout(done, 2_000)));\n',
	});
	const runs = join(repo.home, "runs");
	const { told, step, after } = await stepAfter(repo, ["--timeout", "1s"], () => {
		expect(readFileSync(runs, "utf8"), "of the base and of the work").toBe("run\nrun\n");
		return {};
	});
	expect(told).toContain("timed out after 1.0s");
	expect(step).toEqual(["check", "--timeout", "1m"]);
	expect(after.stdout, after.shown).toMatch(/^pass /);
});

test("work that does not end is told with the time of the base, and with the way to a longer limit", async () => {
	const repo = project(makeFiles("cat tap", "! grep -q late src/sum.js || sleep 60"));
	repo.write({ tap: "TAP version 13\n1..1\nok 1 - adds\n" });
	repo.commit("Tests");
	repo.write({ "src/sum.js": `${SUM}// late\n` });
	const { code, stdout } = await spar(repo, ["check", "--timeout", "3s"]);
	expect(stdout).toMatch(/timed out after 3\.0s; the base took \d+\.\ds/);
	expect(code).toBe(1);
	expect(printedStep({ stdout, stderr: "" } as SparResult)).toEqual(["check", "--timeout", "1m"]);
});

test("tests that need an ignored folder are not counted once the printed option says so", async () => {
	const repo = project({
		...nodeFiles({ test: "node --test" }),
		".gitignore": "data/\n",
		"test/data.test.js":
			'import { readFileSync } from "node:fs";\nimport test from "node:test";\ntest("reads", () => void readFileSync("data/one.json"));\n',
	});
	repo.write({ "data/one.json": "{}\n" });
	const { told, step, after } = await stepAfter(repo);
	expect(told).toContain("they lack data/, which git ignores");
	expect(step).toEqual(["check", "--anyway"]);
	expect(after.stdout, after.shown).toMatch(/^pass, 1 test not counted /);
});
