import { MOST_PARALLEL } from "../../workflow/max-parallel.ts";
import { asGiven } from "../as-given.ts";
import type { CliCommand } from "../command.ts";
import { type Shell, withSparring } from "../shell.ts";
import { type OutputFlags, superviseRun } from "../supervise-run.ts";
import { wholeNumber, wholeNumberTo } from "../whole-number.ts";

interface ResumeFlags extends OutputFlags {
	readonly maxTurns?: number;
	readonly maxParallel?: number;
	readonly player?: string;
	readonly coach?: string;
	readonly model?: string;
	readonly anyway?: boolean;
}

async function resume(
	shell: Shell,
	runId: string | undefined,
	flags: ResumeFlags,
): Promise<number> {
	const { maxTurns, maxParallel, anyway, player, coach, model } = flags;
	const again = { maxParallel, anyway };
	const options = { runId, maxTurns, player, coach, model, ...again };
	return await withSparring(shell, "write", (sparring) =>
		superviseRun(shell, flags, {
			sparring,
			work: (supervision) => sparring.resume({ ...options, ...supervision }),
			knownRun: runId,
			again,
		}),
	);
}

export const command: CliCommand = {
	examples: ["spar resume", "spar resume --max-turns 6", "spar resume --player codex"],
	define: (command, shell, finish) => {
		command
			.argument("[run]", "id of the run (default: the only one that has not ended)")
			.option("--max-turns <n>", "reopen failed tasks with this many turns", wholeNumber)
			.option("--max-parallel <n>", "at most this many tasks at once", wholeNumberTo(MOST_PARALLEL))
			.option("--player <agent>", "this agent plays from now on, such as where a limit is reached")
			.option("--coach <agent>", "this agent judges from now on")
			.option("--model <name>", "model of that player; of that coach; else of those who play now")
			.option("--anyway", "go on although a seat, the setup or a check cannot be used")
			.option("--json", "print the report as JSON at the end")
			.option(
				"--events",
				"print each event as a line of JSON; with --json the report is the last line",
			)
			.action(async (run: string | undefined, flags: ResumeFlags) => {
				finish(
					await resume(shell, run, flags).catch((error: unknown) => {
						const given = {
							"--max-turns": flags.maxTurns,
							"--max-parallel": flags.maxParallel,
							"--player": flags.player,
							"--coach": flags.coach,
							"--model": flags.model,
						};
						throw asGiven(error, "resume", given);
					}),
				);
			});
	},
};
