import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { lineWidth, printJson, type Shell } from "../shell.ts";
import { table } from "../table.ts";

async function workers(shell: Shell, { json }: { readonly json?: boolean }): Promise<number> {
	const live = await (await shell.openMachines()).workers();
	if (json === true) {
		const shown = live.map(({ seenAt, ...worker }) => ({ ...worker, seen_at: seenAt }));
		printJson(shell, shown);
		return EXIT.done;
	}
	if (live.length === 0) {
		shell.err.print("no worker runs. Start one in a clone on any machine: spar worker\n");
		return EXIT.done;
	}
	const rows = live.map(({ id, tags, busy, slots, seenAt }) => [
		id,
		tags.length === 0 ? "-" : tags.join(", "),
		`${busy} of ${slots}`,
		seenAt,
	]);
	shell.out.print(
		`${table([["worker", "tags", "busy", "seen"], ...rows], lineWidth(shell.out))}\n`,
	);
	return EXIT.done;
}

export const command: CliCommand = {
	examples: ["spar workers", "spar workers --json", "spar workers && spar status"],
	page: "machines",
	define: (command, shell, finish) => {
		command
			.option("--json", "print a list of { id, host, tags, slots, busy, seen_at }")
			.action(async (flags: { readonly json?: boolean }) => {
				finish(await workers(shell, flags));
			});
	},
};
