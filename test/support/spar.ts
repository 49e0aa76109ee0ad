import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { realpathSync } from "node:fs";
import { PassThrough, Writable } from "node:stream";
import type { HostProcess } from "../../src/cli/process-shell.ts";
import { startCli } from "../../src/cli/run-cli.ts";
import { PROGRAM } from "./program.ts";
import type { TestRepository } from "./repository.ts";

/** How a `spar` process ended. */
export interface SparResult {
	/** null when a signal ended it. */
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly stdout: string;
	readonly stderr: string;
	/** Wall-clock time of the whole process. */
	readonly ms: number;
	/** Both streams in the order in which they were written; of a process of its own, one after the other. */
	readonly shown: string;
}

export interface SparOptions {
	/** Absolute; default: the top of the repository. */
	readonly cwd?: string;
	/** Added to the repository's environment. */
	readonly env?: Readonly<Record<string, string>>;
	/** Absolute path of a module that Node.js loads first. */
	readonly preload?: string;
	/** What stands on standard input. Default: nothing; null leaves it open, for a process of its own. */
	readonly input?: string | null;
	/** Both streams are a terminal of this width; only in process. */
	readonly columns?: number;
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
	{ cwd = repo.root, env = {}, preload, input = "" }: SparOptions = {},
): SparProcess {
	const loaded = preload === undefined ? [] : ["--import", preload];
	const startedAt = performance.now();
	const child = spawn(process.execPath, [...loaded, PROGRAM, ...args], {
		cwd,
		env: { ...repo.env, ...env },
		stdio: "pipe",
	});
	// It may end before it reads.
	child.stdin.on("error", () => undefined);
	if (input !== null) child.stdin.end(input);
	const output = { stdout: "", stderr: "" };
	for (const name of ["stdout", "stderr"] as const) {
		child[name].setEncoding("utf8").on("data", (text: string) => {
			output[name] += text;
		});
	}
	const ended = new Promise<SparResult>((resolve, reject) => {
		child.once("error", reject);
		child.once("close", (code, signal) => {
			const ms = performance.now() - startedAt;
			resolve({ code, signal, ...output, ms, shown: output.stderr + output.stdout });
		});
	});
	return { child, ended, output: () => ({ ...output }) };
}

/** Runs the command line of this checkout in a process of its own, to its end. */
export function sparProcess(
	repo: TestRepository,
	args: readonly string[],
	options?: SparOptions,
): Promise<SparResult> {
	return startSpar(repo, args, options).ended;
}

/** A stream that keeps what is written to it. */
class Printed extends Writable {
	text = "";
	readonly isTTY: boolean;
	readonly columns: number;
	readonly #both: string[];

	/** @param both what is written to either stream */
	constructor(both: string[], columns: number | undefined) {
		super({ decodeStrings: false });
		this.#both = both;
		this.isTTY = columns !== undefined;
		this.columns = columns ?? 0;
	}

	override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
		this.text += chunk.toString();
		this.#both.push(chunk.toString());
		done();
	}
}

/** What a process is to a command: arguments, folder, environment, streams and signals. */
function hostProcess(
	args: readonly string[],
	place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
	streams: { readonly stdout: Printed; readonly stderr: Printed },
	input: string,
): HostProcess {
	const host = Object.assign(new EventEmitter(), {
		argv: [process.execPath, PROGRAM, ...args],
		cwd: () => realpathSync(place.cwd),
		env: { ...place.env },
		stdin: new PassThrough().end(input),
		...streams,
		exit: (code: unknown) => {
			throw new Error(`a command ended the process at once, with exit code ${String(code)}`);
		},
	});
	// Commands use no more of a process and its streams than what is here.
	return host as unknown as HostProcess;
}

/**
 * Runs the command line of this checkout in this process, to its end, such as `spar(repo, ["run", "--json"])`.
 *
 * Everything but `src/cli/main.ts` is what a process of its own would run; `sparProcess` starts one, where the
 * process is the subject. With a module to load first there is one in any case.
 */
export async function spar(
	repo: TestRepository,
	args: readonly string[],
	options: SparOptions = {},
): Promise<SparResult> {
	if (options.preload !== undefined) return sparProcess(repo, args, options);
	const { cwd = repo.root, env = {}, columns, input = "" } = options;
	const startedAt = performance.now();
	const both: string[] = [];
	const streams = { stdout: new Printed(both, columns), stderr: new Printed(both, columns) };
	const host = hostProcess(args, { cwd, env: { ...repo.env, ...env } }, streams, input ?? "");
	await startCli(host);
	return {
		code: Number(host.exitCode),
		signal: null,
		stdout: streams.stdout.text,
		stderr: streams.stderr.text,
		ms: performance.now() - startedAt,
		shown: both.join(""),
	};
}
