import { expect, test } from "vitest";
import { retryAfterIn } from "./failure-of.ts";

test.each([
	["Please try again in 1.5s.", 1_500],
	["Please try again in 11.054s. Visit", 11_054],
	["try again in 20ms", 20],
	["Try again in 2 minutes", 120_000],
	["Try again in 1m30s.", 90_000],
	["or try again in 3 days 1 hour 9 minutes.", 263_340_000],
	["Please retry in 41.5s.", 41_500],
	["Try again in 20s. Limit: 3 each 5 minutes", 20_000],
	['{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"17s"}', 17_000],
	['"retryDelay": "1.5s"', 1_500],
	['{"message":"{\\"retryDelay\\": \\"30s\\"}"}', 30_000],
	['{"retryDelay":"long"}', undefined],
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
