import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { helpIn } from "../../scripts/help-text.ts";
import type { Writing } from "./standard-streams.ts";
import { printWrittenHelp } from "./written-help.ts";

const HERE = import.meta.dirname;
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** All that an installed package needs to print its help. */
const PARTS = ["main.ts", "node-version.ts", "standard-streams.ts", "written-help.ts"];

let folder = "";

beforeAll(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), "spar-help-")));
	for (const part of PARTS) cpSync(join(HERE, part), join(folder, "dist", "cli", part));
	const written = spawnSync(process.execPath, [
		join(ROOT, "scripts", "write-help.ts"),
		join(folder, "dist"),
	]);
	expect([written.status, String(written.stderr)]).toEqual([0, ""]);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

const started = (...words: readonly string[]) =>
	spawnSync(process.execPath, [join(folder, "dist", "cli", "main.ts"), ...words], {
		encoding: "utf8",
		env: { PATH: process.env["PATH"], HOME: folder },
	});

test.each(["--help", "-h", "help"])(
	"spar %s prints what commander would, with four files of the package",
	(word) => {
		const { status, stdout, stderr } = started(word);
		expect(stdout.replaceAll(`${folder}/`, ROOT)).toBe(helpIn(80));
		expect(stdout).toContain(`${folder}/docs/user-guide/getting-started.md`);
		expect([status, stderr]).toEqual([0, ""]);
	},
);

/** A process with a terminal of so many columns, or with a pipe, and what it printed. */
function hostWith(columns: number | undefined) {
	let text = "";
	const stdout = new Writable({
		write: (chunk, _encoding, done) => {
			text += String(chunk);
			done();
		},
	});
	Object.assign(stdout, { columns });
	// A stream has all that is used of the real ones.
	const host = { stdout, stderr: stdout, exitCode: undefined } as unknown as Writing;
	return { host, printed: () => text };
}

test("a terminal of 80 columns or more gets the text of a pipe, which has no colours", () => {
	const file = pathToFileURL(join(folder, "dist", "cli", "help.txt"));
	for (const columns of [80, 81, 200, undefined]) {
		const { host, printed } = hostWith(columns);
		expect(printWrittenHelp(host, file)).toBe(true);
		expect(printed()).toBe(helpIn(columns ?? 80));
		expect(stripVTControlCharacters(printed())).toBe(printed());
	}
});

test.each([40, 79])("for a terminal of %d columns the help is not the written one", (columns) => {
	const file = pathToFileURL(join(folder, "dist", "cli", "help.txt"));
	const { host, printed } = hostWith(columns);
	expect([printWrittenHelp(host, file), printed()]).toEqual([false, ""]);
});

test("a checkout has no written help", () => {
	const { host, printed } = hostWith(80);
	expect([printWrittenHelp(host), printed()]).toEqual([false, ""]);
});

test("anything beside it is left to commander, which is not among the four", () => {
	expect(started("--help", "--version").stderr).toContain("compile-cache");
	expect(started("status").stderr).toContain("compile-cache");
});
