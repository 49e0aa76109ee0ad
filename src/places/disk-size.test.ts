import {
	linkSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { formatBytes } from "../kernel/bytes.ts";
import { allocatedBytes } from "./disk-size.ts";

let directory: string;
beforeEach(() => {
	directory = mkdtempSync(join(tmpdir(), "spar-size-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const blocks = (path: string): number => statSync(path).blocks * 512;

test("files count with the blocks that they take, a file of several links once, and links are not followed", async () => {
	const [one, two] = [join(directory, "one"), join(directory, "sub", "two")];
	mkdirSync(join(directory, "sub"));
	writeFileSync(one, "x".repeat(100_000));
	linkSync(one, two);
	symlinkSync("/usr", join(directory, "usr"));
	const folders = blocks(directory) + blocks(join(directory, "sub"));
	const seen = new Set<string>();
	expect(await allocatedBytes(directory, seen)).toBe(folders + blocks(one));
	expect(blocks(one)).toBeGreaterThanOrEqual(100_000);
	expect(await allocatedBytes(one, seen)).toBe(0);
	expect(await allocatedBytes(one, new Set())).toBe(blocks(one));
});

test("what is not there takes nothing", async () => {
	expect(await allocatedBytes(join(directory, "none"), new Set())).toBe(0);
});

test.each([
	[0, "0 bytes"],
	[1_023, "1023 bytes"],
	[1_024, "1 KiB"],
	[1_536 * 1_024 ** 2, "1.5 GiB"],
])("%d is %s", (bytes, text) => {
	expect(formatBytes(bytes)).toBe(text);
});
