import type { OnMachines } from "../../machines/open-machines.ts";
import { heldBackText } from "../../words/standing.ts";
import { type CliCommand, commandOf } from "../terminal/command.ts";
import { usageFault } from "../terminal/option-values.ts";
import { lineWidth } from "../terminal/shell.ts";
import { withSubcommands } from "../terminal/subcommands.ts";
import { table } from "../terminal/table.ts";

type Worker = Awaited<ReturnType<OnMachines["workers"]>>["workers"][number];

const lackLines = ({ id, lacks }: Worker): readonly string[] =>
	lacks.map(({ runId, why }) => `${id} cannot work on run ${runId}: ${why}`);

const list = commandOf(
	{
		examples: ["spar workers list", "spar workers list --json", "spar workers list && spar status"],
		page: "machines",
		options: {
			"--json": "print a list of { id, host, tags, slots, busy, lacks, draining, seen_at }",
		},
	},
	async (shell) => {
		const machines = await shell.openMachines();
		const { workers: live, heldBack } = await machines.workers();
		const rows = live.map(({ id, tags, busy, slots, draining, seenAt }) => [
			id,
			tags.length === 0 ? "-" : tags.join(", "),
			`${busy} of ${slots}${draining ? ", drains" : ""}`,
			seenAt,
		]);
		const json = live.map(({ seenAt, lacks, ...worker }) => ({
			...worker,
			lacks: lacks.map(({ runId, agent, why }) => ({ run_id: runId, agent, why })),
			seen_at: seenAt,
		}));
		if (live.length === 0) {
			return { json, note: "no worker runs. Start one in a clone on any machine: spar worker" };
		}
		const heading = ["worker", "tags", "busy", "seen"];
		const held = heldBack.map(({ runId, tasks }) => `run ${runId}: ${heldBackText(tasks)}`);
		const lines = [
			table([heading, ...rows], lineWidth(shell.out)),
			...live.flatMap(lackLines),
			...held,
		];
		return { json, text: lines.join("\n") };
	},
);

const drain = commandOf<{ readonly all?: boolean }>(
	{
		examples: [
			"spar workers drain build-7",
			"spar workers drain --all",
			"spar workers drain --all --json",
		],
		page: "machines",
		argument: ["[name]", "a worker, or a machine with all of its workers"],
		options: {
			"--all": "all workers of the store",
			"--json": "print the ids of the workers that drain",
		},
	},
	async (shell, { all = false }, name) => {
		if (all === (name !== undefined))
			throw usageFault(
				"name one worker or machine, or give --all",
				"spar workers lists them; spar workers drain NAME, or: spar workers drain --all",
			);
		const json = await (await shell.openMachines()).drain(name ?? null);
		if (json.length === 0 && name !== undefined)
			throw usageFault(`no worker ${name} runs`, "spar workers lists those that do.");
		const note = json.map((id) => `${id} finishes what it works on, and ends`).join("\n");
		return { json, note: json.length === 0 ? "no worker runs" : note };
	},
);

export const command: CliCommand = withSubcommands(
	{
		examples: ["spar workers", "spar workers --json", "spar workers drain --all"],
		page: "machines",
	},
	{
		list: ["list the workers that run (the default)", list],
		drain: ["let workers finish what they work on, and end", drain],
	},
);
