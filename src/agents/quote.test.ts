import { expect, test } from "vitest";
import { quote } from "./quote.ts";

test("foreign text becomes one line without control characters", () => {
	expect(quote("a\n\u001b[31mb\t c\r\n")).toBe("a [31mb c");
	expect(quote(" \n")).toBe("");
});

test("of a long text the first 300 characters are quoted", () => {
	expect(quote(`begin ${"x".repeat(50_000_000)}`)).toMatch(/^begin x{294}$/);
});
