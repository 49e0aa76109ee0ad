import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { scratchDirectory } from "../git/scratch.fixture.ts";
import { openExecution } from "./execution.ts";
import { openTemporary, removeLeftTemporaries } from "./own-temporary.ts";

let dir = "";
beforeEach(() => {
	dir = scratchDirectory();
});
afterEach(() => {
	vi.unstubAllEnvs();
});

/** Binds a Unix socket. */
function listen(path: string): Promise<void> {
	return new Promise((done, failed) => {
		const server = createServer();
		server.once("error", failed);
		server.listen(path, () => server.close(() => done()));
	});
}

test.each([
	["long", "l".repeat(90)],
	["with a colon", "a:b"],
	["with a space", "a b"],
	["missing", "none"],
])(
	"TMPDIR %s: a check's own is short, without such characters, and holds a socket",
	async (what, name) => {
		const given = join(dir, name);
		if (what !== "missing") mkdirSync(given);
		vi.stubEnv("TMPDIR", given);
		const execution = await openExecution({
			checkout: join(dir, "c"),
			work: join(dir, "work"),
			env: {},
			confines: false,
			installs: false,
			home: null,
		});
		const own = execution.env["TMPDIR"] ?? "";
		expect(own).toMatch(/^[\w./-]{1,40}$/);
		expect(statSync(execution.temporary).mode & 0o777).toBe(0o700);
		await listen(join(own, "s".repeat(60)));
		await execution.close();
		expect(existsSync(execution.temporary)).toBe(false);
		expect(readdirSync(join(dir, "work", "temporary"))).toEqual([]);
	},
);

test("what a killed process left is removed, and nothing that a link of another name leads to", async () => {
	const work = join(dir, "task");
	const { path } = await openTemporary(work);
	mkdirSync(join(path, "deep"), { mode: 0o500 });
	const precious = join(dir, "precious");
	mkdirSync(join(dir, "00000000"));
	writeFileSync(precious, "mine");
	symlinkSync(precious, join(work, "temporary", "00000000"));
	symlinkSync(join(dir, "00000000"), join(work, "temporary", "11111111"));
	await removeLeftTemporaries(dir);
	expect(existsSync(path)).toBe(false);
	expect(existsSync(precious)).toBe(true);
	expect(existsSync(join(dir, "00000000"))).toBe(true);
});

test("a folder that others can look into is not used", async () => {
	const usual = mkdtempSync("/tmp/s-");
	vi.stubEnv("TMPDIR", usual);
	const { path, close } = await openTemporary(join(dir, "task"));
	expect(dirname(dirname(path))).toBe(usual);
	await close();
	chmodSync(dirname(path), 0o755);
	await expect(openTemporary(join(dir, "task"))).rejects.toThrow("is not a private folder");
	rmSync(usual, { recursive: true });
});
