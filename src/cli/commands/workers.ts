import { commandOf } from "../terminal/command.ts";
import { lineWidth } from "../terminal/shell.ts";
import { table } from "../terminal/table.ts";

export const command = commandOf(
	{
		examples: ["spar workers", "spar workers --json", "spar workers && spar status"],
		page: "machines",
		options: { "--json": "print a list of { id, host, tags, slots, busy, seen_at }" },
	},
	async (shell) => {
		const live = await (await shell.openMachines()).workers();
		const rows = live.map(({ id, tags, busy, slots, seenAt }) => [
			id,
			tags.length === 0 ? "-" : tags.join(", "),
			`${busy} of ${slots}`,
			seenAt,
		]);
		const json = live.map(({ seenAt, ...worker }) => ({ ...worker, seen_at: seenAt }));
		if (live.length === 0) {
			return { json, note: "no worker runs. Start one in a clone on any machine: spar worker" };
		}
		const heading = ["worker", "tags", "busy", "seen"];
		return { json, text: table([heading, ...rows], lineWidth(shell.out)) };
	},
);
