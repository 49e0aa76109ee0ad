import type { RunSummary } from "../../app/sparring.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { table } from "../table.ts";
import { oneLine } from "../visible-text.ts";
import { RUN_STATUS_WORDS } from "../words.ts";

function runRow({ tasks, ...run }: RunSummary): string[] {
	const others = [
		...(tasks.failed > 0 ? [`${tasks.failed} failed`] : []),
		...(tasks.waiting > 0 ? [`${tasks.waiting} waiting`] : []),
	];
	return [
		run.run_id,
		oneLine(run.workflow, 40),
		RUN_STATUS_WORDS[run.status],
		run.base,
		run.created_at,
		[`${tasks.completed} of ${tasks.total} completed`, ...others].join(", "),
		run.landed ? "yes" : "no",
	];
}

/** `spar runs`: every run of the repository, newest first. */
async function runs(shell: Shell, flags: { readonly json?: boolean }): Promise<number> {
	return await withSparring(shell, "read", async (sparring) => {
		const all = await sparring.runs();
		if (flags.json === true) {
			printJson(shell, all);
		} else if (all.length === 0) {
			shell.err.write("no runs yet. Start one with: spar run\n");
		} else {
			const heading = ["run", "workflow", "status", "base", "created", "tasks", "landed"];
			shell.out.write(`${table([heading, ...all.map(runRow)])}\n`);
		}
		return EXIT.done;
	});
}

export const command: CliCommand = {
	example: "spar runs",
	define: (command, shell, finish) => {
		command.option("--json", "print JSON").action(async (flags: { readonly json?: boolean }) => {
			finish(await runs(shell, flags));
		});
	},
};
