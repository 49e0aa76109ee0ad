import { join } from "node:path";
import { expect, test } from "vitest";
import { partGroups } from "../scripts/part-groups.ts";

const SOURCE = join(import.meta.dirname, "../src");

test("a part begins with its modules, and an earlier one comes first", () => {
	const [first, second] = partGroups(SOURCE, [
		["start", ["cli/main"]],
		["rest", ["index"]],
	]);
	expect(first?.test(join(SOURCE, "cli/main.ts"))).toBe(true);
	expect(first?.test(join(SOURCE, "index.ts"))).toBe(false);
	expect(first?.priority).toBeGreaterThan(second?.priority ?? Number.POSITIVE_INFINITY);
});

test("a part with a module that is not there is not built", () => {
	expect(() => partGroups(SOURCE, [["start", ["cli/main", "cli/gone"]]])).toThrow(
		`no such module: ${join(SOURCE, "cli/gone.ts")}`,
	);
});
