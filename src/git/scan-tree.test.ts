import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { scanTree } from "./scan-tree.ts";

let root = "";

beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "spar-scan-"));
});

afterEach(() => rmSync(root, { recursive: true }));

function fill(): void {
	for (const folder of [".git", "a/.git", "a/b", "empty"]) {
		mkdirSync(join(root, folder), { recursive: true });
	}
	writeFileSync(join(root, ".git/config"), "mine");
	writeFileSync(join(root, "a/.git/config"), "nested");
	writeFileSync(join(root, "a/b/.gitignore"), "x".repeat(5_000));
	writeFileSync(join(root, "a line\nend"), "");
	writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]), "no text");
	symlinkSync("a", join(root, "link to a folder"));
	symlinkSync("nowhere", join(root, "a/broken"));
	spawnSync("mkfifo", [join(root, "a/pipe")]);
}

test("the scan sees what find sees, and the sizes of files", () => {
	fill();
	const kinds = { f: "file", d: "directory", l: "link", p: "special" } as const;
	const { stdout } = spawnSync(
		"find",
		[".", "-path", "./.git", "-prune", "-o", "-mindepth", "1", "-printf", "%y %s %P\\0"],
		{ cwd: root },
	);
	const expected = stdout
		.toString("latin1")
		.split("\0")
		.filter((line) => line !== "")
		.map((line) => {
			const [, type = "", size, path = ""] = /^(\w) (\d+) (.*)$/s.exec(line) ?? [];
			const kind = kinds[type as keyof typeof kinds]; // These four were made.
			return `${kind} ${kind === "file" ? size : 0} ${path}`;
		});
	const seen = scanTree(root, 3_000)?.map(
		({ kind, size, path }) => `${kind} ${size} ${path.toString("latin1")}`,
	);
	expect(expected).toHaveLength(11);
	expect(seen?.sort()).toEqual(expected.sort());
});

test("only files that are asked for are measured", () => {
	fill();
	const rules = (path: Buffer): boolean => path.toString().endsWith(".gitignore");
	const sizes = scanTree(root, 3_000, rules)?.map(({ size }) => size) ?? [];
	expect(sizes.filter((size) => size > 0)).toEqual([5_000]);
	expect(sizes).toHaveLength(11);
});

test.each([
	["more entries than it may", () => scanTree(root, 3_000, undefined, 10)],
	["a path that is too long", () => scanTree(root, "a/b/.gitignore".length - 1)],
	["a folder that is gone", () => scanTree(join(root, "none"), 3_000)],
])("it leaves to find: %s", (_what, scan) => {
	fill();
	expect(scan()).toBeNull();
});

test("at its limits it still looks", () => {
	fill();
	expect(scanTree(root, "a/b/.gitignore".length + 10, undefined, 11)).toHaveLength(11);
});
