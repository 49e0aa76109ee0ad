import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readReport, writeCallFiles } from "./call-files.ts";
import { parseCoachReport } from "./report.ts";

let root = "";
let path = "";

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "spar-call-"));
	path = join(root, "report.json");
});

afterEach(() => rm(root, { recursive: true }));

test("prompt and context are written for the owner alone, the report is not there yet", async () => {
	const paths = await writeCallFiles(join(root, "a", "b"), { prompt: "grün", context: { a: [1] } });
	expect(readFileSync(paths.promptPath, "utf8")).toBe("grün");
	expect(JSON.parse(readFileSync(paths.contextPath, "utf8"))).toEqual({ a: [1] });
	expect(statSync(paths.promptPath).mode & 0o777).toBe(0o600);
	expect(existsSync(paths.reportPath)).toBe(false);
});

test("what an interrupted call left is removed, and a planted link is not followed", async () => {
	const precious = join(root, "precious");
	await writeFile(precious, "mine");
	const dir = join(root, "call");
	const first = await writeCallFiles(dir, { prompt: "1", context: {} });
	await writeFile(first.reportPath, '{"decision":"approve"}');
	await rm(first.promptPath);
	symlinkSync(precious, first.promptPath);
	const second = await writeCallFiles(dir, { prompt: "2", context: {} });
	expect(readFileSync(precious, "utf8")).toBe("mine");
	expect(readFileSync(second.promptPath, "utf8")).toBe("2");
	expect(existsSync(second.reportPath)).toBe(false);
});

test("a place that cannot be written is a fault with a hint", async () => {
	await writeFile(join(root, "file"), "");
	await expect(
		writeCallFiles(join(root, "file"), { prompt: "", context: {} }),
	).rejects.toMatchObject({ name: "Fault", code: "state-unwritable" });
});

test("a report is read, bytes that are no UTF-8 replaced", async () => {
	await writeFile(path, Buffer.from([0x7b, 0xff, 0x7d]));
	expect(await readReport(path)).toEqual({ text: "{\ufffd}", problem: null });
});

test("a missing report is not a problem", async () => {
	expect(await readReport(path)).toEqual({ text: null, problem: null });
	expect(await readReport(join(root, "gone", "report.json"))).toEqual({
		text: null,
		problem: null,
	});
});

test("an empty file is an empty report", async () => {
	await writeFile(path, "");
	expect(await readReport(path)).toEqual({ text: "", problem: null });
});

test("a link, a directory or a pipe is not a report and is not waited for", async () => {
	await writeFile(join(root, "real"), "{}");
	symlinkSync(join(root, "real"), path);
	expect((await readReport(path)).problem).toMatch(/link/);
	await rm(path);
	await mkdir(path);
	expect((await readReport(path)).problem).toMatch(/not a regular file/);
	await rm(path, { recursive: true });
	execFileSync("mkfifo", [path]);
	expect((await readReport(path)).problem).toMatch(/not a regular file/);
});

test("a file that cannot be opened is not a report", async () => {
	expect(await readReport(join(root, "x".repeat(300)))).toEqual({
		text: null,
		problem: "SPAR_REPORT cannot be read (ENAMETOOLONG)",
	});
});

test("of a report over 4 MiB so much is read that its author is told", async () => {
	await writeFile(path, Buffer.alloc(5 * 1024 * 1024, "x"));
	const { text } = await readReport(path);
	expect(text).toHaveLength(4 * 1024 * 1024 + 1);
	expect(parseCoachReport(text)).toEqual({
		ok: false,
		reason: "the report is larger than 4 MiB",
	});
});
