import { expect, test } from "vitest";
import { conflictHunks } from "./refused-merge.ts";

const [x, y, z] = ["1", "2", "3"].map((digit) => digit.repeat(40));

test("each place between markers is given with its line", () => {
	const text = `a\n<<<<<<< ${x}\n1\n=======\n2\n>>>>>>> ${y}\nb\n<<<<<<< ${x}\n3\n=======\n>>>>>>> ${y}\n`;
	expect(conflictHunks("f", text)).toEqual([
		{ path: "f", line: 2, text: `<<<<<<< ${x}\n1\n=======\n2\n>>>>>>> ${y}` },
		{ path: "f", line: 8, text: `<<<<<<< ${x}\n3\n=======\n>>>>>>> ${y}` },
	]);
});

test("a long place is cut in its middle, and says by how much", () => {
	const sides = Array.from({ length: 100 }, (_, nth) => `line ${nth}`);
	const [hunk] = conflictHunks("f", [`<<<<<<< ${x}`, ...sides, `>>>>>>> ${y}`].join("\n"));
	expect(hunk?.text.split("\n")).toHaveLength(41);
	expect(hunk?.text).toContain("... 62 more lines");
	expect(hunk?.text).toMatch(/^<{7} 1{40}\n[\s\S]*>{7} 2{40}$/);
});

test("a marker without its end is no place", () => {
	expect(conflictHunks("f", `<<<<<<< ${x}\n1\n`)).toEqual([]);
	expect(conflictHunks("f", `>>>>>>> ${y}\n`)).toEqual([]);
});

test("of two opening markers the first one begins the place", () => {
	expect(conflictHunks("f", `<<<<<<< ${x}\n<<<<<<< ${y}\n1\n>>>>>>> ${z}\n`)).toEqual([
		{ path: "f", line: 1, text: `<<<<<<< ${x}\n<<<<<<< ${y}\n1\n>>>>>>> ${z}` },
	]);
});

test("markers that do not give commits are a text about conflicts, such as a manual of git", () => {
	expect(conflictHunks("f", "<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> topic\n")).toEqual([]);
	expect(
		conflictHunks("f", `<<<<<<< HEAD\n<<<<<<< ${x}\n>>>>>>> topic\n>>>>>>> ${y}\n`),
	).toMatchObject([{ line: 2, text: `<<<<<<< ${x}\n>>>>>>> topic\n>>>>>>> ${y}` }]);
});
