import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findProgram, startProblem } from "./find-program.ts";

let dir = "";

beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "spar-executable-"));
	for (const name of ["one", "two"]) mkdirSync(join(dir, name));
	writeFileSync(join(dir, "one", "tool"), "");
	writeFileSync(join(dir, "two", "tool"), "#!/bin/sh\n");
	chmodSync(join(dir, "two", "tool"), 0o755);
	symlinkSync("round", join(dir, "one", "round"));
});

afterEach(() => rmSync(dir, { recursive: true }));

const path = (...names: string[]): string => names.map((name) => join(dir, name)).join(":");

test("the first executable of the search path is found, past a file that is none", () => {
	expect(startProblem(["tool"], dir, path("one", "two"))).toBeNull();
	expect(findProgram("tool", path("none", "one", "two"), "/")).toBe(join(dir, "two", "tool"));
	expect(findProgram("tool", "", "/")).toBeUndefined();
});

test("a path with a slash is taken from the working directory", () => {
	expect(startProblem(["./tool"], join(dir, "two"), "")).toBeNull();
	expect(startProblem(["two/tool"], dir, "")).toBeNull();
	expect(startProblem(["two/none"], dir, "")).toBe("ENOENT");
});

test("what cannot be started is told by the system's code", () => {
	expect(startProblem(["tool"], dir, path("one"))).toBe("EACCES");
	expect(startProblem([join(dir, "one")], dir, "")).toBe("EACCES");
	expect(startProblem([join(dir, "one", "round")], dir, "")).toBe("EACCES");
	expect(startProblem(["none"], dir, path("one", "two"))).toBe("ENOENT");
	expect(startProblem(["tool"], join(dir, "none"), path("two"))).toBe("ENOTDIR");
	expect(startProblem(["tool", "x".repeat(131_072)], dir, path("two"))).toBe("E2BIG");
	expect(startProblem(["tool", "a\0b"], dir, path("two"))).toBe("ERR_INVALID_ARG_VALUE");
});
