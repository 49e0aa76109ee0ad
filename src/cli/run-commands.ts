import type { Command } from "commander";
import type { ResumeFlags } from "./commands/resume.ts";
import type { RunFlags } from "./commands/run.ts";
import { newCommand } from "./new-command.ts";
import type { Shell } from "./shell.ts";
import { wholeNumber } from "./whole-number.ts";

type Finish = (code: number) => void;

const withOutputOptions = (command: Command): Command =>
	command
		.option("--json", "print the report as JSON at the end")
		.option(
			"--events",
			"print each event as a line of JSON; with --json the report is the last line",
		);

function addRun(program: Command, shell: Shell, finish: Finish): void {
	const command = newCommand(
		program,
		"run",
		"run the tasks of a workflow to their end",
		"spar run sparring.yaml --task-id limiter --max-turns 5",
	)
		.argument("[file]", "workflow file, or a task file ending in .md (default: sparring.yaml)")
		.option("--task-id <id...>", "run only these tasks and what they depend on")
		.option("--task <text>", "describe one task in words instead of a file")
		.option("--criterion <text...>", "acceptance criteria of the task in words")
		.option("--max-turns <n>", "at most this many turns for each task", wholeNumber)
		.option("--max-parallel <n>", "tasks at the same time: 1 or 2", wholeNumber)
		.option("--record <file>", "write a cassette of every agent call")
		.option("--dry-run", "show what would run; start nothing");
	withOutputOptions(command).action(async (file: string | undefined, flags: RunFlags) => {
		const { run } = await import("./commands/run.ts");
		finish(await run(shell, file, flags));
	});
}

function addResume(program: Command, shell: Shell, finish: Finish): void {
	const command = newCommand(
		program,
		"resume",
		"continue a run after a stop, a crash or an answer",
		"spar resume",
	)
		.argument("[run]", "id of the run (default: the only one that has not ended)")
		.option("--max-turns <n>", "reopen failed tasks with this many turns", wholeNumber);
	withOutputOptions(command).action(async (run: string | undefined, flags: ResumeFlags) => {
		const { resume } = await import("./commands/resume.ts");
		finish(await resume(shell, run, flags));
	});
}

/** Adds `run`, `resume`, `cancel`, `land` and `prune`. */
export function addRunCommands(program: Command, shell: Shell, finish: Finish): void {
	addRun(program, shell, finish);
	addResume(program, shell, finish);
	newCommand(program, "cancel", "stop a run", "spar cancel")
		.argument("[run]", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (run: string | undefined, flags: { readonly json?: boolean }) => {
			const { cancel } = await import("./commands/cancel.ts");
			finish(await cancel(shell, run, flags));
		});
	newCommand(program, "land", "bring the integration branch into the base branch", "spar land")
		.argument("[run]", "id of the run (default: the newest)")
		.option("--json", "print JSON")
		.action(async (run: string | undefined, flags: { readonly json?: boolean }) => {
			const { land } = await import("./commands/land.ts");
			finish(await land(shell, run, flags));
		});
	newCommand(program, "prune", "remove checkouts and refs of ended runs", "spar prune")
		.option("--force", "remove unmerged work too")
		.option("--json", "print JSON")
		.action(async (flags: { readonly force?: boolean; readonly json?: boolean }) => {
			const { prune } = await import("./commands/prune.ts");
			finish(await prune(shell, flags));
		});
}
