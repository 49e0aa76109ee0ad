import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { openRepository } from "../../git/repository.ts";
import {
	commitAll,
	type Files,
	git,
	scratchDirectory,
	userRepository,
	writeFiles,
} from "../../git/scratch.fixture.ts";
import { standardHost } from "../../git/standard-host.ts";
import { openVault } from "../../git/vault.ts";
import { type ChangedLines, changedLines, parseChangedLines } from "./changed-lines.ts";

/** `path: lines (written)` of every file, or why the difference cannot be read. */
function brief(changed: ChangedLines): string[] | string {
	if (changed.kind === "invalid") return changed.reason;
	return [...changed.files.values()].map(
		({ path, lines, written }) => `${path}: ${lines.join(" ")} (${written})`,
	);
}

const parsed = (diff: string) => brief(parseChangedLines(Buffer.from(diff)));

describe("a difference of a real repository", () => {
	async function between(before: Files, after: Files, gone: readonly string[] = []) {
		const dir = userRepository(before);
		const from = git(dir, "rev-parse", "HEAD");
		writeFiles(dir, after);
		for (const path of gone) rmSync(join(dir, path));
		const to = commitAll(dir);
		const vault = await openVault(
			await openRepository(dir, standardHost),
			join(scratchDirectory(), "vault"),
		);
		return brief(await changedLines(vault, from, to));
	}

	test("gives the changed lines, counted after the change", async () => {
		const changed = await between(
			{ "a.js": "a\nb\nc\nd\n", "gone.js": "x\n", "short.js": "a\nb\n" },
			{ "a.js": "a\nB\n// note\n\nc\nd\nno end", "new/b.js": "1\n2\n", "short.js": "a\n" },
			["gone.js"],
		);
		expect(changed).toEqual(["a.js: 2 3 4 7 (2)", "new/b.js: 1 2 (2)", "short.js:  (0)"]);
	});

	test("reads names with spaces, tabs, quotes and other letters", async () => {
		const changed = await between(
			{ "a.txt": "a\n" },
			{ "odd name é.js": "a\n", 'tab\there "q" \\.js': "a\n", "+++ b": "a\n" },
		);
		expect(changed).toEqual(["+++ b: 1 (1)", "odd name é.js: 1 (1)", 'tab\there "q" \\.js: 1 (1)']);
	});

	test("is not misled by content that looks like a file header", async () => {
		const before = { "a.sql": "x\n-- a/x\n" };
		const after = { "a.sql": "x\n++ b/evil.js\n@@ -1 +1 @@\ndiff --git a/b b/b\n" };
		expect(await between(before, after)).toEqual(["a.sql: 2 3 4 (3)"]);
	});

	test("counts only the changed lines of a renamed file", async () => {
		const text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";
		const changed = await between({ "a.js": text }, { "lib/a.js": `${text}eight\n` }, ["a.js"]);
		expect(changed).toEqual(["lib/a.js: 8 (1)"]);
	});

	test("is read even if attributes declare a file binary", async () => {
		const files = { ".gitattributes": "*.js binary\n*.py -diff\n" };
		const changed = await between(
			{ ...files, "a.js": "a\n", "b.py": "a\n" },
			{ "a.js": "b\n", "b.py": "b\n" },
		);
		expect(changed).toEqual(["a.js: 1 (1)", "b.py: 1 (1)"]);
	});
});

describe("truncated output of git is invalid", () => {
	const head = "diff --git a/a.js b/a.js\n--- a/a.js\n+++ b/a.js\n";
	test.each([
		["cut in a hunk", `${head}@@ -1,2 +1,2 @@\n-a\n+b\n`, "a hunk of a.js is truncated"],
		["another line in a hunk", `${head}@@ -1 +1,2 @@\n-a\n+b\nx\n`, "a hunk of a.js is truncated"],
		["more old lines than said", `${head}@@ -0,0 +1 @@\n-a\n`, "a hunk of a.js is truncated"],
		["more new lines than said", `${head}@@ -1 +0,0 @@\n+a\n`, "a hunk of a.js is truncated"],
		[
			"cut in a deleted file",
			"+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n",
			"a hunk of a deleted file is truncated",
		],
		["a combined one", `${head}@@@ -1 -1 +1 @@@\n`, "not a valid hunk header: @@@ -1 -1 +1 @@@"],
	])("%s", (_, diff, reason) => {
		expect(parsed(diff)).toBe(reason);
	});
});

test("a recorded difference with context, octal escapes and no line end is read", () => {
	const diff = [
		'diff --git "a/\\303\\251\\a.js" "b/\\303\\251\\a.js"',
		"similarity index 50%",
		'--- "a/\\303\\251\\a.js"',
		'+++ "b/\\303\\251\\a.js"',
		"@@ -1,3 +1,4 @@ function x() {",
		" a",
		"-b",
		"+B",
		"+* doc",
		" c",
		"\\ No newline at end of file",
		"",
	].join("\n");
	expect(parsed(diff)).toEqual(["é\x07.js: 2 3 (1)"]);
	expect(brief(parseChangedLines(Buffer.from([...Buffer.from("+++ b/"), 0xff, 10])))).toEqual([
		"\\xff:  (0)",
	]);
	expect(parsed("")).toEqual([]);
});

test.each([
	["const a = 1;", true],
	["é", true],
	["	// note", false],
	["# note", false],
	["#!/bin/sh", true],
	["#x = 1;", true],
	["/** note */", false],
	[" * note", false],
	["*pointer = 1;", true],
	["-- note", false],
	["--i;", true],
	["<!-- note -->", false],
	["});", false],
	["", false],
])("%j is written: %s", (line, isWritten) => {
	const diff = `+++ b/a\n@@ -0,0 +1 @@\n+${line}\n`;
	expect(parsed(diff)).toEqual([`a: 1 (${isWritten ? 1 : 0})`]);
});

test("a million changed lines are read in seconds", () => {
	const count = amount(1_000_000, 20_000);
	const lines = "+const a = 1;\n".repeat(count);
	const changed = parseChangedLines(Buffer.from(`+++ b/a.js\n@@ -0,0 +1,${count} @@\n${lines}`));
	expect(changed.kind === "changes" && changed.files.get("a.js")?.written).toBe(count);
});

test("any bytes give lines or a reason", () => {
	const piece = fc.constantFrom(
		"+++ b/a\n",
		"@@ -1 +1,2 @@\n",
		"+a\n",
		"-b\n",
		" c\n",
		"\\ x\n",
		'+++ "',
	);
	fc.assert(
		fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => {
			expect(["changes", "invalid"]).toContain(parseChangedLines(Buffer.from(parts.join(""))).kind);
		}),
	);
});
