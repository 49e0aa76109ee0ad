import { findRun } from "../../places/find-run.ts";
import type { RunResult } from "../../view/run-result.ts";
import { RUN } from "./fields.ts";
import { verb } from "./verb.ts";

export const result = verb({
	fields: { runId: RUN },
	places: ["runId"],
	access: "read",
	examples: [
		"spar report",
		"spar report --format junit --output sparring.xml",
		"spar report 20261121-230218-3a67 --format html --output report.html",
	],
	forAgents: "Tells all that a reviewer wants to know of a run.",
	run: async (own, { runId }): Promise<RunResult> => {
		const { records } = await own.existing();
		const run = await findRun(records, runId);
		const { readRunResult } = await import("../../view/read-run-result.ts");
		const { maskAllButNames } = await import("../../store/mask-texts.ts");
		const { runMasker } = await import("../../places/run-masker.ts");
		const told = await readRunResult(records, run, await own.report(run));
		return maskAllButNames(await runMasker(run, own), told);
	},
});
