import type { GateReport } from "../gate/gate-report.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { TaskContext } from "./context.ts";
import { replaceFile } from "./replace-file.ts";

/** Writes the gate's report where other tools read it: the run's own, and the newest run's. */
export async function writeGateReport(context: TaskContext, report: GateReport): Promise<void> {
	const text = `${JSON.stringify(maskAllButNames(context.masker, report), null, 2)}\n`;
	const name = `gate-reports/${context.task.id}.json`;
	await replaceFile(`${context.places.stateDir}/runs/${context.run.runId}/${name}`, text);
	const [newest] = await context.records.runs();
	if (newest?.runId === context.run.runId) {
		await replaceFile(`${context.places.stateDir}/state/${name}`, text);
	}
}
