import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PLANTED_FAULTS } from "../scripts/planted-faults.ts";

test("each fault that is to be planted has its place in the tree, exactly once", () => {
	const lost = PLANTED_FAULTS.filter(([file, text]) => {
		const path = join(import.meta.dirname, "../src", file);
		return !existsSync(path) || readFileSync(path, "utf8").split(text).length !== 2;
	});
	expect(lost).toEqual([]);
	expect(PLANTED_FAULTS.length).toBeGreaterThan(150);
});
