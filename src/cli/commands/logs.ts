import { outwaitStore } from "../../app/machines/outwait-store.ts";
import { noSuchTurn } from "../../app/no-such-turn.ts";
import type { RunReport } from "../../app/sparring.ts";
import type { TaskLog } from "../../app/task-logs.ts";
import { type JsonFlag, sparringCommand, TASK } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { untilInterrupted } from "../interrupt.ts";
import { logFilter } from "../log-filter.ts";
import { LogPrinter } from "../log-printer.ts";
import { wholeNumber } from "../option-values.ts";
import { paintFor } from "../paint.ts";
import { onlyTask, RUN_OPTION } from "../task-command.ts";

interface LogsFlags extends JsonFlag {
	readonly follow?: boolean;
	readonly role?: string;
	readonly turn?: number;
	readonly run?: string;
}

function isUnderWay({ holder, tasks }: RunReport, task: string): boolean {
	const status = tasks[task]?.status;
	const isOver = status === "completed" || status === "failed" || status === "cancelled";
	return holder !== null && !isOver;
}

/**
 * Refuses a turn that the task does not have. One that has begun may have printed nothing yet.
 *
 * @throws Fault `usage`
 */
function requireTurn(
	{ task, turn }: { readonly task: string; readonly turn: number | undefined },
	{ tasks }: RunReport,
	found: readonly TaskLog[],
): void {
	const turns = tasks[task]?.turns ?? 0;
	if (turn === undefined || turn <= turns || found.some((log) => log.turn === turn)) return;
	throw noSuchTurn("logs", { task, turn, turns });
}

/** A turn as people write it: 0 too, for what came before the first. */
const turnNumber = (text: string): number => (text === "0" ? 0 : wholeNumber(text));

/**
 * `spar logs`: what agents, checks and setups of a task printed, while they run too. With `--follow` it goes on until
 * nothing more can come: the task is over, or no process works on the run. Ctrl-C ends it, and not the run.
 */
export const command = sparringCommand<LogsFlags>(
	{
		examples: [
			"spar logs limiter",
			"spar logs limiter --follow --role player",
			"spar logs limiter --role check --turn 2",
		],
		page: "monitoring",
		access: "read",
		argument: TASK,
		options: {
			"--follow": "go on while the task is under way",
			"--role <role>": "only what this seat or agent printed, or check, or setup",
			"--turn <n>": ["only what was printed in this turn; 0 is the baseline", turnNumber],
			"--run <run>": RUN_OPTION,
			"--json": "print each line as a line of JSON",
		},
	},
	async ({ shell, sparring, flags }, named) => {
		const task = await onlyTask(sparring, named, flags.run);
		const first = await sparring.status(flags.run);
		const { run_id: runId } = first;
		const wanted = { task, runId, role: flags.role, turn: flags.turn };
		const paint = paintFor(shell.out, shell.env);
		const printer = new LogPrinter(shell.out, { task, json: flags.json === true, paint });
		const read = (log: TaskLog, from: number): Promise<string> => sparring.readLog(log, from);
		/** Prints what is new, and says whether more can come. */
		const look = async (): Promise<boolean> => {
			const report = flags.follow === true ? await sparring.status(runId) : first;
			const goesOn = flags.follow === true && isUnderWay(report, task);
			const found = await sparring.logs(task, runId);
			// A task that goes on may still come to that turn.
			if (!goesOn) requireTurn(wanted, report, found);
			await printer.print(found.filter(await logFilter(sparring, wanted)), read);
			return goesOn;
		};
		const onNotice = (text: string): void => shell.err.print(`${text}\n`);
		const ended = await untilInterrupted(shell, async (signal) => {
			const pause = (): Promise<void> => shell.pause(signal);
			while ((await outwaitStore(look, { signal, onNotice, pause })) && !signal.aborted)
				await pause();
			printer.end();
		});
		if (printer.isEmpty && flags.json !== true) shell.err.print("nothing was printed yet\n");
		return ended === "interrupted" ? EXIT.interrupted : EXIT.done;
	},
);
