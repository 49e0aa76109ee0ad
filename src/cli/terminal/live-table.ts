import type { StoredEvent } from "../../trace/event.ts";
import { paintFor } from "./paint.ts";
import { noteEvent, type ProgressState } from "./progress-state.ts";
import { type LastLines, NO_LINES, renderProgress, talkingTasks } from "./render-progress.ts";
import type { LiveArea, Shell } from "./shell.ts";

export type ReadLines = (tasks: readonly string[]) => Promise<LastLines>;

export interface LiveTable {
	note(event: StoredEvent, line?: string): void;
	// Tells of none.
	onHistory(events: readonly StoredEvent[]): void;
	persist(line: string): void;
	whileStill<T>(work: () => Promise<T>): Promise<T>;
	stop(): void;
}

// However fast events come; the clock of each second makes the last picture.
const LEAST_BETWEEN_MS = 100;

export function liveTable(
	shell: Shell,
	area: LiveArea,
	options: {
		readonly state: ProgressState;
		readonly readLines: ReadLines;
		readonly showsAll: boolean;
	},
): LiveTable {
	const paint = paintFor(shell.err, shell.env);
	const { state, readLines, showsAll } = options;
	let lines = NO_LINES;
	let isReading = false;
	let isStill = false;
	let picture = "";
	let madeAt = Number.NEGATIVE_INFINITY;
	const make = (): void => {
		const { columns, rows } = shell.err;
		madeAt = shell.now();
		picture = renderProgress(state, { nowMs: madeAt, columns, rows, lines, showsAll }, paint);
	};
	const show = (): void => {
		if (isStill) return;
		if (picture === "") area.clear();
		else area.draw(picture);
	};
	const read = async (): Promise<void> => {
		if (isReading) return;
		isReading = true;
		const tasks = talkingTasks(state, { rows: shell.err.rows, showsAll });
		// What was said last is an extra: without it the line stands there all the same.
		lines = tasks.length === 0 ? NO_LINES : await readLines(tasks).catch(() => NO_LINES);
		isReading = false;
	};
	const stopTicking = shell.everySecond(() => {
		make();
		show();
		void read();
	});
	return {
		note: (event, line) => {
			noteEvent(state, event);
			if (line !== undefined) area.persist(line);
			const isEarly = picture !== "" && shell.now() - madeAt < LEAST_BETWEEN_MS;
			if (!isEarly) make();
			// A line above it has wiped the table.
			if (!isEarly || line !== undefined) show();
		},
		onHistory: (events) => {
			for (const event of events) noteEvent(state, event);
			make();
			show();
		},
		persist: (line) => {
			area.persist(line);
			show();
		},
		whileStill: async (work) => {
			isStill = true;
			area.clear();
			try {
				return await work();
			} finally {
				isStill = false;
			}
		},
		stop: () => {
			stopTicking();
			area.clear();
		},
	};
}
