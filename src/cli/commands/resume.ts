import { VERBS } from "../../library/verbs/table.ts";
import { asGiven } from "../terminal/as-given.ts";
import { type OutputFlags, superviseRun } from "../terminal/supervise-run.ts";
import { RUN_OUTPUT, verbCommand } from "../terminal/verb-command.ts";

export const command = verbCommand<"resume", OutputFlags>("resume", {
	options: RUN_OUTPUT,
	act: async ({ shell, sparring, flags, given }) => {
		const { runId, maxParallel, anyway } = given;
		return await superviseRun(shell, flags, {
			sparring,
			work: (supervision) => sparring.resume({ ...given, ...supervision }),
			knownRun: runId,
			again: { maxParallel, anyway },
		}).catch((error: unknown) => {
			throw asGiven(error, "resume", VERBS.resume.fields, given);
		});
	},
});
