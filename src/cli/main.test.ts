import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
	closeSync,
	mkdtempSync,
	openSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { PROGRAM } from "../../test/support/program.ts";
import { printWrittenHelp } from "./written-help.ts";

const MAIN = path.join(import.meta.dirname, "main.ts");
let folder = "";
let preload = "";
let repository = "";

beforeAll(() => {
	folder = mkdtempSync(path.join(tmpdir(), "spar-main-"));
	preload = path.join(folder, "preload.mjs");
	writeFileSync(
		preload,
		`import { registerHooks } from "node:module";
import { appendFileSync } from "node:fs";
registerHooks({ resolve(specifier, context, next) {
	const found = next(specifier, context);
	appendFileSync(process.env.LOADED, found.url + "\\n");
	return found;
} });`,
	);
	repository = path.join(folder, "repository");
	execFileSync("git", ["init", "-q", repository]);
	const identity = [
		"-c",
		"user.name=a",
		"-c",
		"user.email=a@example.org",
		"-c",
		"commit.gpgsign=false",
	];
	execFileSync("git", [
		"-C",
		repository,
		...identity,
		"commit",
		"-q",
		"--allow-empty",
		"-m",
		"first",
	]);
});

afterAll(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Runs the real program and tells which files and packages it loaded. */
function loadedBy(
	args: readonly string[],
	main: string = MAIN,
): {
	code: number | null;
	out: string;
	err: string;
	files: Set<string>;
	packages: Set<string>;
} {
	const loaded = path.join(folder, `loaded-${args.join("")}.txt`);
	writeFileSync(loaded, "");
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		["--import", preload, main, ...args],
		{
			cwd: repository,
			encoding: "utf8",
			env: {
				PATH: process.env["PATH"],
				HOME: folder,
				LOADED: loaded,
				SPAR_CHECKOUTS: path.join(folder, "c"),
			},
		},
	);
	const urls = execFileSync("cat", [loaded], { encoding: "utf8" });
	const names = [...urls.matchAll(/node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/g)].map(
		([, name]) => name ?? "",
	);
	const files = new Set(urls.split("\n").filter((url) => url.startsWith("file:")));
	return { code: status, out: stdout, err: stderr, files, packages: new Set(names) };
}

// A file takes a quarter of a millisecond to load, whatever it holds. Starting Node.js takes thirty: 120 files double it. A
// number below is what a command needs today and a few more; before raising it, see whether an import can be one of types,
// or wait until it is needed.

thorough(
	"spar --help of a checkout, where no build wrote it, loads commander alone and few files",
	() => {
		const { code, out, files, packages } = loadedBy(["--help"]);
		expect(out).toMatch(/^Example: spar /);
		expect([...packages]).toEqual(["commander"]);
		expect(files.size).toBeLessThanOrEqual(32);
		expect(code).toBe(0);
	},
);

thorough(
	"spar --help of a package prints what its build wrote: the words of commander, without loading it",
	() => {
		const made = loadedBy(["--help"]).out;
		const written = loadedBy(["--help"], PROGRAM);
		// A link leads to it where several trees share their packages; the program knows its real place.
		const packageFolder = path.join(realpathSync(path.dirname(PROGRAM)), "../..");
		expect(written.out.replaceAll(packageFolder, path.join(import.meta.dirname, "../.."))).toBe(
			made,
		);
		expect(written.files.size).toBeLessThanOrEqual(4);
		expect([written.packages.has("commander"), written.code]).toEqual([false, 0]);
		expect(loadedBy(["help"], PROGRAM).out).toBe(written.out);
	},
);

test("the written help goes to a pipe or a file, and not where it cannot be written or the width is not known", () => {
	const help = pathToFileURL(path.join(path.dirname(PROGRAM), "help.txt"));
	const shown = path.join(folder, "shown.txt");
	const printed = (to: string, flags: string): boolean => {
		const out = openSync(to, flags);
		try {
			return printWrittenHelp(out, help);
		} finally {
			closeSync(out);
		}
	};
	expect(printed(shown, "w")).toBe(true);
	expect(readFileSync(shown, "utf8")).toMatch(
		/^Example: spar check\n[\s\S]*getting-started\.md\n$/,
	);
	expect(printed(shown, "r")).toBe(false);
	// As a terminal whose width nobody tells.
	expect(printed("/dev/null", "w")).toBe(false);
});

thorough("spar status loads commander alone and not many files, here where no run is", () => {
	const { code, err, files, packages } = loadedBy(["status"]);
	expect(err).toBe('no runs yet. Start one with: spar "what is to be done"\n');
	expect([...packages]).toEqual(["commander"]);
	expect(files.size).toBeLessThanOrEqual(147);
	expect(code).toBe(0);
});

thorough("a reader that goes away ends nothing with an error", async () => {
	const child = spawn(process.execPath, [MAIN, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
	child.stdout.destroy();
	let err = "";
	child.stderr.on("data", (chunk: Buffer) => {
		err += chunk.toString();
	});
	const code = await new Promise((resolve) => child.on("close", resolve));
	expect([code, err]).toEqual([0, ""]);
});
