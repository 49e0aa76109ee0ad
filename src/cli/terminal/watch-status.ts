import type { Sparring } from "../../library/sparring.ts";
import type { RunReport, TaskReport } from "../../view/report.ts";
import { EXIT } from "./exit-code.ts";
import { type Follower, followRun, isWorkedOn } from "./follow-run.ts";
import { paintFor } from "./paint.ts";
import { canDraw, liveProgress } from "./progress.ts";
import { newProgress, noteEvent } from "./progress-state.ts";
import { standingLine } from "./render-progress.ts";
import { headingLine, showReport } from "./render-report.ts";
import type { Shell } from "./shell.ts";

interface StatusFlags {
	readonly json?: boolean;
}

type View = Follower & { readonly stop: () => void };

// Numbers that grow with time alone are no change.
function lasting({ usage: _usage, budget: _budget, ...task }: TaskReport): string {
	return JSON.stringify(task);
}

function lastingRun(report: RunReport): string {
	const { usage: _usage, budget: _budget, setup_cache: _cache, tasks: _tasks, ...run } = report;
	return JSON.stringify(run);
}

function jsonView(shell: Shell): View {
	let run = "";
	const known = new Map<string, string>();
	const onReport = (report: RunReport): void => {
		const changed = Object.entries(report.tasks).filter(([id, task]) => {
			const now = lasting(task);
			const isNew = known.get(id) !== now;
			known.set(id, now);
			return isNew;
		});
		const isSame = changed.length === 0 && run === lastingRun(report);
		run = lastingRun(report);
		if (isSame) return;
		shell.out.write(`${JSON.stringify({ ...report, tasks: Object.fromEntries(changed) })}\n`);
	};
	return { onEvents: () => undefined, onReport, stop: () => undefined };
}

// Where it stood between two looks is not told: most nodes of a turn are only passed through.
function lineView(shell: Shell): View {
	const state = newProgress();
	const told = new Map<string, string | null>();
	const tell = (id: string): void => {
		const task = state.tasks.get(id);
		const line = task === undefined ? null : standingLine(id, task);
		if (line !== null && line !== told.get(id)) shell.out.print(`${line}\n`);
		told.set(id, line);
	};
	return {
		onEvents: (events) => {
			for (const event of events) noteEvent(state, event);
			const touched = new Set(events.flatMap(({ task }) => task ?? []));
			for (const id of touched) tell(id);
		},
		stop: () => undefined,
	};
}

async function tableView(shell: Shell, sparring: Sparring, runId: string): Promise<View> {
	const progress = liveProgress(shell, await shell.openLiveArea(), {
		readLines: (tasks) => sparring.lastSaid(runId, tasks),
		showsAll: true,
	});
	return {
		onEvents: (events) => progress.onHistory(events),
		onNotice: (text) => progress.onNotice(text),
		stop: () => progress.stop(),
	};
}

async function openView(
	shell: Shell,
	sparring: Sparring,
	runId: string,
	{ json = false }: StatusFlags,
): Promise<View> {
	if (json) return jsonView(shell);
	const isLive = canDraw(shell) && shell.out.isTTY;
	return isLive ? await tableView(shell, sparring, runId) : lineView(shell);
}

// Ctrl-C ends the watching and not the run.
export async function watchStatus(
	{ shell, sparring }: { readonly shell: Shell; readonly sparring: Sparring },
	first: RunReport,
	flags: StatusFlags,
): Promise<number> {
	if (flags.json !== true) {
		if (!isWorkedOn(first)) {
			showReport(shell, shell.out, first);
			return EXIT.done;
		}
		shell.out.print(`${headingLine(first, paintFor(shell.out, shell.env))}\n`);
	}
	const view = await openView(shell, sparring, first.run_id, flags);
	const last = await followRun({ shell, sparring }, first, view).finally(() => view.stop());
	if (last === null) return EXIT.interrupted;
	if (flags.json !== true) showReport(shell, shell.out, last);
	return EXIT.done;
}
