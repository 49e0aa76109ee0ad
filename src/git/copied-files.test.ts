import {
	chmodSync,
	existsSync,
	lstatSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { openCheckout } from "./checkout.ts";
import { copiedFiles, keepCopies } from "./copied-files.ts";
import { git, scene, scratchDirectory, writeFiles } from "./scratch.fixture.ts";

const IGNORED = { ".env": "KEY=one\n", "data/a.txt": "a\n", "data/deep/run.sh": "echo\n" };

/** A checkout of a vault that copies the user's ignored files. */
async function copying() {
	const set = await scene({ ".gitignore": "/.env\ndata/\nbuilt/\n", "src/a.js": "1\n" });
	writeFiles(set.user, IGNORED);
	chmodSync(join(set.user, "data/deep/run.sh"), 0o755);
	const copied = await keepCopies(set.user, Object.keys(IGNORED), set.state);
	const checkout = openCheckout({ ...set.vault, copied }, set);
	await checkout.forceTo(set.base);
	const snapshot = () => checkout.snapshot({ parent: set.base, message: "turn", at: 0 });
	return {
		...set,
		copied,
		checkout,
		snapshot,
		read: (path: string) => readFileSync(join(set.dir, path), "utf8"),
	};
}

test("copied files are kept for nobody else to read, and do not follow what the user changes", async () => {
	const { state, user, copied, checkout, base, read, dir } = await copying();
	expect(statSync(join(state, "copied")).mode & 0o777).toBe(0o700);
	expect(statSync(join(state, "copied/0")).mode & 0o777).toBe(0o600);
	expect(copiedFiles(state)).toEqual(copied);
	writeFiles(user, { ".env": "KEY=two\n" });
	rmSync(dir, { recursive: true });
	await checkout.forceTo(base);
	expect(read(".env")).toBe("KEY=one\n");
	expect(lstatSync(join(dir, "data/deep/run.sh")).mode & 0o777).toBe(0o700);
	expect((await keepCopies(user, [".env"], scratchDirectory())).digest).not.toBe(copied.digest);
	expect(copiedFiles(scratchDirectory())).toBeNull();
});

thorough("what an agent did to copied files is put back before the next use", async () => {
	const { dir, base, checkout, read } = await copying();
	writeFiles(dir, { ".env": "KEY=two\n" });
	rmSync(join(dir, "data"), { recursive: true });
	writeFileSync(join(dir, "data"), "a file\n");
	await checkout.forceTo(base);
	expect([read(".env"), read("data/a.txt")]).toEqual(["KEY=one\n", "a\n"]);
	rmSync(join(dir, ".env"));
	symlinkSync("/etc/hostname", join(dir, ".env"));
	await checkout.putCopies();
	expect(lstatSync(join(dir, ".env")).isFile()).toBe(true);
	expect(await checkout.isUnchanged(base)).toBe(true);
});

test("nothing is written through a link that an agent put in place of a folder", async () => {
	const { dir, checkout } = await copying();
	const elsewhere = scratchDirectory();
	rmSync(join(dir, "data"), { recursive: true });
	symlinkSync(elsewhere, join(dir, "data"));
	await checkout.putCopies();
	expect(existsSync(join(elsewhere, "a.txt"))).toBe(false);
});

test("copied files are in no commit and no object, even when the ignore rules no longer name them", async () => {
	const { dir, user, snapshot, read } = await copying();
	writeFiles(dir, {
		".gitignore": "!.env\n!data/\n",
		"data/new.txt": "work\n",
		".env": "KEY=secret\n",
	});
	const { commit } = await snapshot();
	const files = git(user, "ls-tree", "-r", "--name-only", commit).split("\n");
	expect(files).toEqual([".gitignore", "data/new.txt", "src/a.js"]);
	const objects = git(user, "cat-file", "--batch-all-objects", "--batch");
	expect(objects).not.toMatch(/KEY=/);
	expect(read("data/a.txt")).toBe("a\n");
});

test("what a setup leaves is listed without the copied files and their folders", async () => {
	const { dir, base, checkout } = await copying();
	writeFiles(dir, { "built/x.js": "1\n" });
	expect(await checkout.untracked(base)).toEqual({ ignored: ["built/"], others: [] });
});
