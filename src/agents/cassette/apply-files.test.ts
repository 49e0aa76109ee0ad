import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { link, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applyFiles } from "./cassette-agent.ts";

let root = "";
let checkout = "";
const inside = (path: string): string => join(checkout, path);
const text = (path: string): string => readFileSync(inside(path), "utf8");

beforeEach(async () => {
	root = await mkdtemp(join(tmpdir(), "spar-apply-"));
	checkout = join(root, "checkout");
	await mkdir(inside(".git"), { recursive: true });
	await writeFile(join(root, "outside"), "precious");
});

afterEach(() => rm(root, { recursive: true }));

test("texts, bytes, programs and links are written, folders made", async () => {
	await applyFiles(checkout, {
		"a/b/c.txt": "grün\n",
		"bytes.bin": { base64: "/wD+", mode: "100644" },
		"run.sh": { base64: Buffer.from("#!/bin/sh\n").toString("base64"), mode: "100755" },
		to: { link: "a/b", mode: "120000" },
		odd: { base64: Buffer.from([0x61, 0xff]).toString("base64"), mode: "120000" },
	});
	expect(text("a/b/c.txt")).toBe("grün\n");
	expect([...readFileSync(inside("bytes.bin"))]).toEqual([0xff, 0x00, 0xfe]);
	expect(statSync(inside("run.sh")).mode & 0o100).toBe(0o100);
	expect(statSync(inside("bytes.bin")).mode & 0o111).toBe(0);
	expect(readlinkSync(inside("to"))).toBe("a/b");
	expect([...readlinkSync(inside("odd"), "buffer")]).toEqual([0x61, 0xff]);
});

test("odd names are only names", async () => {
	const names = ["-rf", "a b", "new\nline", 'quo"te', "ünï ☃", "__proto__", "back\\slash"];
	await applyFiles(checkout, Object.fromEntries(names.map((name) => [name, name])));
	for (const name of names) expect(text(name)).toBe(name);
});

test("removing takes the folders that it empties, and missing paths are fine", async () => {
	await applyFiles(checkout, { "a/b/c": "1", "a/d": "2" });
	await applyFiles(checkout, { "a/b/c": null, "gone/x": null, "a/d/e": null });
	expect(existsSync(inside("a/b"))).toBe(false);
	expect(text("a/d")).toBe("2");
	await applyFiles(checkout, { "a/d": null });
	expect(existsSync(inside("a"))).toBe(false);
	expect(existsSync(checkout)).toBe(true);
});

test("a file becomes a folder, and a folder a file", async () => {
	await applyFiles(checkout, { x: "file", "y/z": "in folder" });
	await applyFiles(checkout, { x: null, "x/inner": "1", "y/z": null, y: "file" });
	expect([text("x/inner"), text("y")]).toEqual(["1", "file"]);
	await applyFiles(checkout, { "y/deep/er": "2" });
	expect(text("y/deep/er")).toBe("2");
});

test("nothing is written through a link or another name of the same file", async () => {
	await symlink(join(root, "outside"), inside("soft"));
	await link(join(root, "outside"), inside("hard"));
	await applyFiles(checkout, { soft: "new", hard: "new" });
	expect(readFileSync(join(root, "outside"), "utf8")).toBe("precious");
	expect(lstatSync(inside("soft")).isFile()).toBe(true);
});

test("removing a link leaves what it points to", async () => {
	await symlink(root, inside("up"));
	await applyFiles(checkout, { up: null });
	expect(readFileSync(join(root, "outside"), "utf8")).toBe("precious");
});

test("a link inside the checkout may be followed; to a file it is replaced", async () => {
	await applyFiles(checkout, { "real/x": "1", here: { link: "real", mode: "120000" } });
	await applyFiles(checkout, { "here/y": "2", tofile: { link: "real/x", mode: "120000" } });
	expect(text("real/y")).toBe("2");
	await applyFiles(checkout, { "tofile/z": "3" });
	expect([text("real/x"), text("tofile/z")]).toEqual(["1", "3"]);
});

test.each([
	["out of the checkout", ".."],
	["to an absolute place", "/tmp"],
	["to nowhere", "missing"],
	["into git's own folder", ".git"],
])("a link %s is not followed", async (_name, target) => {
	await symlink(target, inside("planted"));
	for (const content of ["overwritten", null]) {
		await expect(applyFiles(checkout, { "planted/outside": content })).rejects.toMatchObject({
			name: "Fault",
			code: "cassette-invalid",
			message: expect.stringContaining("symbolic link") as unknown,
		});
	}
	expect(readFileSync(join(root, "outside"), "utf8")).toBe("precious");
});

test("a link that the same call records is not followed either", async () => {
	const files = { up: { link: "..", mode: "120000" }, "up/outside": "overwritten" };
	await expect(applyFiles(checkout, files)).rejects.toThrow("symbolic link");
	expect(readFileSync(join(root, "outside"), "utf8")).toBe("precious");
});

test("a path that leaves the checkout is refused before anything is written", async () => {
	for (const path of ["../outside", "/etc/x", ".git/config", "sub/.GIT/x"]) {
		await expect(applyFiles(checkout, { a: "1", [path]: "x" })).rejects.toMatchObject({
			code: "cassette-invalid",
		});
	}
	expect(existsSync(inside("a"))).toBe(false);
});
