import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { changedTexts, sideOf } from "./changed-texts.ts";
import { commitAll, git, scene, writeFiles } from "./scratch.fixture.ts";

const BEFORE = {
	"edited.txt": "one\ntwo\nthree\n",
	"no end.txt": "a\nb",
	"gone.txt": "x\n",
	"image.bin": Buffer.from([0, 1, 2, 255]),
	"latin.txt": Buffer.from([0xe9, 10]),
};
const AFTER = {
	"edited.txt": "one\n2\n2b\nthree\nfour\n",
	"no end.txt": "a\nb\n-- c",
	"image.bin": Buffer.from([0, 1, 3]),
	"latin.txt": Buffer.from([0xe9, 0xe9, 10]),
	"über/neu.txt": "@@ -1 +1 @@\n+++ b/x\n",
	"empty.txt": "",
};

test("every changed file is named, and text files have both sides whole", async () => {
	const { user, vault, base } = await scene(BEFORE);
	git(user, "rm", "-q", "gone.txt");
	writeFiles(user, AFTER);
	const to = commitAll(user);
	const files = await changedTexts(vault, base, to, 1_000_000);
	const by = new Map(files.map((file) => [file.path, file]));
	const sides = (path: string) => {
		const parts = by.get(path)?.parts ?? null;
		return parts === null ? null : [sideOf(parts, "old"), sideOf(parts, "fresh")];
	};
	expect(sides("edited.txt")).toEqual([BEFORE["edited.txt"], AFTER["edited.txt"]]);
	expect(sides("no end.txt")).toEqual([BEFORE["no end.txt"], AFTER["no end.txt"]]);
	expect(sides("gone.txt")).toEqual(["x\n", ""]);
	expect(sides("über/neu.txt")).toEqual(["", AFTER["über/neu.txt"]]);
	expect(sides("empty.txt")).toEqual(["", ""]);
	expect(sides("image.bin")).toBeNull();
	expect(sides("latin.txt")).toBeNull();
	expect(by.get("gone.txt")).toMatchObject({ kind: "deleted", mode: "100644" });
	expect(by.get("empty.txt")).toMatchObject({ kind: "added" });
	expect(by.get("edited.txt")?.parts).toHaveLength(4);
});

thorough("what does not fit has no text", async () => {
	const { user, vault, base } = await scene({ "a.txt": "a\n" });
	writeFiles(user, { "a.txt": "b\n", "z.txt": "line\n".repeat(1_000) });
	const files = await changedTexts(vault, base, commitAll(user), 1_000);
	expect(files.map(({ path, parts }) => [path, parts !== null])).toEqual([
		["a.txt", true],
		["z.txt", false],
	]);
});
