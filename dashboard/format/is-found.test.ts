import { expect, test } from "vitest";
import { isFound } from "./is-found.ts";

test("all words have to be there, in any text and case", () => {
	expect(isFound("LIM wait", ["limiter", "waiting for you"])).toBe(true);
	expect(isFound("lim failed", ["limiter", "waiting for you"])).toBe(false);
	expect(isFound("  ", ["limiter"])).toBe(true);
});
