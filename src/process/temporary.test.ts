import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeTemporary, requireTemporary } from "./temporary.ts";

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "spar-temporary-"));
	vi.stubEnv("TMPDIR", home);
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(home, { recursive: true });
});

test("a directory is made where TMPDIR says, and a look leaves nothing", async () => {
	{
		await using made = await makeTemporary("spar-x-");
		expect([dirname(made.path), basename(made.path).startsWith("spar-x-")]).toEqual([home, true]);
		expect(existsSync(made.path)).toBe(true);
	}
	expect(readdirSync(home)).toEqual([]);
	await requireTemporary();
	expect(readdirSync(home)).toEqual([]);
});

test.each([
	["absent", "ENOENT"],
	["file", "ENOTDIR"],
])("a place that is %s is a fault that names it and TMPDIR", async (name, code) => {
	writeFileSync(join(home, "file"), "");
	const place = join(home, name);
	vi.stubEnv("TMPDIR", place);
	await expect(requireTemporary()).rejects.toMatchObject({
		name: "Fault",
		code: "state-unwritable",
		message: `no temporary files can be made in ${place} (${code})`,
		hint: "Set TMPDIR to a directory in which you can make files.",
	});
});
