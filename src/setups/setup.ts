import { readFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { attempt } from "../kernel/attempt.ts";
import { formatDuration } from "../kernel/duration.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import type { Masker } from "../masking/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { ProcessResult } from "../process/process.ts";
import { runProcess } from "../process/run-process.ts";
import { type Execution, openExecution, type ShownHome } from "./execution.ts";

export interface SetupRequest {
	readonly checkout: string;
	readonly commands: readonly string[];
	readonly key: string;
	/** Absolute path of a file outside of the checkout with the key of the last successful setup. */
	readonly stateFile: string;
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
	readonly work: string;
	readonly confines: boolean;
	readonly home: string | null;
	readonly shown?: ShownHome | undefined;
	readonly masker: Masker;
	readonly timeoutMs: number;
	/** Told before the commands run. */
	readonly onRun?: (() => void) | undefined;
	/** Run even when the key is unchanged, and never from what is kept: a cold run. */
	readonly force: boolean;
	/** Fills the checkout from a kept result. Null: none fits, so the commands run. */
	readonly kept?: (() => Promise<SetupResult | null>) | undefined;
}

export interface SetupResult {
	readonly status: Extract<EvidenceStatus, "pass" | "fail" | "error">;
	/** False when no command had to run. */
	readonly ran: boolean;
	/** Null only for `pass`. */
	readonly reason: string | null;
	/** Masked output of the commands, the last 20,000 characters. */
	readonly output: string;
	readonly ms: number;
}

const MAX_OUTPUT = 20_000;

/**
 * Prepares a checkout, once per key. The stored key is deleted before the commands run and written after they
 * succeeded, so they run again after a kill.
 *
 * @throws Fault `state-unwritable` or `disk-full`; the signal's reason when aborted
 */
export async function runSetup(
	request: SetupRequest,
	signal: AbortSignal,
	run: typeof runProcess = runProcess,
): Promise<SetupResult> {
	const { commands, key, stateFile } = request;
	if (commands.length === 0 || (!request.force && isSetUp(stateFile, key))) {
		return { status: "pass", ran: false, reason: null, output: "", ms: 0 };
	}
	await asStateFault(stateFile, () => rm(stateFile, { force: true }));
	const kept = request.force ? null : await request.kept?.();
	const result = kept ?? (await runCommands(request, signal, run));
	if (result.status === "pass") {
		await asStateFault(stateFile, async () => {
			await mkdir(path.dirname(stateFile), { recursive: true });
			await writeFile(stateFile, key);
		});
	}
	return result;
}

export function isSetUp(stateFile: string, key: string): boolean {
	// Missing or unreadable: run the setup again, which is always safe.
	return attempt(() => readFileSync(stateFile, "utf8").trim() === key, false);
}

async function runCommands(
	request: SetupRequest,
	signal: AbortSignal,
	run: typeof runProcess,
): Promise<SetupResult> {
	request.onRun?.();
	const execution = await openExecution({ ...request, installs: true });
	try {
		return await runIn(execution, request, signal, run);
	} finally {
		await execution.close();
	}
}

async function runIn(
	{ env, writable, temporary }: Execution,
	request: SetupRequest,
	signal: AbortSignal,
	run: typeof runProcess,
): Promise<SetupResult> {
	let output = "";
	let ms = 0;
	for (const command of request.commands) {
		const left = request.timeoutMs - ms;
		const result = await run(
			{
				command: ["sh", "-c", command],
				cwd: request.checkout,
				env,
				timeoutMs: Math.max(1, left),
				mark: request.mark,
				places: [request.checkout, temporary],
				apart: request.home !== null,
				writable,
			},
			signal,
		);
		output += `$ ${command}\n${result.output}${result.output.endsWith("\n") ? "" : "\n"}`;
		ms += result.ms;
		const problem = problemOf(command, result, request.timeoutMs);
		if (problem !== undefined) return { ...finish(request.masker, problem, output), ms };
	}
	const passed = { status: "pass", reason: null } as const;
	return { ...finish(request.masker, passed, output), ms };
}

type SetupOutcome = Pick<SetupResult, "status" | "reason">;

function finish(masker: Masker, { status, reason }: SetupOutcome, output: string) {
	return {
		status,
		ran: true,
		reason: reason === null ? null : masker.mask(reason),
		output: maskCaptured(output, masker).slice(-MAX_OUTPUT),
	};
}

function problemOf(
	command: string,
	result: ProcessResult,
	timeoutMs: number,
): SetupOutcome | undefined {
	const named = `setup "${command}"`;
	if (!result.started) {
		return { status: "error", reason: `${named} could not start: ${result.startError ?? "?"}` };
	}
	if (result.timedOut) {
		return {
			status: "error",
			reason: `${named} timed out: the whole setup is limited to ${formatDuration(timeoutMs)}`,
		};
	}
	if (result.exitCode === null) {
		return { status: "error", reason: `${named} was ended by ${result.signal ?? "a signal"}` };
	}
	if (result.exitCode === 126 || result.exitCode === 127) {
		return {
			status: "error",
			reason: `${named} could not start: a program is missing or not executable (exit code ${result.exitCode})`,
		};
	}
	return result.exitCode === 0
		? undefined
		: { status: "fail", reason: `${named} ended with exit code ${result.exitCode}` };
}
