import { runBoundedChild } from "./bounded-child.ts";

const TIMEOUT_MS = 120_000;
const MAX_ANSWER = 1_000_000;

/** Place of a call of a forge's program. */
export interface ForgePlace {
	readonly cwd: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly signal: AbortSignal | undefined;
}

/**
 * Runs `gh` or `glab` without questions, for at most 2 minutes. `text` is what it printed, or why it failed.
 *
 * @throws the signal's reason
 */
export async function runForge(
	{ name, program }: { readonly name: string; readonly program: string },
	args: readonly string[],
	{ cwd, env, signal, stdin = "" }: ForgePlace & { readonly stdin?: string },
): Promise<{ readonly ok: boolean; readonly text: string }> {
	// Where the repository is, the arguments say.
	const set = Object.entries(env).flatMap(([variable, value]) =>
		value === undefined || variable.startsWith("GIT_") ? [] : [[variable, value] as const],
	);
	const quiet = { GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
	const environment = { ...Object.fromEntries(set), ...quiet, NO_PROMPT: "1" };
	const limits = { maxStdout: MAX_ANSWER, timeoutMs: TIMEOUT_MS, signal };
	try {
		const end = await runBoundedChild({ program, args, cwd, env: environment, stdin, ...limits });
		if (end.exitCode === 0) return { ok: true, text: end.stdout.toString("utf8") };
		const words = end.stderr.replaceAll(/\s+/g, " ").slice(0, 500);
		return {
			ok: false,
			text: end.timedOut
				? `${name} took too long`
				: words || `${name} failed with exit code ${end.exitCode}`,
		};
	} catch (error) {
		if (signal?.aborted === true || !(error instanceof Error)) throw error;
		return { ok: false, text: error.message };
	}
}
