import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { diffRows, lineAt, noteBesides, noteOfFinding, placeNotes, ROOM } from "./diff-rows.ts";
import { parseDiff } from "./parse-diff.ts";

const diff = parseDiff(
	[
		"diff --git a/a.js b/a.js",
		"index 111..222 100644",
		"--- a/a.js",
		"+++ b/a.js",
		"@@ -1,3 +1,3 @@",
		" one",
		"-two",
		"+zwei",
		" three",
		"diff --git a/b.js b/b.js",
		"index 333..444 100644",
		"--- a/b.js",
		"+++ b/b.js",
		"@@ -9 +9 @@",
		"-nine",
		"+neun",
		"",
	].join("\n"),
);
const [a, b] = diff.files;
if (a === undefined || b === undefined) throw new Error("two files are above");

const finding = { id: "F1", severity: "major", state: "open", issue: "Not two.", line: 2 } as const;
const first = noteOfFinding({ ...finding, file: "a.js" }, null);
const far = noteOfFinding({ ...finding, id: "F2", file: "a.js", line: 90 }, 1);
const notes = [
	first,
	far,
	noteBesides("S1", "Weaker.", ["failed"], { file: "c.js", line: 1 }),
	noteBesides("S2", "Weaker.", ["failed"], { file: null, line: null }),
];
const placed = placeNotes(diff, notes);

test("git's headers are no rows, and a file's head has room for two", () => {
	const rows = diffRows(diff, {
		isOpen: () => true,
		placed: placeNotes(diff, []),
		heightOf: () => 1,
	});
	expect(rows).toEqual([0, ROOM, 4, 5, 6, 7, 8, 9, ROOM, 13, 14, 15]);
});

test("a note stands below its line, and one on a line that is not shown below the file's head", () => {
	expect(placed.at).toEqual(
		new Map([
			[7, [first]],
			[0, [far]],
			[ROOM, placed.elsewhere],
		]),
	);
	const rows = diffRows(diff, { isOpen: () => true, placed, heightOf: () => 2 });
	const drawn = rows.map((row) => (typeof row === "number" ? row : row.id));
	expect(drawn.slice(0, 11)).toEqual([0, ROOM, "F2", ROOM, 4, 5, 6, 7, "F1", ROOM, 8]);
});

test("notes on files that are not in the diff are told apart", () => {
	expect(placed.elsewhere.map(({ id }) => id)).toEqual(["S1", "S2"]);
});

test("a file that is folded is its head alone, without notes", () => {
	const rows = diffRows(diff, { isOpen: (file) => file !== a, placed, heightOf: () => 2 });
	expect(rows).toEqual([0, ROOM, 9, ROOM, 13, 14, 15]);
});

test("a line is found by its number on either side; what no hunk has is the file's head", () => {
	expect(lineAt(diff, a, 2)).toBe(7);
	expect(lineAt(diff, a, -2)).toBe(6);
	expect(lineAt(diff, b, 9)).toBe(15);
	expect(lineAt(diff, b, 8)).toBe(b.line);
	expect(lineAt(diff, b, null)).toBe(b.line);
});

thorough("100,000 lines are laid out at once", () => {
	const lines = Array.from({ length: 100_000 }, (_, index) => `+line ${index}`);
	const large = parseDiff(["diff --git a/x b/x", "@@ -0,0 +1,100000 @@", ...lines, ""].join("\n"));
	const rows = diffRows(large, {
		isOpen: () => true,
		placed: placeNotes(large, [noteOfFinding({ ...finding, file: "x", line: 99_999 }, null)]),
		heightOf: () => 3,
	});
	expect(rows).toHaveLength(100_006);
	expect(rows.at(-2)).toBe(ROOM);
});
