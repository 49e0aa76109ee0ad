import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { replaceFile } from "./replace-file.ts";

let home = "";
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-replace-"));
});
afterEach(() => rmSync(home, { recursive: true }));

test("a directory in the place of the file gives way", async () => {
	const path = join(home, "state", "one.json");
	mkdirSync(join(path, "deep"), { recursive: true });
	await replaceFile(path, "text");
	expect(readFileSync(path, "utf8")).toBe("text");
});

test("a file in the place of its directory gives way", async () => {
	writeFileSync(join(home, "state"), "");
	await replaceFile(join(home, "state", "one.json"), "text");
	expect(readFileSync(join(home, "state", "one.json"), "utf8")).toBe("text");
});

test("a long text is written whole, too", async () => {
	const path = join(home, "state", "long.log");
	await replaceFile(path, "short");
	await replaceFile(path, "long ".repeat(200_000));
	expect(readFileSync(path, "utf8")).toHaveLength(1_000_000);
});

test("what hinders otherwise is thrown", async () => {
	await expect(replaceFile(`${home}/a\0b`, "text")).rejects.toThrow("null bytes");
});
