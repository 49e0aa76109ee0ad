import type { VerbName } from "../library/verbs/table.ts";
import type { CliCommand } from "./terminal/command.ts";
import type { VerbCommand } from "./terminal/verb-command.ts";

type Door = () => Promise<{ readonly command: CliCommand | VerbCommand }>;

/** Verbs that have something of their own in the terminal: colours, a pager, a format. */
const DOORS: Readonly<Partial<Record<VerbName, Door>>> = {
	check: () => import("./commands/check.ts"),
	validate: () => import("./commands/validate.ts"),
	planTasks: () => import("./commands/plan.ts"),
	approve: () => import("./commands/approve.ts"),
	run: () => import("./commands/run.ts"),
	resume: () => import("./commands/resume.ts"),
	status: () => import("./commands/status.ts"),
	runs: () => import("./commands/runs.ts"),
	events: () => import("./commands/watch.ts"),
	logs: () => import("./commands/logs.ts"),
	trace: () => import("./commands/trace.ts"),
	diff: () => import("./commands/diff.ts"),
	gate: () => import("./commands/gate.ts"),
	findings: () => import("./commands/findings.ts"),
	calibration: () => import("./commands/calibration.ts"),
	cancel: () => import("./commands/cancel.ts"),
	land: () => import("./commands/land.ts"),
	result: () => import("./commands/report.ts"),
	prune: () => import("./commands/prune.ts"),
};

/** The command of a verb; one that has nothing of its own is told as JSON. */
export async function verbDoor(method: VerbName): ReturnType<Door> {
	const door = DOORS[method];
	if (door !== undefined) return await door();
	return { command: (await import("./terminal/verb-command.ts")).verbCommand(method) };
}
