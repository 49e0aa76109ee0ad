import { expect, test } from "vitest";
import { overlapText } from "./player-prompt.ts";

test("a player is told whose work touches which files, and what it is for", () => {
	const text = overlapText([
		{ task: "cache", files: ["a.js"], description: "Cache the answers." },
		{ task: null, files: ["b.js", "c.js"], description: null },
	]);
	expect(text).toBe(
		`Task cache, which is worked on at the same time, conflicts with yours in:
- a.js
Its task: Cache the answers.

What has been merged since this task began conflicts with yours in:
- b.js
- c.js`,
	);
});

test("many files are counted", () => {
	const files = Array.from({ length: 23 }, (_, nth) => `f${nth}`);
	expect(overlapText([{ task: null, files, description: null }])).toMatch(/- f19\n- and 3 more$/);
	expect(overlapText([])).toBe("");
});
