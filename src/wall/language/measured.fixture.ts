import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { javascript } from "./javascript.ts";
import { scriptMeasured } from "./module-measured.ts";
import { spliced } from "./splice.ts";

const ROOT = join(import.meta.dirname, "../../..");
const TOKEN = "0t0k3n";

export interface MeasuredRun {
	/** Lines of the table. */
	readonly table: readonly string[];
	/** All lines as they are written: with answers, numbers as texts, and how often each is asked for. */
	readonly names: readonly string[];
	readonly output: string;
	readonly status: number | null;
}

/** A file of the tests' side as it runs in the measure; files below `src` are of the product. */
export async function rewritten(path: string, text: string): Promise<string> {
	const [tree] = await javascript.trees([{ path, text }], async () => "");
	if (tree === null || tree === undefined) throw new Error(`${path} has no tree`);
	const isProduct = (module: string): boolean => /(?:^|\/)src\//.test(module);
	return spliced(text, scriptMeasured(tree, text, { path, token: TOKEN, isProduct }) ?? []);
}

export const NODE_TEST = [process.execPath, "--test", "--test-reporter=tap"];
export const VITEST = [process.execPath, join(ROOT, "node_modules/vitest/vitest.mjs"), "run"];

/** Runs a project's tests, with those below `test` as they are in the measure, or as they stand. */
export async function measuredRun(
	texts: Readonly<Record<string, string>>,
	command: readonly string[],
	isMeasured = true,
): Promise<MeasuredRun> {
	const dir = mkdtempSync(join(tmpdir(), "spar-measured-"));
	onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
	symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
	writeFileSync(join(dir, TOKEN), "");
	for (const [path, text] of Object.entries(texts)) {
		mkdirSync(dirname(join(dir, path)), { recursive: true });
		const isTest = isMeasured && path.startsWith("test/");
		writeFileSync(join(dir, path), isTest ? await rewritten(path, text) : text);
	}
	// The runner would otherwise take itself for a part of the one that runs this test.
	const args = ["-u", "NODE_TEST_CONTEXT", "-u", "VITEST", ...command];
	const { stdout, stderr, status } = spawnSync("env", args, { cwd: dir, encoding: "utf8" });
	const names = readFileSync(join(dir, TOKEN), "utf8").split("\n").filter(Boolean);
	// Most tests are about what is altered, and who notices; `names` has all else.
	const told = names.map((line) =>
		line.replace(/ instead of .*$| > \d+ times /g, (part) => (part.startsWith(" >") ? " > " : "")),
	);
	const table = [...new Set(told)].filter((line) => !/ gives "[-\d.]+"$/.test(line));
	return { table, names, output: stdout + stderr, status };
}
