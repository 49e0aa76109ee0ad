import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { scanTree } from "./scan-tree.ts";
import { sizeOf } from "./unfit.ts";

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

test("the scan sees what find sees, and the sizes of files", async () => {
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
	const seen = await scanTree({ cwd: root }, (path, kind) => {
		const size = kind === "file" ? sizeOf(root, path) : 0;
		return `${kind} ${size} ${path.toString("latin1")}`;
	});
	expect(expected).toHaveLength(11);
	expect(seen.sort()).toEqual(expected.sort());
});

thorough(
	"other work has its turn while a large tree is searched, and the signal ends the search",
	async () => {
		for (let nth = 0; nth < 3_000; nth += 1) writeFileSync(join(root, `${nth}`), "");
		mkdirSync(join(root, "more"));
		const stop = new AbortController();
		setImmediate(() => stop.abort(new Error("stopped")));
		const searching = scanTree({ cwd: root, signal: stop.signal }, () => undefined);
		await expect(searching).rejects.toThrow("stopped");
	},
);

test("a checkout that is gone is a fault", async () => {
	const searching = scanTree({ cwd: join(root, "none") }, () => undefined);
	await expect(searching).rejects.toMatchObject({ code: "git-failed" });
});
