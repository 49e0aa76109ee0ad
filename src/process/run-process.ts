import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Capture, StreamText, type TextSink, WholeLines } from "./capture.ts";
import { GRACE_MS } from "./end-group.ts";
import { notStarted } from "./ended-result.ts";
import type { OpenProcess, ProcessHost, ProcessRequest, ProcessResult } from "./process.ts";
import { MARK_VARIABLE, startTicksOf, tracesOf } from "./process-table.ts";
import { callTree, type ProcessTree } from "./process-tree.ts";
import { guard } from "./watchdog.ts";

// Only a process that refuses signals holds pipes after all others ended.
const DRAIN_MS = 2_000;

/** The largest delay of a timer, in ms: a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

interface Started {
	readonly child: ChildProcess;
	readonly tree: ProcessTree;
	// Ends the guard.
	readonly release: () => void;
}

// Guarded before anything else can happen. Some errors are thrown (E2BIG), others are events (ENOENT).
async function start(request: ProcessRequest, input: "given" | "open"): Promise<Started | string> {
	const [program, ...args] = request.command;
	let stdin: number | null = null;
	try {
		stdin = request.stdin === undefined ? null : openStdin(request.stdin);
	} catch (error) {
		// Calls of the file system throw system errors, which carry a code.
		return `temporary file: ${(error as NodeJS.ErrnoException).code ?? "unknown error"}`;
	}
	try {
		const child = spawn(program, args, {
			cwd: request.cwd,
			env: { ...request.env, [MARK_VARIABLE]: request.mark },
			detached: true,
			stdio: [input === "open" ? "pipe" : (stdin ?? "ignore"), "pipe", "pipe"],
			windowsHide: true,
		});
		const { pid } = child;
		if (pid !== undefined) {
			const { mark, places = [] } = request;
			const since = startTicksOf(pid);
			const release = guard({ pid, call: { mark, places, since } });
			const tree = callTree(pid, mark, tracesOf({ root: pid, since }, places));
			return { child, tree, release };
		}
		return await new Promise<string>((resolve) => {
			child.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		});
	} catch (error) {
		// `spawn` throws errors only; those of the system and of Node carry a code.
		const { code, message } = error as NodeJS.ErrnoException;
		return code ?? message;
	} finally {
		if (stdin !== null) closeSync(stdin);
	}
}

/**
 * Opens a text as a child's standard input, in an unlinked file that only this user can read. A pipe of Node is a
 * socket: with one `bash -c` assumes a remote shell and runs the user's `.bashrc`, and a program cannot open
 * `/dev/stdin`.
 */
function openStdin(text: string): number {
	const path = join(tmpdir(), `spar-stdin-${randomUUID()}`);
	try {
		writeFileSync(path, text, { flag: "wx", mode: 0o600 });
		return openSync(path, "r");
	} finally {
		// Forced, so that the error of a file that could not be created is not hidden.
		rmSync(path, { force: true });
	}
}

// The system also reports a missing working directory as ENOENT.
function explainStart(code: string, cwd: string): string {
	if (code !== "ENOENT") return code;
	return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true ? code : "ENOTDIR";
}

function collect(child: ChildProcess, request: ProcessRequest) {
	const { maxOutput, onStdout, onOutput } = request;
	const captures = {
		stdout: new Capture(maxOutput),
		stderr: new Capture(maxOutput),
		output: new Capture(maxOutput),
	};
	const transcript: TextSink = {
		add: (text) => {
			captures.output.add(text);
			onOutput?.(text);
		},
	};
	const texts = (["stdout", "stderr"] as const).map((name) => {
		const more = name === "stdout" && onStdout !== undefined ? [{ add: onStdout }] : [];
		const text = new StreamText([captures[name], new WholeLines(transcript), ...more]);
		child[name]?.on("data", (chunk: Buffer) => text.add(chunk));
		child[name]?.once("close", () => text.end());
		child[name]?.on("error", () => undefined);
		return text;
	});
	return {
		...captures,
		end: () => {
			for (const text of texts) text.end();
		},
	};
}

type End = "exited" | "timeout" | "aborted" | "asked";

function firstEnd(
	{ exited, asked }: { readonly exited: Promise<unknown>; readonly asked: Promise<void> },
	timeoutMs: number,
	signal: AbortSignal,
): Promise<End> {
	return new Promise((resolve) => {
		const settle = (end: End): void => {
			clearTimeout(timer);
			signal.removeEventListener("abort", onAbort);
			resolve(end);
		};
		const onAbort = (): void => settle("aborted");
		const timer = setTimeout(() => settle("timeout"), Math.min(timeoutMs, MAX_TIMER_MS));
		signal.addEventListener("abort", onAbort);
		void exited.then(() => settle("exited"));
		void asked.then(() => settle("asked"));
		if (signal.aborted) settle("aborted");
	});
}

/**
 * Waits for a promise, whatever comes of it, at most `ms`. After a blocked event loop it gets another chance to settle.
 */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
	const done = new AbortController();
	const timer = delay(ms, undefined, { signal: done.signal }).catch(() => undefined);
	await Promise.race([promise.catch(() => undefined), timer]);
	done.abort();
	await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Runs a program until it exits, and ends everything that it started.
 *
 * When the promise settles, nothing of the call is left running: its process group and session, and what one sweep over
 * the machine's processes finds: every process with its mark, on Linux also those that lost it and hold the call's output
 * or work in one of its `places`, and all descendants of these. After a normal exit, leftovers are killed at once. At the
 * timeout all get SIGTERM, and SIGKILL 2 s later.
 * A program that cannot be started gives `started: false`: `ENOENT` for a missing program, `ENOTDIR` for a missing
 * working directory, `temporary file: CODE` when standard input could not be stored (a full disk), otherwise the
 * system's code, such as `EACCES` or `E2BIG`.
 *
 * Two kinds of process escape: one of another user (setuid) and, without a sandbox, one that leaves its session,
 * parents, environment, output and places. On macOS that is one that leaves its group and parents, if it is the system's
 * own program or clears its environment.
 *
 * Where this process dies meanwhile, a watchdog ends the program with all that has its mark or works in its places.
 *
 * @param signal kills everything at once; the promise then rejects with the signal's reason
 */
export async function runProcess(
	request: ProcessRequest,
	signal: AbortSignal,
): Promise<ProcessResult> {
	const running = await launch(request, signal, "given");
	return "ended" in running ? running.ended : running;
}

/**
 * Starts a program with open standard input, by the rules of `runProcess`.
 *
 * @returns a result when the program cannot be started
 */
export async function openProcess(
	request: ProcessRequest,
	signal: AbortSignal,
): Promise<OpenProcess | ProcessResult> {
	const running = await launch(request, signal, "open");
	if (!("ended" in running)) return running;
	const { stdin, stdout } = running.child;
	if (stdin === null || stdout === null) throw new Error("a process was opened without pipes");
	// A write after the program has ended is not an error; `ended` tells.
	stdin.on("error", () => undefined);
	return { stdin, stdout, end: running.end, ended: running.ended };
}

interface Launched {
	readonly child: ChildProcess;
	readonly end: () => void;
	readonly ended: Promise<ProcessResult>;
}

async function launch(
	request: ProcessRequest,
	signal: AbortSignal,
	input: "given" | "open",
): Promise<Launched | ProcessResult> {
	signal.throwIfAborted();
	const startedAt = Date.now();
	const clock = performance.now();
	const started = await start(request, input);
	if (typeof started === "string") return notStarted(explainStart(started, request.cwd), startedAt);
	const { child, release } = started;
	const asked = Promise.withResolvers<void>();
	const captures = collect(child, request);
	const call = { signal, asked: asked.promise, startedAt, clock, captures };
	const ended = supervise(started, request, call).finally(release);
	// The caller may await `ended` later, so the rejection must not count as unhandled.
	ended.catch(() => undefined);
	return { child, end: asked.resolve, ended };
}

async function supervise(
	{ child, tree }: Started,
	request: ProcessRequest,
	{
		signal,
		asked,
		startedAt,
		clock,
		captures,
	}: {
		readonly captures: ReturnType<typeof collect>;
		readonly signal: AbortSignal;
		readonly asked: Promise<void>;
		readonly startedAt: number;
		readonly clock: number;
	},
): Promise<ProcessResult> {
	const exited = new Promise<{ readonly exitCode: number | null; readonly signal: string | null }>(
		(resolve) => {
			child.once("exit", (exitCode, name) => resolve({ exitCode, signal: name }));
		},
	);
	const closed = new Promise((resolve) => child.once("close", resolve));
	const end = await firstEnd({ exited, asked }, request.timeoutMs, signal);
	if (end === "timeout" || end === "asked") await tree.ask(GRACE_MS, signal);
	await tree.kill();
	const exit = await exited;
	await within(closed, DRAIN_MS);
	for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
	// A stream that another process still holds open has not ended.
	captures.end();
	signal.throwIfAborted();
	return {
		...exit,
		timedOut: end === "timeout",
		started: true,
		startError: null,
		stdout: captures.stdout.text(),
		stderr: captures.stderr.text(),
		output: captures.output.text(),
		startedAt,
		ms: Math.round(performance.now() - clock),
	};
}

/** Runs processes without a sandbox, with the user's rights. */
export const bareHost: ProcessHost = { confines: false, run: runProcess, open: openProcess };
