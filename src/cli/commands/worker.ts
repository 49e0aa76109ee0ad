import type { ToldTask } from "../../machines/worker.ts";
import { commandOf } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { interruptible } from "../terminal/interrupt.ts";
import { healthAddress, tagList, wholeNumberTo } from "../terminal/option-values.ts";

const MOST_SLOTS = 256;

const WORDS: Readonly<Record<ToldTask["kind"], Readonly<Record<ToldTask["what"], string>>>> = {
	task: { taken: "taken", done: "rests", "given-back": "given back" },
	landing: { taken: "taken", done: "done", "given-back": "given back" },
};

interface WorkerFlags {
	readonly tags?: string;
	readonly slots?: number;
	readonly health?: ReturnType<typeof healthAddress>;
}

export const command = commandOf<WorkerFlags>(
	{
		examples: ["spar worker", "spar worker --slots 4", "spar worker --tags gpu,linux --slots 4"],
		page: "machines",
		options: {
			"--tags <list>": "what this machine has, such as gpu,linux (default: nothing)",
			"--slots <n>": ["work on so many tasks at once (default: 1)", wholeNumberTo(MOST_SLOTS)],
			"--health <port>": [
				"serve /live, /ready and /metrics on this port, or HOST:PORT (default host: 127.0.0.1)",
				healthAddress,
			],
			"--json": "print all that it says as lines of JSON, for a collector of logs",
		},
	},
	async (shell, { tags, slots = 1, health, json }) => {
		const machines = await shell.openMachines();
		const drain = new AbortController();
		let worker: string | null = null;
		const log = (level: "info" | "warning", said: object): void => {
			const time = new Date(shell.now()).toISOString();
			shell.out.write(`${JSON.stringify({ time, level, worker, ...said })}\n`);
		};
		const say = (message: string, level: "info" | "warning" = "warning"): void => {
			if (json === true) log(level, { message });
			else shell.err.print(`${message}\n`);
		};
		await interruptible(
			shell,
			(signal) =>
				machines.work({
					tags: tagList(tags),
					slots,
					signal,
					drain: drain.signal,
					health,
					onNotice: say,
					onReady: (ready) => {
						worker = ready.id;
						const has = ready.tags.length === 0 ? "no tags" : ready.tags.join(", ");
						const end = "press Ctrl-C to end it";
						say(`worker ${ready.id} takes ${slots} at once (${has}); ${end}`, "info");
					},
					onTask: ({ runId, taskId, kind, what }) => {
						if (json === true) log("info", { run_id: runId, task_id: taskId, kind, what });
						else say(`${taskId ?? "landing"} of run ${runId}: ${WORDS[kind][what]}`);
					},
				}),
			say,
			drain,
		);
		return EXIT.done;
	},
);
