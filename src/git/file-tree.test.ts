import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { filesNamed, makeWritable, type Remover, removeTree } from "./file-tree.ts";

let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-tree-"));
});

afterEach(() => rm(dir, { recursive: true, force: true }));

function systemError(code: string): Error {
	return Object.assign(new Error(code), { code });
}

/** Fails so many times, then removes. */
function failing(code: string, times: number): Remover {
	let left = times;
	return async (path) => {
		left -= 1;
		if (left >= 0) throw systemError(code);
		await rm(path, { recursive: true });
	};
}

const modeOf = (...names: string[]): number => statSync(join(dir, ...names)).mode & 0o777;

describe("removing a tree", () => {
	test("removes read-only directories", async () => {
		const tree = join(dir, "tree");
		mkdirSync(join(tree, "sub"), { recursive: true });
		writeFileSync(join(tree, "sub", "file"), "");
		chmodSync(join(tree, "sub"), 0o500);
		chmodSync(tree, 0o000);
		await removeTree(tree);
		expect(existsSync(tree)).toBe(false);
	});

	test("accepts a missing path", async () => {
		await removeTree(join(dir, "gone"));
		await removeTree(join(dir, "gone", "deeper"));
	});

	test("removes a link, not its target", async () => {
		symlinkSync(dir, join(dir, "link"));
		await removeTree(join(dir, "link"));
		expect(existsSync(dir)).toBe(true);
	});

	test.each(["ENOTEMPTY", "EBUSY", "EACCES", "ENOENT"])("tries again after %s", async (code) => {
		await removeTree(dir, failing(code, 2));
		expect(existsSync(dir)).toBe(false);
	});

	thorough("gives up with a fault that names the directory", async () => {
		await expect(removeTree(dir, failing("ENOTEMPTY", 1_000))).rejects.toMatchObject({
			name: "Fault",
			code: "state-unwritable",
			retryable: true,
			message: `cannot remove ${dir} (ENOTEMPTY)`,
		});
		expect(existsSync(dir)).toBe(true);
	});
});

describe("making a tree writable", () => {
	test("gives the owner rights and keeps other bits", async () => {
		mkdirSync(join(dir, "sub"));
		writeFileSync(join(dir, "sub", "tool"), "");
		chmodSync(join(dir, "sub", "tool"), 0o155);
		chmodSync(join(dir, "sub"), 0o050);
		await makeWritable(dir);
		expect(modeOf("sub")).toBe(0o750);
		expect(modeOf("sub", "tool")).toBe(0o755);
	});

	test("works on a single file", async () => {
		writeFileSync(join(dir, "file"), "");
		chmodSync(join(dir, "file"), 0o040);
		await makeWritable(join(dir, "file"));
		expect(modeOf("file")).toBe(0o640);
	});

	test("does not follow links", async () => {
		writeFileSync(join(dir, "file"), "");
		chmodSync(join(dir, "file"), 0o400);
		mkdirSync(join(dir, "tree"));
		symlinkSync(join(dir, "file"), join(dir, "tree", "link"));
		await makeWritable(join(dir, "tree"));
		await makeWritable(join(dir, "tree", "link"));
		expect(modeOf("file")).toBe(0o400);
	});

	test("accepts a missing path", async () => {
		await makeWritable(join(dir, "gone"));
	});

	thorough("succeeds while another process removes the tree", async () => {
		for (let index = 0; index < 300; index += 1) {
			mkdirSync(join(dir, `d${index}`));
			writeFileSync(join(dir, `d${index}`, "file"), "");
		}
		await Promise.all([makeWritable(dir), rm(dir, { recursive: true })]);
		expect(existsSync(dir)).toBe(false);
	});

	test.runIf(process.platform === "linux")("where it may not is a fault", async () => {
		// Not even the administrator may change the rights of this file.
		await expect(makeWritable("/proc/self/auxv")).rejects.toMatchObject({
			name: "Fault",
			code: "state-unwritable",
			message: "cannot make writable /proc/self/auxv (EPERM)",
		});
	});
});

test("files with a name are found at any depth; a missing directory has none", async () => {
	mkdirSync(join(dir, "a", "b"), { recursive: true });
	writeFileSync(join(dir, "a", "b", ".gitignore"), "");
	const found = await filesNamed(Buffer.from(dir), ".gitignore");
	expect(found.map(String)).toEqual([join(dir, "a", "b", ".gitignore")]);
	expect(await filesNamed(Buffer.from(join(dir, "gone")), ".gitignore")).toEqual([]);
});
