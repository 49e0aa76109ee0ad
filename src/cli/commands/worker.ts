import type { ToldTask } from "../../machines/worker.ts";
import { commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { tagList, wholeNumberTo } from "../terminal/option-values.ts";

const MOST_SLOTS = 256;

const WORDS: Readonly<Record<ToldTask["kind"], Readonly<Record<ToldTask["what"], string>>>> = {
	task: { taken: "taken", done: "rests", "given-back": "given back" },
	landing: { taken: "taken", done: "done", "given-back": "given back" },
};

export const command = commandOf<{ readonly tags?: string; readonly slots?: number }>(
	{
		examples: ["spar worker", "spar worker --slots 4", "spar worker --tags gpu,linux --slots 4"],
		page: "machines",
		options: {
			"--tags <list>": "what this machine has, such as gpu,linux (default: nothing)",
			"--slots <n>": ["work on so many tasks at once (default: 1)", wholeNumberTo(MOST_SLOTS)],
			"--json": "print each task that is taken or let go as a line of JSON",
		},
	},
	async (shell, { tags, slots = 1, json }) => {
		const machines = await shell.openMachines();
		const say = (text: string): void => shell.err.print(`${text}\n`);
		await interruptible(
			shell,
			(signal) =>
				machines.work({
					tags: tagList(tags),
					slots,
					signal,
					onNotice: say,
					onReady: (ready) => {
						const has = ready.tags.length === 0 ? "no tags" : ready.tags.join(", ");
						say(`worker ${ready.id} takes ${slots} at once (${has}); press Ctrl-C to end it`);
					},
					onTask: ({ runId, taskId, kind, what }) => {
						if (json !== true)
							return say(`${taskId ?? "landing"} of run ${runId}: ${WORDS[kind][what]}`);
						const line = { run_id: runId, task_id: taskId, kind, what };
						shell.out.write(`${JSON.stringify(line)}\n`);
					},
				}),
			say,
		);
		return EXIT.done;
	},
);
