import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { clearReport, readReport } from "../formats/report-file.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { Fault } from "../kernel/fault.ts";
import { maskerFor, noMasker } from "../masking/masking.ts";
import { readProcTable } from "../process/process-table.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import { type CheckRequest, runCheck } from "./run-check.ts";

let dir = "";
let checkout = "";
let blobs = blobsInMemory();
beforeEach(async () => {
	blobs = blobsInMemory();
	dir = await mkdtemp(path.join(tmpdir(), "spar evidence-"));
	checkout = path.join(dir, "checkout");
	await mkdir(checkout);
});
afterEach(async () => rm(dir, { recursive: true, force: true }));

const junit = { format: "junit", path: "out/report.xml" } as const;
const suite = (inner: string) => `<testsuite name="s">${inner}</testsuite>`;

async function take(
	run: string,
	changed: Partial<CheckDefinition> = {},
	request: Partial<CheckRequest> = {},
): Promise<Evidence> {
	return runCheck(
		{
			check: {
				name: "tests",
				kind: "acceptance",
				run,
				timeoutMs: 20_000,
				baseline: "new",
				...changed,
			},
			checkout,
			tree: "tree",
			definition: "definition",
			purpose: "turn",
			baseline: undefined,
			env: { PATH: process.execPath.replace(/\/[^/]*$/, ":/usr/bin:/bin") },
			mark: `evidence-test-${process.pid}`,
			work: path.join(dir, "tmp"),
			confines: false,
			masker: noMasker,
			blobs,
			outputPath: "tests.txt",
			...request,
		},
		new AbortController().signal,
	);
}

describe("a check", () => {
	test("passes by the report that it wrote; ids do not contain the checkout's path", async () => {
		const xml = suite(`<testcase file="${checkout}/a.js" classname="k" name="x"/>`);
		await writeFile(path.join(checkout, "xml"), xml);
		const found = await take("mkdir out; cp xml out/report.xml; pwd; echo $CI $TMPDIR", {
			report: junit,
		});
		expect(found).toMatchObject({
			status: "pass",
			reason: null,
			exitCode: 0,
			started: true,
			cases: [{ id: "a.js > k > x", status: "passed" }],
			counts: { total: 1, passed: 1, failed: 0, skipped: 0, knownFailing: 0 },
		});
		expect(found.outputTail).toMatch(/true \/\S+\/spar-\d+\/\w{8}\/t\n/);
		expect(blobs.texts.get("tests.txt")).toBe(found.outputTail);
	});

	test.runIf(process.platform === "linux")(
		"ends with a server that it left in its temporary folder, also one that wrote over its environment",
		async () => {
			const server = "echo $$ > up; exec sleep 300";
			const found = await take(
				`cd "$TMPDIR"; (env -i setsid sh -c '${server}' </dev/null >/dev/null 2>&1 &)
				until [ -s up ]; do sleep 0.01; done; cat up`,
			);
			expect(found.outputTail).toMatch(/^\d+\n$/);
			const alive = readProcTable().entries.map(({ pid }) => pid);
			expect(alive).not.toContain(Number(found.outputTail));
		},
	);

	test("a planted report is deleted before the run", async () => {
		await mkdir(path.join(checkout, "out"));
		await writeFile(path.join(checkout, "out/report.xml"), suite('<testcase name="x"/>'));
		expect(await take("true", { report: junit })).toMatchObject({
			status: "absent",
			reason: "the check wrote no report at out/report.xml",
		});
	});

	test("a report older than the check's start is absent", async () => {
		const run =
			"mkdir out; echo '<testsuite/>' > out/report.xml; touch -t 202001010000 out/report.xml";
		const found = await take(run, { report: junit });
		expect(found).toMatchObject({ status: "absent" });
		expect(found.reason).toContain("older");
	});

	test("failing cases are named, masked and limited", async () => {
		const secret = "hunter2hunter2";
		const many = Array.from(
			{ length: 60 },
			(_, i) =>
				`<testcase name="c${i}"><failure message="${secret} ${"y".repeat(3_000)}"/></testcase>`,
		);
		await writeFile(path.join(checkout, "xml"), suite(many.join("")));
		const masker = maskerFor([{ value: secret, rule: "env" }]);
		const found = await take(
			`cat xml; echo ${secret}; exit 1`,
			{ report: { format: "junit" } },
			{ masker },
		);
		// The secret behind the end makes the XML invalid; what failed in it counts all the same.
		expect(found).toMatchObject({ status: "fail", details: { length: 51 } });
		const shown = await take("cat xml; exit 1", { report: { format: "junit" } }, { masker });
		expect(shown).toMatchObject({ status: "fail", reason: "60 of 60 tests failed" });
		expect(shown.details).toHaveLength(51);
		expect(shown.details.at(-1)).toBe("... and 10 more");
		expect(Math.max(...shown.details.map(({ length }) => length))).toBe(2_000);
		expect(JSON.stringify([found, shown])).not.toContain(secret);
		expect(blobs.texts.get("tests.txt")).not.toContain(secret);
	});

	test("without a report the output of a known runner decides", async () => {
		await writeFile(
			path.join(checkout, "a.test.mjs"),
			'import test from "node:test"; test("a", () => {});',
		);
		expect(await take("node --test")).toMatchObject({ status: "pass", counts: { passed: 1 } });
		expect(await take("echo all good")).toMatchObject({ status: "absent" });
		expect(await take("echo all good", { report: { format: "exit" } })).toMatchObject({
			status: "pass",
		});
	});

	thorough("more than 20,000 cases are counted, not kept", async () => {
		const lines = Array.from({ length: 20_001 }, (_, i) => `ok ${i + 1} - c${i}`);
		await writeFile(path.join(checkout, "tap"), `TAP version 14\n1..20001\n${lines.join("\n")}\n`);
		const found = await take("cat tap", { report: { format: "tap" } });
		expect(found).toMatchObject({ status: "pass", cases: null, counts: { total: 20_001 } });
	});

	test("a program that is missing, a timeout and a directory at the report's path are errors", async () => {
		expect(await take("no-such-program-here")).toMatchObject({ status: "error", started: true });
		const late = await take("sleep 30", { timeoutMs: 100 });
		expect(late).toMatchObject({ status: "error", reason: "timed out after 0.1s", started: true });
		await mkdir(path.join(checkout, "out/report.xml"), { recursive: true });
		expect(await take("true", { report: junit })).toMatchObject({ status: "error" });
	});

	test("output that cannot be written is a fault", async () => {
		const put = () => Promise.reject(new Fault("no space", { code: "disk-full", hint: "" }));
		const full = take("true", {}, { blobs: { ...blobs, put } });
		await expect(full).rejects.toMatchObject({ code: "disk-full" });
	});

	test("long output keeps its head and tail", async () => {
		const found = await take("head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo end", {
			kind: "lint",
		});
		expect(found.outputTail).toMatch(/end\n$/);
		const kept = blobs.texts.get("tests.txt") ?? "";
		expect(kept.length).toBeLessThan(2_100_000);
		expect(kept).toContain("left out");
	});
});

describe("the place of a report", () => {
	test("nothing outside of the checkout is deleted or read", async () => {
		const outside = path.join(dir, "outside");
		await mkdir(outside);
		await writeFile(path.join(outside, "r.xml"), "precious");
		await symlink(outside, path.join(checkout, "link"));
		for (const file of [
			"link/r.xml",
			"../outside/r.xml",
			path.join(outside, "r.xml"),
			".",
			"a\0b",
		]) {
			expect(await clearReport(checkout, file)).toContain("is outside of the checkout");
			expect((await readReport(checkout, file, 0)).kind).toBe("blocked");
		}
		await symlink(path.join(outside, "r.xml"), path.join(checkout, "r.xml"));
		expect(await readReport(checkout, "r.xml", 0)).toEqual({
			kind: "missing",
			reason: "the report r.xml is a symbolic link",
		});
		expect(await clearReport(checkout, "r.xml")).toBeUndefined();
		expect(existsSync(path.join(checkout, "r.xml"))).toBe(false);
		expect(await readFile(path.join(outside, "r.xml"), "utf8")).toBe("precious");
	});

	test("a missing directory, a directory in its place and an old file are told apart", async () => {
		expect(await clearReport(checkout, "no/r.xml")).toBeUndefined();
		expect((await readReport(checkout, "no/r.xml", 0)).kind).toBe("missing");
		await mkdir(path.join(checkout, "d"));
		expect(await readReport(checkout, "d", 0)).toEqual({
			kind: "missing",
			reason: "the report d is not a regular file",
		});
		await writeFile(path.join(checkout, "f"), "x");
		await utimes(path.join(checkout, "f"), 1_000, 1_000);
		expect((await readReport(checkout, "f", 1_000_000 + 51)).kind).toBe("missing");
		expect((await readReport(checkout, "f", 1_000_000 + 49)).kind).toBe("text");
		expect((await readReport(checkout, "f/r.xml", 0)).kind).not.toBe("text");
	});
});
