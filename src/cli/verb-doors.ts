import { VERBS, type VerbName } from "../library/verbs/table.ts";
import type { VerbCommand } from "./terminal/verb-command.ts";

/** Verbs that have something of their own in the terminal: colours, a pager, a format. */
const DOORS: Readonly<Partial<Record<VerbName, () => Promise<{ readonly command: VerbCommand }>>>> =
	{
		status: () => import("./commands/status.ts"),
		runs: () => import("./commands/runs.ts"),
		trace: () => import("./commands/trace.ts"),
		diff: () => import("./commands/diff.ts"),
		gate: () => import("./commands/gate.ts"),
		findings: () => import("./commands/findings.ts"),
		calibration: () => import("./commands/calibration.ts"),
		cancel: () => import("./commands/cancel.ts"),
		result: () => import("./commands/report.ts"),
		prune: () => import("./commands/prune.ts"),
	};

/** The command of a verb; one that has nothing of its own is told as JSON. */
export async function verbDoor(method: VerbName): Promise<{ readonly command: VerbCommand }> {
	const door = DOORS[method];
	if (door !== undefined) return await door();
	const { verbCommand } = await import("./terminal/verb-command.ts");
	return { command: verbCommand(method, await VERBS[method].load()) };
}
