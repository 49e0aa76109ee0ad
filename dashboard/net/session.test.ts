import { expect, test } from "vitest";
import { codeOf } from "./session.ts";

test("the code is what stands behind `code=` in the fragment", () => {
	expect(codeOf("#code=abcDEF_-123")).toBe("abcDEF_-123");
});

test("an address without one has none", () => {
	expect(["", "#", "#/runs/r1", "#code="].map(codeOf)).toEqual([null, null, null, null]);
});
