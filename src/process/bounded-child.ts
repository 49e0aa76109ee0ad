import { spawn } from "node:child_process";
import { groupEnd } from "./end-group.ts";
import { MARK_VARIABLE } from "./process-table.ts";
import { guard } from "./watchdog.ts";

/** A program to run, and its limits. */
export interface BoundedChild {
	/** Looked for in the `PATH` of `env`. */
	readonly program: string;
	readonly args: readonly string[];
	readonly cwd: string;
	/** The whole environment: nothing is inherited. */
	readonly env: Readonly<Record<string, string>>;
	readonly stdin: string | Buffer;
	/** Maximum bytes of standard output; the program is ended there. */
	readonly maxStdout: number;
	/** True: standard output is discarded and not limited. */
	readonly ignoresStdout?: boolean;
	readonly timeoutMs: number;
	/** Between being asked to end and being killed, in ms. Default: 2 s. */
	readonly graceMs?: number;
	/** Ends the program, which has a second to finish by itself. */
	readonly signal: AbortSignal | undefined;
}

export interface BoundedEnd {
	/** -1 when a signal ended it. */
	readonly exitCode: number;
	readonly stdout: Buffer;
	readonly stderr: string;
	/** True when `maxStdout` was reached: the rest was not read. */
	readonly truncated: boolean;
	readonly timedOut: boolean;
}

/**
 * Runs a program in its own process group. To end it, the whole group gets SIGTERM, and SIGKILL 2 s later; an abort
 * waits a second before that.
 *
 * @throws the signal's reason, after the program has ended; a system error such as `ENOENT` when it cannot be started
 */
export function runBoundedChild(child: BoundedChild): Promise<BoundedEnd> {
	return new Promise((resolve, reject) => {
		child.signal?.throwIfAborted();
		const { program, args, cwd, env } = child;
		const stdio: ["pipe", "pipe", "pipe"] = ["pipe", "pipe", "pipe"];
		const running = spawn(program, args, { cwd, env, detached: true, stdio });
		const { pid } = running;
		const out: Buffer[] = [];
		const errors: Buffer[] = [];
		let size = 0;
		let timedOut = false;
		const group = groupEnd(pid, child.graceMs);
		const end = (): void => group.begin();
		const limit = setTimeout(() => {
			timedOut = true;
			end();
		}, child.timeoutMs);
		const abort = (): void => group.beginSoon();
		// What carries no mark, such as a merge into the user's own work tree, is to finish.
		const isGuarded = pid !== undefined && child.env[MARK_VARIABLE] !== undefined;
		const release = isGuarded ? guard({ pid, call: null }) : () => undefined;
		const settled = (): void => {
			release();
			clearTimeout(limit);
			group.over();
			child.signal?.removeEventListener("abort", abort);
		};
		child.signal?.addEventListener("abort", abort);
		running.stdout.on("data", (chunk: Buffer) => {
			if (child.ignoresStdout === true) return;
			if (size <= child.maxStdout) out.push(chunk);
			size += chunk.length;
			if (size > child.maxStdout) end();
		});
		running.stderr.on("data", (chunk: Buffer) => {
			errors.push(chunk);
		});
		// A program that ends before it reads all input closes the pipe; its exit code says why.
		running.stdin.on("error", () => undefined);
		running.on("error", (cause) => {
			settled();
			reject(cause);
		});
		running.on("close", (code) => {
			settled();
			if (child.signal?.aborted === true) {
				reject(child.signal.reason);
				return;
			}
			const truncated = size > child.maxStdout;
			const stdout = Buffer.concat(out);
			resolve({
				exitCode: truncated ? 0 : (code ?? -1),
				stdout: truncated ? stdout.subarray(0, child.maxStdout) : stdout,
				stderr: Buffer.concat(errors).toString("utf8").trim(),
				truncated,
				timedOut: timedOut && !truncated,
			});
		});
		running.stdin.end(child.stdin);
	});
}
