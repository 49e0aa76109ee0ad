import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { TestRepository } from "./repository.ts";

const MAIN = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");

/** How a `spar` process ended. */
export interface SparResult {
	/** null when a signal ended it. */
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
	/** Wall-clock time of the whole process. */
	readonly ms: number;
}

export interface SparOptions {
	/** Absolute; default: the top of the repository. */
	readonly cwd?: string;
	/** Added to the repository's environment. */
	readonly env?: Readonly<Record<string, string>>;
	/** Absolute path of a module that Node.js loads first. */
	readonly preload?: string;
}

/** A `spar` process under way. */
export interface SparProcess {
	readonly child: ChildProcess;
	/** Never rejects, unless the program cannot be started. */
	readonly ended: Promise<SparResult>;
	/** What it has written so far. */
	readonly output: () => { readonly stdout: string; readonly stderr: string };
}

/** Starts the command line of this checkout in a repository and does not wait for it. */
export function startSpar(
	repo: TestRepository,
	args: readonly string[],
	{ cwd = repo.root, env = {}, preload }: SparOptions = {},
): SparProcess {
	const loaded = preload === undefined ? [] : ["--import", preload];
	const startedAt = performance.now();
	const child = spawn(process.execPath, [...loaded, MAIN, ...args], {
		cwd,
		env: { ...repo.env, ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});
	const output = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"] as const) {
		child[name].setEncoding("utf8").on("data", (text: string) => {
			output[name] += text;
		});
	}
	const ended = new Promise<SparResult>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code, signal) =>
			resolve({ code, signal, ...output, ms: performance.now() - startedAt }),
		);
	});
	return { child, ended, output: () => ({ ...output }) };
}

/** Runs the command line of this checkout, such as `spar(repo, ["run", "--json"])`, to its end. */
export function spar(
	repo: TestRepository,
	args: readonly string[],
	options?: SparOptions,
): Promise<SparResult> {
	return startSpar(repo, args, options).ended;
}
