import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { mayChange, mayLookAt, type SessionPlaces, writeInside } from "./client-side.ts";

let dir = "";
let places: SessionPlaces = { checkout: "", workDir: "", tmpDir: "" };

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-guard-"));
	const [checkout, workDir] = [join(dir, "checkout"), join(dir, "call")];
	places = { checkout, workDir, tmpDir: join(workDir, "tmp") };
	for (const path of [checkout, places.tmpDir]) await mkdir(path, { recursive: true });
	await mkdir(join(checkout, "src"));
	await symlink("src", join(checkout, "inner"));
	await symlink(dir, join(checkout, "outer"));
	await symlink(join(dir, "nothing"), join(checkout, "dangling"));
	await writeFile(join(dir, "secret"), "secret");
	await link(join(dir, "secret"), join(checkout, "twin"));
});

afterEach(() => rm(dir, { recursive: true }));

test.each([
	["src/a.ts", true, true],
	["new/deep/a.ts", true, true],
	["inner/a.ts", true, true],
	["src/../src/a.ts", true, true],
	["..a.ts", true, true],
	[".", true, false],
	["../checkout/a.ts", true, true],
	["../call/tmp/a", true, true],
	["../call/context.json", true, false],
	[".git/config", true, false],
	[".GIT/config", true, false],
	["src/.git/config", true, true],
	["../secret", false, false],
	["../checkout2/a.ts", false, false],
	["outer/secret", false, false],
	["dangling", false, false],
	["dangling/a.ts", false, false],
	["~/a.ts", false, false],
	["a\0b", false, false],
	["/etc/passwd", false, false],
	["file:///etc/passwd", false, false],
	["https://127.0.0.1/a.ts", false, false],
])("%j may be looked at: %s, may be changed: %s", async (named, look, change) => {
	expect([await mayLookAt(named, places), await mayChange(named, places)]).toEqual([look, change]);
});

test("the address of a file is its path", async () => {
	const { href } = pathToFileURL(join(places.checkout, "a.ts"));
	expect(await mayChange(href, places)).toBe(true);
});

test.each([
	"../a",
	"../call/tmp/a",
	".git/a",
	"outer/a",
	"dangling",
	"dangling/a",
	"twin",
	"",
	"/a",
])("nothing is written to %j", async (named) => {
	expect(await writeInside(places.checkout, named, "text")).toBe(false);
	expect(await readFile(join(dir, "secret"), "utf8")).toBe("secret");
	await expect(readFile(join(dir, "nothing"))).rejects.toThrow("ENOENT");
});

test("a file is written, made with its directories or replaced, through links inside", async () => {
	for (const text of ["a longer text", "short"]) {
		expect(await writeInside(places.checkout, "inner/deep/a.ts", text)).toBe(true);
		expect(await readFile(join(places.checkout, "src/deep/a.ts"), "utf8")).toBe(text);
	}
});

test("a directory is not a file", async () => {
	await expect(writeInside(places.checkout, "src", "text")).rejects.toThrow("EISDIR");
});
