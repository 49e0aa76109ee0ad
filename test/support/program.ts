import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	cpSync,
	existsSync,
	globSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
} from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const VARIABLE = "SPAR_TEST_MAIN";

/**
 * What `node` is given to start `spar`: the program as a package has it, where the tests' set-up has built it, else its
 * source. The built one starts in a tenth of the time.
 */
export const PROGRAM: string = process.env[VARIABLE] ?? join(ROOT, "src/cli/main.ts");

/** Beside the packages, so that the program finds those that a user may install. */
const SHELF = join(ROOT, "node_modules/.cache/program");

/** Where Node.js keeps what it compiled, of the program and of all packages, for all processes of all test runs. */
export const COMPILED: string = join(ROOT, "node_modules/.cache/compiled");

/** All that the program is made of. */
const MADE_OF = ["src/**/*.ts", "scripts/*.ts", "package.json", "package-lock.json"];

/** How long a program that no test started is kept, in ms. */
const KEPT_MS = 3_600_000;

function contentHash(): string {
	const hash = createHash("sha256");
	for (const file of globSync(MADE_OF, { cwd: ROOT }).sort())
		hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
	return hash.digest("hex").slice(0, 16);
}

/** Builds the program beside its place and moves it there: another test run may do the same. */
function build(place: string): void {
	const aside = `${place}.${process.pid}`;
	mkdirSync(aside, { recursive: true });
	const bundler = join(ROOT, "scripts/bundle-program.ts");
	const { status, stderr } = spawnSync(process.execPath, [bundler, join(aside, "dist")], {
		encoding: "utf8",
	});
	if (status !== 0) throw new Error(`the program cannot be built:\n${stderr}`);
	cpSync(join(ROOT, "package.json"), join(aside, "package.json"));
	for (const folder of ["docs", "plugin"]) symlinkSync(join(ROOT, folder), join(aside, folder));
	try {
		renameSync(aside, place);
	} catch (error) {
		rmSync(aside, { recursive: true });
		if (!existsSync(place)) throw error;
	}
}

function removeOld(): void {
	for (const name of readdirSync(SHELF)) {
		const place = join(SHELF, name);
		const usedAt = statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
		if (Date.now() - usedAt > KEPT_MS) rmSync(place, { recursive: true, force: true });
	}
}

/** Builds the program of this checkout, unless it stands there already, and has all tests of this run start it. */
export function setup(): void {
	const place = join(SHELF, contentHash());
	if (!existsSync(place)) build(place);
	utimesSync(place, new Date(), new Date());
	removeOld();
	process.env[VARIABLE] = join(place, "dist/cli/main.js");
	// For the workers, each of which loads LangGraph and many more.
	process.env["NODE_COMPILE_CACHE"] ??= COMPILED;
}
