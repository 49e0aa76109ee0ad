import { Fault } from "../../kernel/fault.ts";
import { lookOf } from "../terminal/paint.ts";
import { reportText } from "../terminal/render-report.ts";
import { type VerbCall, verbCommand } from "../terminal/verb-command.ts";

async function reportOf({ sparring, given: { runId } }: VerbCall<"status">) {
	try {
		return await sparring.status(runId);
	} catch (error) {
		const none = runId === undefined && error instanceof Fault && error.code === "run-not-found";
		if (none) return null;
		throw error;
	}
}

export const command = verbCommand<"status", { readonly watch?: boolean }>("status", {
	options: {
		"--watch": "show its tasks as they go on, until the run ends or waits",
		"--json": "print JSON; with --watch a line for each change",
	},
	show: (report, look) => ({ text: reportText(report, look) }),
	act: async ({ shell, flags, ...call }) => {
		const report = await reportOf(call);
		if (report === null) {
			shell.err.print('no runs yet. Start one with: spar "what is to be done"\n');
			return { json: null };
		}
		if (flags.watch !== true)
			return { json: report, text: reportText(report, lookOf(shell.out, shell.env)) };
		const { watchStatus } = await import("../terminal/watch-status.ts");
		return await watchStatus({ shell, sparring: call.sparring }, report, flags.json === true);
	},
});
