import { expect, test } from "vitest";
import type { FileChange } from "../../git/file-change.ts";
import { massDeletion } from "./mass-deletion.ts";

const ZERO = "0".repeat(40);

function change(kind: "added" | "deleted", path: string, content: string): FileChange {
	const [oldOid, newOid] = kind === "added" ? [ZERO, content] : [content, ZERO];
	return { kind, path, oldMode: "100644", newMode: "100644", oldOid, newOid };
}

const deleted = (path: string) => change("deleted", path, `content of ${path}`);

function noteOf(changes: readonly FileChange[], files: number): Promise<readonly string[]> {
	return massDeletion({
		changes,
		countBase: async () => files,
		readBase: async () => null,
		readHead: async () => null,
		ignoredByBase: async () => [],
		embedded: [],
		trees: async () => [],
	});
}

test("a turn that deletes most files gives a note with their names", async () => {
	expect(await noteOf([deleted("a.js"), deleted("src/b.js")], 3)).toEqual([
		"most of the project was deleted: 2 of 3 files: a.js, src/b.js",
	]);
});

test("half of the files is not most of them", async () => {
	expect(await noteOf([deleted("a.js"), deleted("b.js")], 4)).toEqual([]);
	expect(await noteOf([], 0)).toEqual([]);
});

test("a file that moved is not deleted", async () => {
	const moved = change("added", "lib/a.js", "content of a.js");
	expect(await noteOf([deleted("a.js"), moved], 1)).toEqual([]);
});

test("twenty names are shown and the rest is counted", async () => {
	const changes = Array.from({ length: 23 }, (_, index) => deleted(`f${index}.js`));
	const [note = ""] = await noteOf(changes, 23);
	expect(note).toMatch(
		/^most of the project was deleted: 23 of 23 files: f0\.js, .*f19\.js and 3 more$/,
	);
});
