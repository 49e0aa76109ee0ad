import { expect, test } from "vitest";
import { sumKnown } from "./price.ts";

test("a sum is known when each part is, and of no parts it is not", () => {
	expect(sumKnown([1, 2, 0])).toBe(3);
	expect(sumKnown([1, null])).toBeNull();
	expect(sumKnown([])).toBeNull();
});
