import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport, TaskReport } from "../../view/report.ts";
import { canDraw, liveProgress, type ReadLines, type Renderer } from "./progress.ts";
import { newProgress, noteEvent } from "./progress-state.ts";
import { standingLine } from "./render-progress.ts";
import type { Shell } from "./shell.ts";

const quiet = ({ err }: Shell): Renderer => ({
	onEvent: () => undefined,
	onHistory: () => undefined,
	onNotice: (text) => err.print(`${text}\n`),
	whileStill: (work) => work(),
	stop: () => undefined,
});

/** Each event as a line of JSON. */
export function eventLines(shell: Shell): Renderer {
	const onEvent = (event: StoredEvent): void => shell.out.write(`${JSON.stringify(event)}\n`);
	return { ...quiet(shell), onEvent };
}

// Numbers that grow with time alone are no change.
function lasting({ usage: _usage, budget: _budget, ...task }: TaskReport): string {
	return JSON.stringify(task);
}

function lastingRun(report: RunReport): string {
	const { usage: _usage, budget: _budget, setup_cache: _cache, tasks: _tasks, ...run } = report;
	return JSON.stringify(run);
}

/** The report as a line of JSON whenever it has changed, with the tasks that did. */
export function reportLines(shell: Shell): Renderer {
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
	return { ...quiet(shell), onReport };
}

/** A line for each task that stands elsewhere than before; between two looks it is passed through. */
function standingLines(shell: Shell): Renderer {
	const state = newProgress();
	const told = new Map<string, string | null>();
	const tell = (id: string): void => {
		const task = state.tasks.get(id);
		const line = task === undefined ? null : standingLine(id, task);
		if (line !== null && line !== told.get(id)) shell.out.print(`${line}\n`);
		told.set(id, line);
	};
	return {
		...quiet(shell),
		onHistory: (events) => {
			for (const event of events) noteEvent(state, event);
			const touched = new Set(events.flatMap(({ task }) => task ?? []));
			for (const id of touched) tell(id);
		},
	};
}

/** All tasks in a table that stays in its place; without a terminal a line for each that stands elsewhere. */
export async function taskTable(shell: Shell, readLines: ReadLines): Promise<Renderer> {
	if (!(canDraw(shell) && shell.out.isTTY)) return standingLines(shell);
	return liveProgress(shell, await shell.openLiveArea(), { readLines, showsAll: true });
}
