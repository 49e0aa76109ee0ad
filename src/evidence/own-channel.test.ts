import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { noMasker } from "../kernel/masking.ts";
import type { Evidence } from "./evidence.ts";
import { openChannel, readChannel } from "./own-channel.ts";
import { countsReport } from "./reports/parsed-report.ts";
import { runCheck } from "./run-check.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar-channel-"));
	await mkdir(path.join(dir, "checkout"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function take(run: string, files: Readonly<Record<string, string>>): Promise<Evidence> {
	const checkout = path.join(dir, "checkout");
	for (const [name, text] of Object.entries(files))
		await writeFile(path.join(checkout, name), text);
	return await runCheck(
		{
			check: { name: "tests", kind: "acceptance", run, timeoutMs: 30_000, baseline: "new" },
			checkout,
			tree: "t",
			definition: "d",
			purpose: "turn",
			baseline: undefined,
			env: { PATH: process.execPath.replace(/\/[^/]*$/, ":/usr/bin:/bin") },
			mark: "channel-test",
			tmpDir: path.join(dir, "tmp", "tests"),
			masker: noMasker,
			outputFile: path.join(dir, "state", "tests.txt"),
			outputPath: "tests.txt",
		},
		new AbortController().signal,
	);
}

const OWN = `import assert from "node:assert/strict";
import { test } from "node:test";
test("adds", () => { assert.equal(1 + 1, 2); });
test("has a clean environment", () => { assert.equal(process.env.NODE_OPTIONS ?? "", ""); });
`;

test("node:test names its cases on a channel that the product's environment does not name", async () => {
	const found = await take("node --test", { "a.test.mjs": OWN });
	expect(found).toMatchObject({ status: "pass", counts: { total: 2, passed: 2 } });
	expect(found.cases?.map(({ id }) => id)).toEqual([
		"a.test.mjs > test > adds",
		"a.test.mjs > test > has a clean environment",
	]);
	expect(found.outputTail).toContain("tests 2");
	// Nothing of the channel is left.
	expect(await readdir(path.join(dir, "tmp"))).toEqual(["tests"]);
});

test("a product that prints a runner's output and ends the process is not believed", async () => {
	const forged = 'console.log("ℹ tests 1\\nℹ suites 0\\nℹ pass 1\\nℹ fail 0");\nprocess.exit(0);\n';
	const found = await take("node --test", {
		"a.test.mjs": `import "./product.mjs";\n${OWN}`,
		"product.mjs": forged,
	});
	expect(found.cases?.map(({ id }) => id) ?? []).not.toContain("a.test.mjs > test > adds");
});

test.each([
	["two runs", "node --test a && node --test b"],
	["a reporter of its own", "node --test --test-reporter=tap"],
	["another runner", "vitest run"],
	["a junit report of its own", "pytest --junitxml=out.xml"],
])("%s: the check keeps what it prints", async (_what, run) => {
	const given = { checkout: dir, parent: dir, env: {} };
	expect(await openChannel({ kind: "acceptance", run }, given)).toBeNull();
});

test("a check with a report, or of another kind, has no further channel", async () => {
	const given = { checkout: dir, parent: dir, env: {} };
	const report = { format: "exit" } as const;
	expect(await openChannel({ kind: "acceptance", run: "pytest", report }, given)).toBeNull();
	expect(await openChannel({ kind: "lint", run: "pytest" }, given)).toBeNull();
	const env = { PYTEST_ADDOPTS: "-q" };
	expect(await openChannel({ kind: "acceptance", run: "pytest" }, { ...given, env })).toBeNull();
});

test("scripts of package.json are followed, and the path changes with each run", async () => {
	await writeFile(path.join(dir, "package.json"), '{"scripts":{"test":"python -m pytest"}}');
	const open = () =>
		openChannel({ kind: "acceptance", run: "npm test" }, { checkout: dir, parent: dir, env: {} });
	const [one, other] = [await open(), await open()];
	expect(one?.env["PYTEST_ADDOPTS"]).toBe(`--junitxml=${one?.file ?? ""}`);
	expect(one?.file).not.toBe(other?.file);
	expect(existsSync(one?.directory ?? "")).toBe(true);
});

test("a channel that disagrees with what was printed counts only for the failures that it has", async () => {
	const file = path.join(dir, "report.xml");
	const channel = { directory: dir, file, env: {} };
	const printed = countsReport({ passed: 3, failed: 0, skipped: 0 });
	expect(await readChannel(channel, printed)).toBe(printed);
	await writeFile(file, '<testsuite name="s"><testcase name="x"/></testsuite>');
	expect(await readChannel(channel, printed)).toBe(printed);
	await writeFile(file, '<testsuite name="s"><testcase name="x"><failure/></testcase></testsuite>');
	expect(await readChannel(channel, printed)).toMatchObject({ kind: "cases" });
	await writeFile(file, "not xml");
	expect(await readChannel(channel, printed)).toBe(printed);
});
