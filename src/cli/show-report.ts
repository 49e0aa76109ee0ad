import type { RunReport } from "../app/sparring.ts";
import { nextSteps } from "./next-steps.ts";
import { paintFor } from "./paint.ts";
import { renderReport } from "./render-report.ts";
import { lineWidth, type Outlet, type Shell } from "./shell.ts";

export function showReport(shell: Shell, outlet: Outlet, report: RunReport): void {
	const steps = nextSteps(report, lineWidth(outlet));
	outlet.print(`${renderReport(report, paintFor(outlet, shell.env), lineWidth(outlet))}\n`);
	if (steps !== "") outlet.print(`next:\n${steps}\n`);
}
