import { expect, test } from "vitest";
import { checkBehind, checkWords, replayOf } from "./replayed.ts";

test("a replay is named in words, and its check is known", () => {
	const check = replayOf("tests");
	expect(checkWords(check)).toBe("the base's tests on the work");
	expect(checkBehind({ check })).toBe("tests");
	expect([checkWords("tests"), checkBehind({ check: "tests" })]).toEqual(["tests", "tests"]);
});
