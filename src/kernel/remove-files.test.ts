import {
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeFiles } from "./remove-files.ts";

let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-remove-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function treeOf(files: number): string {
	const path = join(home, "tree");
	for (const folder of ["a", "b/c"]) {
		mkdirSync(join(path, folder), { recursive: true });
		for (let nth = 0; nth < files; nth += 1) writeFileSync(join(path, folder, `${nth}`), "x");
	}
	return path;
}

test.each([0, 1, 149, 400])(
	"a tree with twice %i files is gone, what its links lead to is not",
	async (files) => {
		const path = treeOf(files);
		const outside = join(home, "outside");
		mkdirSync(outside);
		writeFileSync(join(outside, "kept"), "kept");
		symlinkSync(outside, join(path, "link"));
		await removeFiles(files % 2 === 0 ? path : Buffer.from(path));
		expect(existsSync(path)).toBe(false);
		expect(readFileSync(join(outside, "kept"), "utf8")).toBe("kept");
	},
);

test("a file goes, a missing one is fine", async () => {
	const path = join(home, "file");
	writeFileSync(path, "x");
	await removeFiles(path);
	await removeFiles(path);
	await removeFiles(join(path, "below"));
	expect(existsSync(path)).toBe(false);
});
