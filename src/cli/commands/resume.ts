import { type Shell, withSparring } from "../shell.ts";
import { type OutputFlags, superviseRun } from "../supervise-run.ts";

/** Options of `spar resume`. */
export interface ResumeFlags extends OutputFlags {
	readonly maxTurns?: number;
}

/** `spar resume`: continues a run to its end. */
export async function resume(
	shell: Shell,
	runId: string | undefined,
	flags: ResumeFlags,
): Promise<number> {
	const options = { runId, maxTurns: flags.maxTurns };
	return await withSparring(shell, "write", (sparring) =>
		superviseRun(shell, flags, {
			sparring,
			work: (supervision) => sparring.resume({ ...options, ...supervision }),
			knownRun: runId,
		}),
	);
}
