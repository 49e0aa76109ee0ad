import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("one thing is singular, none and several are plural", () => {
	expect([0, 1, 2].map((count) => counted(count, "turn"))).toEqual([
		"0 turns",
		"1 turn",
		"2 turns",
	]);
	expect(counted(1, "criterion", "criteria")).toBe("1 criterion");
	expect(counted(4, "criterion", "criteria")).toBe("4 criteria");
});
