import type { RunReport } from "../app/sparring.ts";
import { nextSteps } from "./next-steps.ts";
import { paintFor } from "./paint.ts";
import { renderReport } from "./render-report.ts";
import type { Outlet, Shell } from "./shell.ts";

/** Prints a run and what to do next about it. */
export function showReport(shell: Shell, outlet: Outlet, report: RunReport): void {
	const steps = nextSteps(report);
	outlet.write(`${renderReport(report, paintFor(outlet, shell.env))}\n`);
	if (steps !== "") outlet.write(`next:\n${steps}\n`);
}
