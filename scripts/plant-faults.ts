// Plants faults, one at a time, in a copy of the source tree, and tells whether the tests notice each of them:
// `npm run test:faults-caught [-- [--tree DIRECTORY] [--near] [WORD...]]`.
//
// The tests beside the file are tried first, then those of its folder, the scenarios, and all of `npm test`; `--near`
// leaves out the last two. Words choose the faults whose files contain one of them. `--tree` tries the tests of
// another checkout, which has its own node_modules. What noticed a fault is told by the first test that failed, so that
// a reader sees when it was luck or a test of texts. Exits 1 when a fault is missed, 2 when a text is not found exactly
// once or the tests fail without any fault.
import { spawnSync } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PLANTED_FAULTS, type PlantedFault } from "./planted-faults.ts";

/** A run of tests that takes longer hangs because of the fault, in ms: of one folder, and of more. */
const LONGEST_MS = { folder: 240_000, more: 900_000 };
/** Of what a run of tests may say, in bytes; the name of what failed comes last. */
const LONGEST_OUTPUT = 64 * 2 ** 20;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { tree: { type: "string" }, near: { type: "boolean", default: false } },
});
const root = resolve(values.tree ?? join(import.meta.dirname, ".."));

/** Every file that git tracks: a test that lacks one would fail without any fault. */
function trackedFiles(): string[] {
	const { stdout } = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" });
	return stdout.split("\0").filter((name) => name !== "" && existsSync(join(root, name)));
}

function copyTree(): string {
	const copy = mkdtempSync(join(tmpdir(), "spar-faults-"));
	for (const name of trackedFiles())
		cpSync(join(root, name), join(copy, name), { recursive: true });
	symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
	// It looks whether each text stands in the tree, so that it would catch all of them.
	rmSync(join(copy, "test/planted-faults.test.ts"), { force: true });
	return copy;
}

/** Filters of the test runner, from near to far; an empty list is the whole suite. */
function stepsFor(file: string): (readonly string[])[] {
	const beside = join("src", file.replace(/\.ts$/, ".test.ts"));
	const near = existsSync(join(root, beside)) ? [[beside]] : [];
	const far = values.near ? [] : [["test/acceptance/"], []];
	return [...near, [`${join("src", dirname(file))}/`], ...far];
}

/** The first test that fails, as the runner names it; null when all pass. */
function firstFailure(copy: string, filters: readonly string[]): string | null {
	const vitest = join(copy, "node_modules", ".bin", "vitest");
	const shown = ["--bail=1", "--passWithNoTests", "--reporter=dot"];
	const ofFolder = filters.length === 1 && filters[0]?.startsWith("src/");
	const { status, stdout, stderr, error } = spawnSync(vitest, ["run", ...shown, ...filters], {
		cwd: copy,
		encoding: "utf8",
		maxBuffer: LONGEST_OUTPUT,
		timeout: ofFolder ? LONGEST_MS.folder : LONGEST_MS.more,
		env: { ...process.env, CI: "true", NO_COLOR: "1" },
	});
	if (status === 0) return null;
	// The runner tells nothing of what hangs when it is ended.
	if (error !== undefined || status === null) return "a run that did not end";
	return /FAIL +(.*)/.exec(`${stdout}\n${stderr}`)?.[1] ?? "a run that failed outside of its tests";
}

/** The test that noticed the fault; null when none did. */
function caughtBy(copy: string, [file, text, replacement]: PlantedFault): string | null {
	const path = join(copy, "src", file);
	const source = readFileSync(path, "utf8");
	writeFileSync(
		path,
		source.replace(text, () => replacement),
	);
	try {
		for (const filters of stepsFor(file)) {
			const failure = firstFailure(copy, filters);
			if (failure !== null) return failure;
		}
		return null;
	} finally {
		writeFileSync(path, source);
	}
}

/** Faults whose text is not in its file exactly once: they would prove nothing. */
const lost = PLANTED_FAULTS.filter(([file, text]) => {
	const path = join(root, "src", file);
	return !existsSync(path) || readFileSync(path, "utf8").split(text).length !== 2;
});
for (const [file, text] of lost) process.stderr.write(`not exactly once in src/${file}: ${text}\n`);

const chosen = PLANTED_FAULTS.filter(
	([file]) => positionals.length === 0 || positionals.some((word) => file.includes(word)),
);

/** Plants each fault and tells of it; how many were missed. */
function plantAll(copy: string): number {
	let missed = 0;
	for (const fault of chosen) {
		const by = caughtBy(copy, fault);
		if (by === null) missed += 1;
		const told = by === null ? "MISSED" : `caught by ${by}`;
		process.stdout.write(`src/${fault[0]}: ${fault[1].trim()}: ${told}\n`);
	}
	process.stdout.write(`${chosen.length - missed} of ${chosen.length} faults caught\n`);
	return missed;
}

function main(): number {
	if (lost.length > 0) return 2;
	const copy = copyTree();
	try {
		const folders = new Set(chosen.map(([file]) => `${join("src", dirname(file))}/`));
		const tried = values.near ? [...folders] : [];
		const failure = folders.size > 0 ? firstFailure(copy, tried) : null;
		if (failure !== null) {
			process.stderr.write(`without any fault the tests fail already: ${failure}\n`);
			return 2;
		}
		return plantAll(copy) > 0 ? 1 : 0;
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

process.exitCode = main();
