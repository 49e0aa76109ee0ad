import { expect, test } from "vitest";
import { LogLines, shownLine } from "./log-lines.ts";

const all = (log: LogLines): string[] =>
	Array.from({ length: log.count }, (_, index) => log.at(index));

test("lines that arrive in pieces are whole lines", () => {
	const log = new LogLines();
	log.add("one\ntw");
	expect(all(log)).toEqual(["one", "tw"]);
	log.add("o\nthree\n");
	expect(all(log)).toEqual(["one", "two", "three"]);
	expect(log.longest()).toBe(5);
});

test("an empty line is a line, and a log without text has none", () => {
	const log = new LogLines();
	expect(all(log)).toEqual([]);
	log.add("\n\na\n");
	expect(all(log)).toEqual(["", "", "a"]);
});

test("a log keeps its last 100,000 lines and counts the others", () => {
	const log = new LogLines();
	for (let part = 0; part < 100; part += 1) log.add("line\n".repeat(1_001));
	expect([log.count, log.forgotten]).toEqual([100_000, 100]);
});

test("a log that is written anew begins again", () => {
	const log = new LogLines();
	log.add("one\ntw");
	log.clear();
	log.add("three\n");
	expect(all(log)).toEqual(["three"]);
});

test("what a terminal would not show as letters is left out", () => {
	expect(shownLine("\u001b[31mred\u001b[0m \u001b]0;title\u0007done")).toBe("red done");
	expect(shownLine("10 %\r55 %\r100 %\r")).toBe("100 %");
	expect(shownLine("a\tb")).toBe("a    b");
});

test("markup in a line stays text", () => {
	expect(shownLine("<img src=x onerror=alert(1)>")).toBe("<img src=x onerror=alert(1)>");
});

test("a line of megabytes is cut", () => {
	expect(shownLine("x".repeat(1_000_000))).toHaveLength(4_001);
});
