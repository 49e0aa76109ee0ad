import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { countsReport } from "../formats/reports/parsed-report.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { noMasker } from "../masking/masking.ts";
import { openChannel, readChannel } from "./own-channel.ts";
import { runCheck } from "./run-check.ts";

let dir = "";
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "spar-channel-"));
	await mkdir(path.join(dir, "checkout"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function take(
	run: string,
	files: Readonly<Record<string, string>>,
	baseline?: Evidence,
): Promise<Evidence> {
	const checkout = path.join(dir, "checkout");
	for (const [name, text] of Object.entries(files)) {
		await mkdir(path.dirname(path.join(checkout, name)), { recursive: true });
		await writeFile(path.join(checkout, name), text);
	}
	return await runCheck(
		{
			check: { name: "tests", kind: "acceptance", run, timeoutMs: 30_000, baseline: "new" },
			checkout,
			tree: "t",
			definition: "d",
			purpose: "turn",
			baseline,
			env: { PATH: process.execPath.replace(/\/[^/]*$/, ":/usr/bin:/bin") },
			mark: "channel-test",
			work: path.join(dir, "tmp", "tests"),
			confines: false,
			masker: noMasker,
			blobs: blobsInMemory(),
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

/** The vitest of this repository, in a checkout. */
async function withVitest(): Promise<void> {
	const modules = path.join(dir, "checkout", "node_modules");
	await mkdir(modules);
	for (const name of ["vitest", "vite"])
		await symlink(path.resolve("node_modules", name), path.join(modules, name));
}
const VITEST = "node node_modules/vitest/vitest.mjs run";
const config = (options: string) =>
	`import { defineConfig } from "vitest/config";\nexport default defineConfig({ test: { ${options} } });\n`;

test.each(spread(["forks", "threads"], 0))(
	"vitest names its cases, and its workers (%s) see neither the variable nor the arguments",
	async (pool) => {
		await withVitest();
		const found = await take(VITEST, {
			"vitest.config.mjs": config(`pool: "${pool}"`),
			"a.test.mjs": `import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
describe("math", () => { test("adds", () => { expect(1 + 1).toBe(2); }); });
test.skip("later", () => {});
test("has a clean environment", () => {
	expect(process.env.NODE_OPTIONS ?? "").toBe("");
	expect([...process.argv, ...process.execArgv].join(" ")).not.toMatch(/report/);
	expect(Object.keys(createRequire(import.meta.url).cache).join(" ")).not.toMatch(/report/);
});
`,
		});
		expect(found).toMatchObject({ status: "pass", counts: { total: 3, passed: 2, skipped: 1 } });
		expect(found.cases?.map(({ id }) => id)).toEqual([
			"a.test.mjs > math > adds",
			"a.test.mjs > later",
			"a.test.mjs > has a clean environment",
		]);
		expect(await readdir(path.join(dir, "tmp"))).toEqual(["tests"]);
	},
);

const ADDS = `import "./product.mjs";
import { expect, test } from "vitest";
test("adds", () => { expect(1 + 1).toBe(2); });
`;
const PRINTS = 'console.log("\\n Test Files  1 passed (1)\\n      Tests  9 passed (9)");\n';

thorough(
	"a summary that the product prints for vitest does not take the place of the cases that ran",
	async () => {
		await withVitest();
		const before = await take(VITEST, { "product.mjs": "", "a.test.mjs": ADDS });
		expect(before).toMatchObject({ status: "pass", cases: [{ id: "a.test.mjs > adds" }] });
		const forged = { "product.mjs": PRINTS, "a.test.mjs": ADDS };
		expect(await take(VITEST, forged, before)).toMatchObject({
			counts: { total: 1 },
			cases: [{ id: "a.test.mjs > adds", status: "passed" }],
		});
	},
);

/** A program that takes jest's options, and prints its summary. */
const JEST = `import { writeFileSync } from "node:fs";
const [json, file] = process.argv.slice(2);
const name = process.cwd() + "/a.test.js";
const assertionResults = [{ ancestorTitles: ["math"], title: "adds", status: "passed" }];
if (json === "--json")
	writeFileSync(file.replace("--outputFile=", ""), JSON.stringify({ testResults: [{ name, assertionResults }] }));
`;
const SUMMARY =
	'console.log("Test Suites: 1 passed, 1 total\\nTests:       1 passed, 1 total" + (process.env.NODE_OPTIONS ?? ""));\n';
const jest = (text: string, baseline?: Evidence) =>
	take(
		"sh test.sh",
		{
			"package.json": '{"type":"module"}',
			"test.sh": "node bin/jest.js\n",
			"bin/jest.js": `${text}${SUMMARY}`,
		},
		baseline,
	);

test("jest is asked in the same way, behind a script too", async () => {
	expect(await jest(JEST)).toMatchObject({
		status: "pass",
		cases: [{ id: "a.test.js > math > adds" }],
	});
});

test("a runner that leaves no report, although it did at the baseline, has passed nothing", async () => {
	const before = await jest(JEST);
	expect(await jest("", before)).toMatchObject({ status: "error", cases: null });
	expect(await jest("", { ...before, cases: null })).toMatchObject({ status: "pass" });
});

test.each([
	["vitest run", "vitest.config.ts", config('reporters: ["dot"]')],
	["vitest run", "vite.config.js", config('outputFile: "out.json"')],
])("%s keeps the reporters of %s", async (run, name, text) => {
	await writeFile(path.join(dir, name), text);
	const given = { checkout: dir, parent: dir, env: {} };
	expect(await openChannel({ kind: "acceptance", run }, given)).toBeNull();
	await writeFile(path.join(dir, name), config("globals: true"));
	expect(await openChannel({ kind: "acceptance", run }, given)).not.toBeNull();
});

test.each([
	["two runs", "node --test a && node --test b"],
	["a reporter of its own", "node --test --test-reporter=tap"],
	["another runner", "mocha"],
	["vitest with a reporter of its own", "vitest run --reporter=verbose"],
	["vitest without tests", "vitest bench"],
	["jest with a report of its own", "jest --json"],
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
	expect(one?.env["PYTEST_ADDOPTS"]).toBe(
		`--continue-on-collection-errors --junitxml=${one?.file ?? ""}`,
	);
	expect(one?.file).not.toBe(other?.file);
	expect(existsSync(one?.directory ?? "")).toBe(true);
});

test("a channel that disagrees with what was printed counts only for the failures that it has", async () => {
	const file = path.join(dir, "report.xml");
	const channel = { directory: dir, file, format: "junit", env: {} } as const;
	const printed = countsReport({ passed: 3, failed: 0, skipped: 0 });
	const red = countsReport({ passed: 2, failed: 1, skipped: 0 });
	expect(await readChannel(channel, printed, false)).toBe(printed);
	expect(await readChannel(channel, printed, true)).toMatchObject({ kind: "invalid" });
	expect(await readChannel(channel, null, true)).toMatchObject({ kind: "invalid" });
	// What failed is told as it was printed.
	expect(await readChannel(channel, red, true)).toBe(red);
	await writeFile(file, '<testsuite name="s"><testcase name="x"/></testsuite>');
	expect(await readChannel(channel, printed, false)).toBe(printed);
	expect(await readChannel(channel, printed, true)).toMatchObject({ kind: "cases" });
	expect(await readChannel(channel, red, true)).toBe(red);
	await writeFile(file, '<testsuite name="s"><testcase name="x"><failure/></testcase></testsuite>');
	expect(await readChannel(channel, printed, false)).toMatchObject({ kind: "cases" });
	await writeFile(file, "not xml");
	expect(await readChannel(channel, printed, false)).toBe(printed);
});

test("a report of its own decides before a text that cannot be read or tells of fewer cases", async () => {
	const file = path.join(dir, "report.xml");
	const channel = { directory: dir, file, format: "junit", env: {} } as const;
	await writeFile(file, '<testsuite><testcase name="x"/><testcase name="y"/></testsuite>');
	const one = countsReport({ passed: 1, failed: 0, skipped: 0 });
	const unread = { kind: "invalid", reason: "its summary counts oddities" } as const;
	for (const printed of [one, unread, null])
		expect(await readChannel(channel, printed, false)).toMatchObject({ kind: "cases" });
	// What failed in the text still counts.
	const red = { ...unread, failed: ["x"] };
	expect(await readChannel(channel, red, false)).toBe(red);
});
