import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

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

/** Runs the real program and tells which packages it loaded. */
function loadedBy(args: readonly string[]): {
	code: number | null;
	out: string;
	err: string;
	packages: Set<string>;
} {
	const loaded = path.join(folder, `loaded-${args.join("")}.txt`);
	writeFileSync(loaded, "");
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		["--import", preload, MAIN, ...args],
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
	return { code: status, out: stdout, err: stderr, packages: new Set(names) };
}

test("spar --help loads commander and what breaks lines, and nothing else", () => {
	const { code, out, packages } = loadedBy(["--help"]);
	expect(out).toMatch(/^Example: spar /);
	const known = /^commander$|ansi|width$/;
	expect([...packages].filter((name) => !known.test(name))).toEqual([]);
	expect(code).toBe(0);
});

test("spar status loads neither zod nor LangGraph, here where no run is", () => {
	const { code, err, packages } = loadedBy(["status"]);
	expect(err).toBe("no runs yet. Start one with: spar run\n");
	expect([...packages].filter((name) => name.startsWith("@langchain") || name === "zod")).toEqual(
		[],
	);
	expect(code).toBe(0);
});

test("a reader that goes away ends nothing with an error", async () => {
	const child = spawn(process.execPath, [MAIN, "--help"], { stdio: ["ignore", "pipe", "pipe"] });
	child.stdout.destroy();
	let err = "";
	child.stderr.on("data", (chunk: Buffer) => {
		err += chunk.toString();
	});
	const code = await new Promise((resolve) => child.on("close", resolve));
	expect([code, err]).toEqual([0, ""]);
});
