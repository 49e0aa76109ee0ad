import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { EOL, tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lateBuiltins } from "../scripts/late-builtins.ts";
import { PROGRAM } from "./support/program.ts";

let folder = "";
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "spar-late-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What a bundled program prints. */
async function printed(source: string): Promise<string> {
	const entry = join(folder, "entry.mjs");
	const file = join(folder, "out.cjs");
	writeFileSync(entry, source);
	const external = (id: string): boolean => id.startsWith("node:");
	const bundle = await rolldown({
		input: entry,
		platform: "node",
		external,
		plugins: [lateBuiltins],
	});
	await bundle.write({ file, format: "cjs" });
	await bundle.close();
	return execFileSync(process.execPath, [file], { encoding: "utf8" }).trim();
}

test("child processes are loaded when something of them is first used, whoever imports it how", async () => {
	const out = await printed(`
		import childProcess, { execFileSync } from "node:child_process";
		import fs from "node:fs";
		const loaded = () => process.moduleLoadList.includes("NativeModule child_process");
		const start = () => childProcess.spawn;
		const before = [loaded(), typeof fs.readFileSync, typeof start, loaded()];
		const said = execFileSync("echo", ["hello"], { encoding: "utf8" }).trim();
		console.log(JSON.stringify([...before, said, typeof start(), loaded()]));
	`);
	const before = [false, "function", "function", false];
	expect(JSON.parse(out)).toEqual([...before, "hello", "function", true]);
});

test("a late module has all that the module has: classes, constants, and functions for promises", async () => {
	const out = await printed(`
		import { ChildProcess, execFile } from "node:child_process";
		import { constants } from "node:fs/promises";
		import os from "node:os";
		import { promisify } from "node:util";
		promisify(execFile)("echo", ["hello"]).then(({ stdout }) =>
			console.log(stdout.trim(), typeof ChildProcess, typeof constants.R_OK, os.EOL === "\\n"));
	`);
	expect(out).toBe(`hello function number ${EOL === "\n"}`);
});

test("spar status loads neither child processes nor streams nor promises of files and timers", () => {
	const told = join(folder, "told.cjs");
	const list = join(folder, "list");
	writeFileSync(
		told,
		`process.on("exit", () => require("fs").writeFileSync(${JSON.stringify(list)}, process.moduleLoadList.join("\\n")));`,
	);
	spawnSync("git", ["init", "--quiet"], { cwd: folder });
	const { status, stderr } = spawnSync(process.execPath, ["--require", told, PROGRAM, "status"], {
		cwd: folder,
		encoding: "utf8",
	});
	expect([status, stderr]).toEqual([0, "no runs yet. Start one with: spar run\n"]);
	const loaded = readFileSync(list, "utf8").split("\n");
	expect(loaded).toContain("NativeModule fs");
	for (const name of ["child_process", "net", "tty", "internal/fs/promises", "timers/promises"])
		expect(loaded).not.toContain(`NativeModule ${name}`);
});
