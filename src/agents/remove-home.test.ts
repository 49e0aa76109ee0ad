import { chmod, lstat, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { removeHome } from "./call-home.ts";

let dir = "";
let home = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-home-"));
	home = join(dir, "home");
	await mkdir(home);
});

afterEach(() => rm(dir, { recursive: true }));

test("read-only directories go too, and so does a home that is not there", async () => {
	await mkdir(join(home, "cache/module"), { recursive: true });
	await writeFile(join(home, "cache/module/file"), "x", { mode: 0o400 });
	for (const path of ["cache/module", "cache", ""]) await chmod(join(home, path), 0o500);
	expect(await removeHome(home)).toBeNull();
	await expect(lstat(home)).rejects.toThrow("ENOENT");
	expect(await removeHome(home)).toBeNull();
});

test("what links lead to stays as it is", async () => {
	const mine = join(dir, "mine");
	await mkdir(mine, { mode: 0o755 });
	await writeFile(join(mine, "auth.json"), "{}");
	await symlink(mine, join(home, "link"));
	await mkdir(join(home, "shut"));
	await writeFile(join(home, "shut/file"), "x");
	await chmod(join(home, "shut"), 0o500);
	expect(await removeHome(home)).toBeNull();
	expect(await readFile(join(mine, "auth.json"), "utf8")).toBe("{}");
	expect((await lstat(mine)).mode & 0o777).toBe(0o755);
});

test("a home that cannot be removed is told by the system's code", async () => {
	expect(await removeHome(join(home, "x".repeat(300)))).toBe("ENAMETOOLONG");
});
