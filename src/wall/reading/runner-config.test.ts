import { expect, test } from "vitest";
import { amount } from "../../../test/support/amount.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { fewerDeclarations } from "../integrity/declarations.ts";
import { testTallies, weakenings } from "../integrity/test-markers.ts";
import { languageOf } from "../language/languages.ts";
import { isTestByName } from "./test-places.ts";

test("hostile names and contents are read in linear time", () => {
	expect(isTestByName(`jest${"-a".repeat(2_000)}!`)).toBe(false);
	expect(isTestByName(`jest${"-".repeat(4_000)}!`)).toBe(false);
	expect(isTestFile(`${"test/".repeat(2_000)}x`)).toBe(false);
	const spaces = `${"skip: ".repeat(50_000)}${" ".repeat(100_000)}x`;
	expect(weakenings(testTallies("", spaces, "a.js"))).toHaveLength(1);
	for (const piece of ["/*", "`", "(/", '"', "\n", "'\\", "{", "import ", "test {\n", "<Target "]) {
		const hostile = piece.repeat(amount(20_000, 2_000));
		for (const file of ["a.js", "a.py", "a.rb"]) {
			expect(weakenings(testTallies("", hostile, file))).toEqual([]);
			expect(fewerDeclarations("", hostile, file)).toEqual([]);
			expect(languageOf(file)?.targetsIn(file, hostile).length ?? 0).toBeLessThan(60_000);
		}
	}
});
