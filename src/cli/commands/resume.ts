import { MOST_PARALLEL } from "../../workflow/limits.ts";
import { asGiven } from "../terminal/as-given.ts";
import { sparringCommand, VERBOSE } from "../terminal/command.ts";
import { wholeNumber, wholeNumberTo } from "../terminal/option-values.ts";
import { type OutputFlags, superviseRun } from "../terminal/supervise-run.ts";

export const command = sparringCommand<
	OutputFlags & {
		readonly maxTurns?: number;
		readonly maxParallel?: number;
		readonly player?: string;
		readonly coach?: string;
		readonly model?: string;
		readonly anyway?: boolean;
	}
>(
	{
		examples: ["spar resume", "spar resume --max-turns 6", "spar resume --player codex"],
		access: "write",
		argument: ["[run]", "id of the run (default: the only one that has not ended)"],
		options: {
			"--max-turns <n>": ["reopen failed tasks with this many turns", wholeNumber],
			"--max-parallel <n>": ["at most this many tasks at once", wholeNumberTo(MOST_PARALLEL)],
			"--player <agent>": "this agent plays from now on, such as where a limit is reached",
			"--coach <agent>": "this agent judges from now on",
			"--model <name>": "model of that player; of that coach; else of those who play now",
			"--anyway": "go on although a seat, the setup or a check cannot be used",
			"--verbose": VERBOSE,
			"--json": "print the report as JSON at the end",
			"--events": "print each event as a line of JSON; with --json the report is the last line",
		},
	},
	async ({ shell, sparring, flags }, runId) => {
		const { maxTurns, maxParallel, anyway, player, coach, model } = flags;
		const again = { maxParallel, anyway };
		const options = { runId, maxTurns, player, coach, model, ...again };
		return await superviseRun(shell, flags, {
			sparring,
			work: (supervision) => sparring.resume({ ...options, ...supervision }),
			knownRun: runId,
			again,
		}).catch((error: unknown) => {
			throw asGiven(error, "resume", {
				"--max-turns": maxTurns,
				"--max-parallel": maxParallel,
				"--player": player,
				"--coach": coach,
				"--model": model,
			});
		});
	},
);
