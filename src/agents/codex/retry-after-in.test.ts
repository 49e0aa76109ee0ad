import { expect, test } from "vitest";
import { retryAfterIn } from "./retry-after-in.ts";

test.each([
	["Please try again in 1.5s.", 1_500],
	["Please try again in 11.054s. Visit", 11_054],
	["try again in 20ms", 20],
	["Try again in 2 minutes", 120_000],
	["Try again in 1m30s.", 90_000],
	["or try again in 3 days 1 hour 9 minutes.", 263_340_000],
	["try again in a moment", undefined],
	["try again in 5 months", undefined],
	["try again at 3pm", undefined],
	["", undefined],
])("%j asks for %s ms", (text, ms) => {
	expect(retryAfterIn(text)).toBe(ms);
});

test("a flood of digits is read in linear time", () => {
	expect(retryAfterIn(`try again in ${"1".repeat(1_000_000)}`)).toBeUndefined();
});
