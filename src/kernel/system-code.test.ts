import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { systemCode } from "./system-code.ts";

test("the code of a system error is found, and an error without one says so", () => {
	let thrown: unknown;
	try {
		readFileSync("/nowhere/at/all");
	} catch (error) {
		thrown = error;
	}
	expect(systemCode(thrown)).toBe("ENOENT");
	expect(systemCode(new Error("no code"))).toBe("unknown error");
	expect(systemCode("ENOENT")).toBe("unknown error");
});
