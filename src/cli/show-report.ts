import type { RunReport, Sparring } from "../app/sparring.ts";
import { nextSteps } from "./next-steps.ts";
import { paintFor } from "./paint.ts";
import { renderReport } from "./render-report.ts";
import type { Outlet, Shell } from "./shell.ts";

/** Prints a run and what to do next about it. */
export async function showReport(
	shell: Shell,
	outlet: Outlet,
	sparring: Sparring,
	report: RunReport,
): Promise<void> {
	const runs = await sparring.runs();
	const landed = runs.some(({ run_id, landed: done }) => run_id === report.run_id && done);
	const steps = nextSteps(report, landed);
	outlet.write(`${renderReport(report, paintFor(outlet, shell.env))}\n`);
	if (steps !== "") outlet.write(`next:\n${steps}\n`);
}
