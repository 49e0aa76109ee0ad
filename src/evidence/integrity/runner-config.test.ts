import { expect, test } from "vitest";
import { isRunnerConfig } from "./runner-config.ts";
import { isTestFile } from "./test-files.ts";
import { weakenings } from "./test-markers.ts";

test("names of variants are configuration too, names that only look alike are not", () => {
	for (const name of [
		"vitest.unit.config.ts",
		"eslint-strict.config.js",
		"karma.conf.js",
		"a/.eslintrc.cjs",
		"vitest.workspace.ts",
		".rspec",
	]) {
		expect([name, isRunnerConfig(name)]).toEqual([name, true]);
	}
	for (const name of [
		"src/config.ts",
		"my-jest.config.md.txt",
		"rspec",
		"src/vitest.ts",
		"tsconfig.json",
	]) {
		expect([name, isRunnerConfig(name)]).toEqual([name, false]);
	}
});

test("hostile names and contents are read in linear time; backtracking would run into the time limit", () => {
	expect(isRunnerConfig(`jest${"-a".repeat(2_000)}!`)).toBe(false);
	expect(isRunnerConfig(`jest${"-".repeat(4_000)}!`)).toBe(false);
	expect(isTestFile(`${"test/".repeat(2_000)}x`)).toBe(false);
	expect(weakenings("", `${"skip: ".repeat(50_000)}${" ".repeat(100_000)}x`, "a.js")).toHaveLength(
		1,
	);
});
