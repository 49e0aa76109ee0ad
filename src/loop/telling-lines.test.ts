import { expect, test } from "vitest";
import { tellingLines } from "./telling-lines.ts";

test("a check without a value is told by the lines that speak of an error, else by its last one", () => {
	const told = (outputTail: string): string[] => tellingLines({ status: "absent", outputTail });
	expect(told("collecting\n/usr/bin/python: No module named pytest\nbye\n")).toEqual([
		"/usr/bin/python: No module named pytest",
	]);
	expect(told("error: a\nERROR b\n  fatal: c\n\n")).toEqual(["ERROR b", "fatal: c"]);
	expect(told("first\nlast\n\n")).toEqual(["last"]);
	expect(told("$ npm ci || echo failed\nnpm error 404\n")).toEqual(["npm error 404"]);
	expect(told(" \n")).toEqual([]);
	expect(told(`error ${"x".repeat(300)}`)[0]).toHaveLength(203);
});

test("a check with a value speaks for itself", () => {
	expect(tellingLines({ status: "fail", outputTail: "error: a" })).toEqual([]);
	expect(tellingLines({ status: "pass", outputTail: "error: a" })).toEqual([]);
	expect(tellingLines({ status: "error", outputTail: "error: a" })).toEqual(["error: a"]);
});
