import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "../../test/support/any-character.ts";
import { Fault } from "../kernel/fault.ts";
import { indented, oneLine, visibleText } from "../kernel/visible-text.ts";
import { renderCounts } from "../words/evidence-text.ts";
import { fakeShell } from "./fakes.contract.ts";
import { nodeIsNewEnough } from "./node-version.ts";
import { paintFor } from "./terminal/paint.ts";
import { renderError } from "./terminal/render-error.ts";
import { descriptions, fewerColumns, table } from "./terminal/table.ts";

const plain = (_tone: string, text: string): string => text;

test("control characters and reordering marks are spelled out", () => {
	expect(visibleText("a\u001b[2Jb\u202ec\r\nd\te\rf")).toBe("a\\x1b[2Jb\\u202ec\nd\te\\x0df");
});

test("no text leaves an escape character in", () => {
	fc.assert(
		fc.property(fc.string({ unit: anyCharacter }), (text) => !/\p{Cc}/u.test(oneLine(text))),
	);
});

test("one line joins white space and is cut at its limit", () => {
	expect(oneLine(" a\n b  c ")).toBe("a b c");
	expect(oneLine("abcdefgh", 6)).toBe("abc...");
	expect(oneLine("abcdefgh", 2)).toBe("...");
});

test("an indented text has no trailing spaces", () => {
	expect(indented("a\n\nb\n", "  ")).toBe("  a\n\n  b");
});

test("a table aligns its columns, also with ragged rows", () => {
	expect(table([["task", "status"], ["a"], ["b", "done"]])).toBe("task  status\na\nb     done");
});

test("colour is for terminals, without NO_COLOR, and not for dumb ones", () => {
	const on = fakeShell({ terminal: true }).out;
	expect(paintFor(on, {})("bad", "x")).toBe("\u001b[31mx\u001b[39m");
	expect(paintFor(on, { NO_COLOR: "" })("bad", "x")).not.toBe("x");
	expect(paintFor(on, { NO_COLOR: "1" })("bad", "x")).toBe("x");
	expect(paintFor(on, { TERM: "dumb" })("bad", "x")).toBe("x");
	expect(paintFor(fakeShell().out, {})("bad", "x")).toBe("x");
});

test("counts are told as far as they are there", () => {
	expect(renderCounts({ total: 12, passed: 11, failed: 1, skipped: 0, known_failing: 2 })).toBe(
		"11 of 12 passed, 1 failed, 2 known failing",
	);
	expect(renderCounts({ total: 1 })).toBe("0 of 1 passed");
	expect(renderCounts({ passed: 1 })).toBe("");
	expect(renderCounts(null)).toBe("");
});

test("a fault is shown with its hint, a bug with its stack", () => {
	const fault = new Fault("run \u001br1 is held", { code: "run-held", hint: "Wait." });
	expect(renderError(fault, plain)).toBe("error: run \\x1br1 is held\nWait.\n");
	expect(renderError(new Fault("x", { code: "usage" }), plain)).toBe("error: x\n");
	const bug = renderError(new TypeError("x is no function"), plain);
	expect(bug).toContain("text.test.ts");
	expect(bug).toContain("this is a bug of Sparring");
	expect(renderError("text", plain)).toContain("thrown: 'text'");
});

test("of two errors the one is told that came first, not that of tidying up after it", () => {
	const first = new Fault("run r1 is held", { code: "run-held" });
	expect(renderError(new SuppressedError(new Error("EACCES"), first), plain)).toBe(
		"error: run r1 is held\n",
	);
});

test("Node 24.11 is the oldest", () => {
	const versions = ["20.20.2", "24.9.0", "24.11.0", "24.21.0", "25.0.0", "x"];
	expect(versions.map(nodeIsNewEnough)).toEqual([false, false, true, true, true, false]);
});

test("what an old Node loads has only modules that it knows", () => {
	const imported = (file: string): string[] => {
		const text = readFileSync(join(import.meta.dirname, file), "utf8");
		return [...text.matchAll(/^import .* from "(.*)";$/gm)].map(([, from = ""]) => from);
	};
	expect(imported("main.ts")).toEqual(["./node-version.ts"]);
	expect(imported("node-version.ts")).toEqual([]);
	const ours = imported("own-node.ts").filter((from) => !from.startsWith("node:"));
	expect(ours).toEqual(["./node-version.ts"]);
});

const ROWS = [
	["task", "status", "reason"],
	["limiter", "completed", ""],
	["docs", "waiting for you", "the coach and the player could not agree on the unit"],
];

test("a table that is too wide wraps its last column, then becomes a block for each row", () => {
	expect(table(ROWS, 52)).toBe(
		[
			"task     status           reason",
			"limiter  completed",
			"docs     waiting for you  the coach and the player",
			"                          could not agree on the",
			"                          unit",
		].join("\n"),
	);
	expect(table(ROWS, 30)).toBe(
		[
			"limiter",
			"  status  completed",
			"docs",
			"  status  waiting for you",
			"  reason  the coach and the",
			"          player could not",
			"          agree on the unit",
		].join("\n"),
	);
	expect(table(ROWS, 18)).toContain("  reason:\n    the coach and\n    the player");
});

test("a table does without columns until it has room, and keeps all of them where that does not help", () => {
	expect(fewerColumns(ROWS, ["status"], 80)).toEqual(ROWS);
	expect(fewerColumns(ROWS, ["status"], 30)[1]).toEqual(["limiter", ""]);
	expect(fewerColumns(ROWS, ["status"], 20)).toEqual(ROWS);
});

test("a term stands beside its text where there is room, else above it", () => {
	expect(descriptions([["  spar land", "bring the work into main"]], 40)).toBe(
		"  spar land  bring the work into main",
	);
	expect(descriptions([["  spar land", "bring the work into main"]], 30)).toBe(
		"  spar land\n      bring the work into main",
	);
});

test("a text stands below its term where less than a quarter of the line is left for it", () => {
	const term = `  spar diff ${"x".repeat(60)}`;
	expect(descriptions([[term, "what it changed"]], 99)).toBe(`${term}  what it changed`);
	expect(descriptions([[term, "what it changed"]], 98)).toBe(`${term}\n      what it changed`);
});

test("no row of a table is wider than it may be, whatever its cells, but for a long word", () => {
	const word = fc.string({ minLength: 1, maxLength: 9, unit: fc.constantFrom("a", "b", "-") });
	const cell = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
	const rows = fc.array(fc.tuple(cell, cell, cell, cell), { minLength: 1, maxLength: 5 });
	fc.assert(
		fc.property(rows, fc.integer({ min: 24, max: 120 }), (cells, columns) => {
			const heading = ["task", "status", "reason", "text"];
			const named = cells.map(([first, ...rest]) => [first.slice(0, 12), ...rest]);
			return table([heading, ...named], columns)
				.split("\n")
				.every((line) => line.length <= columns);
		}),
	);
});
