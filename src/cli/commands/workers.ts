import { commandOf, type JsonFlag } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-code.ts";
import { lineWidth, printJson } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";

export const command = commandOf<JsonFlag>(
	{
		examples: ["spar workers", "spar workers --json", "spar workers && spar status"],
		page: "machines",
		options: { "--json": "print a list of { id, host, tags, slots, busy, seen_at }" },
	},
	async (shell, { json }) => {
		const live = await (await shell.openMachines()).workers();
		const rows = live.map(({ id, tags, busy, slots, seenAt }) => [
			id,
			tags.length === 0 ? "-" : tags.join(", "),
			`${busy} of ${slots}`,
			seenAt,
		]);
		if (json === true)
			printJson(
				shell,
				live.map(({ seenAt, ...worker }) => ({ ...worker, seen_at: seenAt })),
			);
		else if (live.length === 0)
			shell.err.print("no worker runs. Start one in a clone on any machine: spar worker\n");
		else
			shell.out.print(
				`${table([["worker", "tags", "busy", "seen"], ...rows], lineWidth(shell.out))}\n`,
			);
		return EXIT.done;
	},
);
