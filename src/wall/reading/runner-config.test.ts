import { expect, test } from "vitest";
import { amount, thorough } from "../../../test/support/amount.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { changedBuildFile } from "../integrity/config-changes.ts";
import { fewerDeclarations } from "../integrity/test-changes.ts";
import { testTallies, weakenings } from "../integrity/test-markers.ts";
import { importsOf } from "./import-targets.ts";
import { isRunnerConfig } from "./runner-config.ts";

test("variants of a name are configuration too, similar names are not", () => {
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

thorough("hostile names and contents are read in linear time", () => {
	expect(isRunnerConfig(`jest${"-a".repeat(2_000)}!`)).toBe(false);
	expect(isRunnerConfig(`jest${"-".repeat(4_000)}!`)).toBe(false);
	expect(isTestFile(`${"test/".repeat(2_000)}x`)).toBe(false);
	const spaces = `${"skip: ".repeat(50_000)}${" ".repeat(100_000)}x`;
	expect(weakenings(testTallies("", spaces, "a.js"))).toHaveLength(1);
	for (const piece of ["/*", "`", "(/", '"', "\n", "'\\", "{", "import ", "test {\n", "<Target "]) {
		const hostile = piece.repeat(amount(20_000, 2_000));
		for (const file of ["a.js", "a.py", "a.rb"]) {
			expect(weakenings(testTallies("", hostile, file))).toEqual([]);
			expect(fewerDeclarations("", hostile, file)).toEqual([]);
			expect(importsOf(file, hostile).length).toBeLessThan(60_000);
		}
		for (const file of ["build.gradle", "pom.xml", "a.csproj", "Cargo.toml"]) {
			expect(changedBuildFile(file, hostile, hostile)).toBeUndefined();
		}
	}
});
