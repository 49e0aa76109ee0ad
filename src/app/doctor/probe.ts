import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Harness, Login } from "../../agents/harness/harness.ts";
import { homeVariables } from "../../agents/harness/harness-agent.ts";
import { randomId } from "../../kernel/ids.ts";
import { childEnvironment } from "../../process/environment.ts";
import type { ProcessResult } from "../../process/process.ts";
import { runProcess } from "../../process/run-process.ts";
import { makeTemporary } from "../../process/temporary.ts";

/** Longest time that a coding agent has to answer a question about itself, in ms. */
const PROBE_MS = 20_000;

/** Its answers are a few lines. In characters. */
const MOST_OUTPUT = 20_000;

/** A coding agent to look at, and what a call of it would get. */
export interface Probe {
	/** Absolute path. */
	readonly program: string;
	readonly login: Login;
	/** Names of the variables that the workflow passes on to it. */
	readonly named: readonly string[];
	/** Additional arguments of the workflow file; default none. */
	readonly args?: readonly string[];
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Ends it; left out: only the time does. */
	readonly signal?: AbortSignal | undefined;
}

/** Runs the program with these arguments. */
export type RunProbe = (args: readonly string[]) => Promise<ProcessResult>;

/**
 * Lets `use` run a coding agent with the environment of a call, in an empty directory, each time for 20 s at most.
 * The directories are removed afterwards.
 */
export async function withProbe<T>(
	harness: Harness,
	{ program, login, named, env, signal = new AbortController().signal }: Probe,
	use: (run: RunProbe) => Promise<T>,
): Promise<T> {
	const folder = await makeTemporary("spar-doctor-");
	const cwd = path.join(folder, "empty");
	// Beside the temporary directory: Codex refuses a home below it.
	const [home, tmp] = [path.join(folder, "home"), path.join(folder, "tmp")];
	try {
		for (const each of [cwd, home, tmp]) await mkdir(each, { mode: 0o700 });
		const passed = childEnvironment(
			env,
			login === "key" ? named : [...named, ...harness.storeVariables],
		);
		const environment = {
			...passed,
			...(login === "key" ? homeVariables(home) : {}),
			...Object.fromEntries(Object.entries(passed).filter(([name]) => named.includes(name))),
			TERM: "dumb",
			NO_COLOR: "1",
			TMPDIR: tmp,
		};
		const mark = `spar-doctor/${randomId(12)}`;
		return await use((args) =>
			runProcess(
				{
					command: [program, ...args],
					cwd,
					env: environment,
					mark,
					places: [folder],
					maxOutput: MOST_OUTPUT,
					timeoutMs: PROBE_MS,
				},
				signal,
			),
		);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
