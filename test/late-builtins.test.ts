import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isLate, lateBuiltins } from "../scripts/late-builtins.ts";

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
	const external = (id: string): boolean => id.startsWith("node:") && !isLate(id);
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

test("child processes are loaded by the first call of what starts one, whoever imports it how", async () => {
	const out = await printed(`
		import childProcess, { execFileSync } from "node:child_process";
		import fs from "node:fs";
		const loaded = () => process.moduleLoadList.includes("NativeModule child_process");
		const before = [loaded(), typeof fs.readFileSync, typeof childProcess.spawn, loaded()];
		const said = execFileSync("echo", ["hello"], { encoding: "utf8" }).trim();
		console.log(JSON.stringify([...before, said, loaded()]));
	`);
	expect(JSON.parse(out)).toEqual([false, "function", "function", false, "hello", true]);
});

test("a function that has another one for promises keeps it", async () => {
	const out = await printed(`
		import { execFile } from "node:child_process";
		import { promisify } from "node:util";
		promisify(execFile)("echo", ["hello"]).then(({ stdout }) => console.log(stdout));
	`);
	expect(out).toBe("hello");
});

test.each([
	["node:fs/promises", "constants"],
	["node:child_process", "ChildProcess"],
])("what is no function of %s cannot be imported: %s", async (id, name) => {
	const source = `import { ${name} } from "${id}"; console.log(${name});`;
	await expect(printed(source)).rejects.toThrow(name);
});
