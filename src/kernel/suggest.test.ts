import { expect, test } from "vitest";
import { nearest, suggestion } from "./suggest.ts";

test("a slip of the finger finds the word that was meant", () => {
	expect(nearest("agnet", ["adapter", "agent"])).toBe("agent");
	expect(nearest("agemt", ["agenda", "agent"])).toBe("agent");
	expect(nearest("LINT", ["lint"])).toBe("lint");
	expect(suggestion("agnet", ["agent"])).toBe('did you mean "agent"?');
});

test("without a near word the hint lists what there is, at most twelve", () => {
	expect(suggestion("zzz", ["agent", "task"])).toBe("expected one of: agent, task");
	const many = Array.from({ length: 13 }, (_, index) => `name-${index}`);
	expect(suggestion("zzz", many)).toMatch(/name-11, \.\.\.$/);
	expect(suggestion("zzz", [])).toBeUndefined();
});

test("one letter is no likeness, and very long words are not compared", () => {
	expect(nearest("d", ["c"])).toBeUndefined();
	expect(nearest("x".repeat(65), ["x".repeat(64)])).toBeUndefined();
});
