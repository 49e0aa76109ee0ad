// Installs the coding agents that `npm run test:agents` drives: `node scripts/install-harnesses.ts`.
//
// Each in a folder of its own, at an exact version, below node_modules/.cache/harnesses, or where SPAR_HARNESSES says.
// What is there and answers `--version` is left alone. One that cannot be installed fails nothing: harnesses.json in
// that folder says of each where its program is, or why it is not tested, and so does one line each on standard output.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Harness } from "../src/agents/harness/harness.ts";
import { ALL_HARNESSES } from "../src/seats/harnesses.ts";

/** A harness from the npm registry. */
type Pin = Pick<Harness, "name" | "package">;

type Found = { readonly version: string; readonly bin: string } | { readonly notTested: string };

interface Ended {
	readonly code: number | null;
	readonly output: string;
}

const INSTALL_LIMIT_MS = 300_000;
const VERSION_LIMIT_MS = 30_000;
const LONGEST_OUTPUT = 100_000;
const ROOT = dirname(import.meta.dirname);
const CACHE = resolve(
	process.env["SPAR_HARNESSES"] ?? join(ROOT, "node_modules", ".cache", "harnesses"),
);

const running = new Set<number>();

/** Ends a program with everything that it started: each has a process group of its own. */
function endGroup(pid: number): void {
	try {
		process.kill(-pid, "SIGKILL");
	} catch {
		// It has ended by itself in between.
	}
}

for (const [signal, code] of [
	["SIGINT", 130],
	["SIGTERM", 143],
] as const) {
	process.once(signal, () => {
		for (const pid of running) endGroup(pid);
		process.exit(code);
	});
}

/** Runs a program to its end; one that cannot be started, or is ended because it takes too long, has no exit code. */
function run(
	program: string,
	args: readonly string[],
	cwd: string,
	limitMs: number,
): Promise<Ended> {
	const child = spawn(program, args, {
		cwd,
		// This Node.js comes first, for programs that start with `#!/usr/bin/env node`.
		env: {
			...process.env,
			PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
		},
		stdio: ["ignore", "pipe", "pipe"],
		detached: true,
	});
	const { pid } = child;
	if (pid === undefined) {
		return new Promise((settle) => {
			child.once("error", ({ message }) => settle({ code: null, output: message }));
		});
	}
	running.add(pid);
	const timer = setTimeout(() => endGroup(pid), limitMs);
	let output = "";
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding("utf8").on("data", (text: string) => {
			output = `${output}${text}`.slice(-LONGEST_OUTPUT);
		});
	}
	return new Promise((settle) => {
		child.once("close", (code) => {
			clearTimeout(timer);
			running.delete(pid);
			settle({ code, output });
		});
	});
}

/**
 * The command that is npm, run by this Node.js where npm is a script: an older one would refuse a harness, or take an
 * old version for it.
 */
function npmCommand(): readonly [string, ...string[]] {
	const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
	const named = folders.map((folder) => join(folder, "npm")).find((path) => existsSync(path));
	const script = process.env["npm_execpath"] ?? (named === undefined ? "" : realpathSync(named));
	return /\.c?js$/.test(script) ? [process.execPath, script] : ["npm"];
}

function programIn(folder: string, { name }: Pin): string {
	return join(folder, "node_modules", ".bin", name);
}

/** @returns why the program there is not the one that is wanted; null when it is */
async function flaw(folder: string, pin: Pin): Promise<string | null> {
	const program = programIn(folder, pin);
	if (!existsSync(program)) return `${pin.package.name} brings no program ${pin.name}`;
	const { code, output } = await run(program, ["--version"], folder, VERSION_LIMIT_MS);
	if (code === 0 && output.includes(pin.package.version)) return null;
	const said = output.trim().split("\n")[0] ?? "";
	return `${pin.name} --version ended with ${code ?? "no exit code"}: ${said}`;
}

/** @returns why it could not be installed; null when it was */
async function install(folder: string, pin: Pin): Promise<string | null> {
	const manifest = {
		private: true,
		dependencies: { [pin.package.name]: pin.package.version },
		allowScripts: { [pin.package.name]: true },
	};
	await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
	const [npm, ...args] = npmCommand();
	const wanted = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error"];
	const { code, output } = await run(npm, [...args, ...wanted], folder, INSTALL_LIMIT_MS);
	if (code === 0) return null;
	const lines = output.split("\n").filter((line) => line.trim() !== "");
	return `npm install ended with ${code ?? "no exit code"}: ${lines[0] ?? "it said nothing"}`;
}

async function provide(pin: Pin): Promise<Found> {
	const name = `${pin.name}-${pin.package.version}`;
	const folder = join(CACHE, name);
	const found = { version: pin.package.version, bin: programIn(folder, pin) };
	if ((await flaw(folder, pin)) === null) return found;
	// Beside its place first: another process never sees half of it.
	const fresh = await mkdtemp(join(CACHE, `.${name}-`));
	try {
		const problem = (await install(fresh, pin)) ?? (await flaw(fresh, pin));
		if (problem !== null) return { notTested: problem };
		await rm(folder, { recursive: true, force: true });
		await rename(fresh, folder);
		return found;
	} finally {
		await rm(fresh, { recursive: true, force: true });
	}
}

await mkdir(CACHE, { recursive: true });
const list = join(CACHE, "harnesses.json");
// What an earlier run found says nothing when this one does not come to its end.
await rm(list, { force: true });
const all: Record<string, Found> = {};
for (const pin of ALL_HARNESSES) {
	const found = await provide(pin).catch((error: unknown) => ({ notTested: String(error) }));
	all[pin.name] = found;
	const told =
		"bin" in found ? `${found.version} at ${found.bin}` : `not tested: ${found.notTested}`;
	process.stdout.write(`${pin.name}: ${told}\n`);
}
await writeFile(`${list}.${process.pid}`, `${JSON.stringify(all, null, "\t")}\n`);
await rename(`${list}.${process.pid}`, list);
