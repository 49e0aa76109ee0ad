import type { LandReport } from "../../app/sparring.ts";
import type { CliCommand } from "../command.ts";
import { EXIT } from "../exit-code.ts";
import { interruptible } from "../interrupt.ts";
import { openProgress } from "../progress.ts";
import { printJson, type Shell, withSparring } from "../shell.ts";
import { oneLine } from "../visible-text.ts";

function renderLanding(report: LandReport): string {
	const at = report.commit === null ? "" : ` at ${report.commit}`;
	switch (report.outcome) {
		case "landed":
			return `landed ${report.run_id} on ${report.branch}${at}`;
		case "already_landed":
			return `${report.run_id} had already landed on ${report.branch}${at}`;
		case "refused":
			return `not landed on ${report.branch}: ${oneLine(report.reason ?? "no reason given", 2_000)}`;
	}
}

/** `spar land`: brings a run's integration branch into its base; exit 1 when it is refused. */
async function land(
	shell: Shell,
	runId: string | undefined,
	flags: { readonly json?: boolean },
): Promise<number> {
	return await withSparring(shell, "write", async (sparring) => {
		const progress = await openProgress(shell, false);
		const onNotice = (text: string): void => progress.onNotice(text);
		const ended = await interruptible(
			shell,
			(signal) =>
				sparring.land({
					runId,
					signal,
					onEvent: (event) => {
						// The command's own output says it.
						if (event.type !== "run-landed") progress.onEvent(event);
					},
					onNotice,
				}),
			onNotice,
		).finally(() => {
			progress.stop();
		});
		if (ended.kind === "interrupted") {
			const again = runId === undefined ? "spar land" : `spar land ${runId}`;
			shell.err.write(`interrupted; state saved. Continue with: ${again}\n`);
			return EXIT.interrupted;
		}
		if (flags.json === true) printJson(shell, ended.value);
		else shell.out.write(`${renderLanding(ended.value)}\n`);
		return ended.value.outcome === "refused" ? EXIT.failed : EXIT.done;
	});
}

export const command: CliCommand = {
	example: "spar land",
	define: (command, shell, finish) => {
		command
			.argument("[run]", "id of the run (default: the newest)")
			.option("--json", "print JSON")
			.action(async (run: string | undefined, flags: { readonly json?: boolean }) => {
				finish(await land(shell, run, flags));
			});
	},
};
