import { visibleText } from "../../kernel/visible-text.ts";
import type { StoredEvent } from "../../trace/event.ts";
import type { RunReport } from "../../view/report.ts";
import { LONGEST_ID, newStory, tell } from "../../words/story/run-story.ts";
import { paintFor } from "./paint.ts";
import { newProgress, noteEvent, type ProgressState } from "./progress-state.ts";
import { type LastLines, NO_LINES, renderProgress, talkingTasks } from "./render-progress.ts";
import { type LiveArea, lineWidth, type Shell } from "./shell.ts";
import { renderLine, renderStory } from "./story-layout.ts";

/** Shows how a run goes on, whoever works on it: lines, a table, or JSON. */
export interface Renderer {
	onEvent(event: StoredEvent): void;
	/** History, in one piece: none of it is told. */
	onHistory(events: readonly StoredEvent[]): void;
	onReport?(report: RunReport): void;
	onNotice(text: string): void;
	/** Nothing moves meanwhile. */
	whileStill<T>(work: () => Promise<T>): Promise<T>;
	stop(): void;
}

export type ReadLines = (tasks: readonly string[]) => Promise<LastLines>;

// However fast events come; the clock of each second makes the last picture.
const LEAST_BETWEEN_MS = 100;

function marginOf({ tasks, isMixed }: ProgressState, columns: number): number {
	if (!isMixed) return 0;
	const widest = [...tasks.keys()].reduce((most, { length }) => Math.max(most, length), 0);
	const margin = Math.min(widest, LONGEST_ID) + ", turn 10: ".length;
	return Math.min(margin, Math.floor(columns / 3));
}

function eventLines(shell: Shell, state: ProgressState, isVerbose: boolean) {
	const paint = paintFor(shell.err, shell.env);
	const story = newStory();
	let margin = 0;
	return {
		linesOf: (event: StoredEvent): readonly string[] => {
			const columns = lineWidth(shell.err);
			if (!isVerbose) return renderStory(story, event, columns, paint);
			if (margin === 0) margin = marginOf(state, columns);
			return [renderLine(event, paint, margin) ?? []].flat();
		},
		pass: (event: StoredEvent): void => {
			noteEvent(state, event);
			tell(story, event);
		},
		noticeOf: (text: string): string => `${paint("attention", "note:")} ${visibleText(text)}`,
	};
}

function plainProgress(shell: Shell, isVerbose: boolean): Renderer {
	const state = newProgress();
	const { linesOf, pass, noticeOf } = eventLines(shell, state, isVerbose);
	return {
		onEvent: (event) => {
			noteEvent(state, event);
			for (const line of linesOf(event)) shell.err.print(`${line}\n`);
		},
		onHistory: (events) => {
			for (const event of events) pass(event);
		},
		onNotice: (text) => {
			shell.err.print(`${noticeOf(text)}\n`);
		},
		whileStill: (work) => work(),
		stop: () => undefined,
	};
}

export function liveProgress(
	shell: Shell,
	area: LiveArea,
	{
		readLines,
		showsAll = false,
		isVerbose = false,
	}: {
		readonly readLines: ReadLines;
		readonly showsAll?: boolean;
		readonly isVerbose?: boolean;
	},
): Renderer {
	const paint = paintFor(shell.err, shell.env);
	const state = newProgress();
	const { linesOf, pass, noticeOf } = eventLines(shell, state, isVerbose);
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
		// The last words are an extra: without it the line stands there all the same.
		lines = tasks.length === 0 ? NO_LINES : await readLines(tasks).catch(() => NO_LINES);
		isReading = false;
	};
	const stopTicking = shell.everySecond(() => {
		make();
		show();
		void read();
	});
	return {
		onEvent: (event) => {
			noteEvent(state, event);
			const told = linesOf(event);
			for (const line of told) area.persist(line);
			const isEarly = picture !== "" && shell.now() - madeAt < LEAST_BETWEEN_MS;
			if (!isEarly) make();
			// A line above it has wiped the table.
			if (!isEarly || told.length > 0) show();
		},
		onHistory: (events) => {
			for (const event of events) pass(event);
			make();
			show();
		},
		onNotice: (text) => {
			area.persist(noticeOf(text));
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

export const isSet = (value = ""): boolean => !["", "0", "false"].includes(value.toLowerCase());

export function canDraw({ err, env }: Pick<Shell, "err" | "env">): boolean {
	return err.isTTY && !isSet(env["CI"]) && env["TERM"] !== "dumb";
}

export async function openProgress(
	shell: Shell,
	{
		printsEvents = false,
		isVerbose = false,
		readLines = async () => NO_LINES,
	}: {
		readonly printsEvents?: boolean | undefined;
		readonly isVerbose?: boolean | undefined;
		readonly readLines?: ReadLines;
	},
): Promise<Renderer> {
	const live = canDraw(shell) && !(printsEvents && shell.out.isTTY);
	return live
		? liveProgress(shell, await shell.openLiveArea(), { readLines, isVerbose })
		: plainProgress(shell, isVerbose);
}
