import { spawnSync } from "node:child_process";
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
import { thorough } from "../../test/support/amount.ts";
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

thorough("a tree that is deeper than files may be open at once is gone", () => {
	const path = join(home, "deep");
	mkdirSync(join(path, ...Array.from({ length: 150 }, () => "d")), { recursive: true });
	const module = new URL("./remove-files.ts", import.meta.url).href;
	const script = `await (await import("${module}")).removeFiles(process.argv[1])`;
	const command = `ulimit -n 120; exec "$0" --input-type=module -e '${script}' "$1"`;
	const { status, stderr } = spawnSync("sh", ["-c", command, process.execPath, path]);
	expect([status, stderr.toString(), existsSync(path)]).toEqual([0, "", false]);
});

test("a file goes, a missing one is fine", async () => {
	const path = join(home, "file");
	writeFileSync(path, "x");
	await removeFiles(path);
	await removeFiles(path);
	await removeFiles(join(path, "below"));
	expect(existsSync(path)).toBe(false);
});
