import { expect, test } from "vitest";
import { ignoredFilesText, leftWorkLines } from "./left-work.ts";

test("left work is a line each, and damaged work is called lost", () => {
	const lines = leftWorkLines([
		{ kind: "branch", name: "fix", commit: "1f2e3d4c5b6a7988776655443322110099887766" },
		{ kind: "stash", name: "WIP on main", commit: null },
	]);
	expect(lines).toEqual([
		"branch fix: 1f2e3d4c5b",
		"stash WIP on main: lost: its objects are damaged or too large",
	]);
});

test("ignored files are one sentence of at most five names, and none say nothing", () => {
	expect(ignoredFilesText([])).toBeNull();
	expect(ignoredFilesText([".env"])).toMatch(/^1 new file is not committed, .* exclude it: \.env$/);
	const seven = ["a", "b", "c", "d", "e", "f", "g"];
	expect(ignoredFilesText(seven)).toMatch(
		/^7 new files are not committed, .* exclude them: a, b, c, d, e and 2 more$/,
	);
	expect(ignoredFilesText(seven.slice(0, 5))).toMatch(/: a, b, c, d, e$/);
});
