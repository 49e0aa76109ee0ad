import type { StoredEvent } from "../../trace/event.ts";
import { visibleText } from "../../words/visible-text.ts";
import { type LiveTable, liveTable, type ReadLines } from "./live-table.ts";
import { paintFor } from "./paint.ts";
import { newProgress, noteEvent, type ProgressState } from "./progress-state.ts";
import { renderLine } from "./render-line.ts";
import { NO_LINES } from "./render-progress.ts";
import { type LiveArea, lineWidth, type Shell } from "./shell.ts";

export interface Progress extends Pick<LiveTable, "onHistory" | "whileStill" | "stop"> {
	onEvent(event: StoredEvent): void;
	onNotice(text: string): void;
}

const LONGEST_ID = 24;

function marginOf({ tasks, isMixed }: ProgressState, columns: number): number {
	if (!isMixed) return 0;
	const widest = [...tasks.keys()].reduce((most, { length }) => Math.max(most, length), 0);
	const margin = Math.min(widest, LONGEST_ID) + ", turn 10: ".length;
	return Math.min(margin, Math.floor(columns / 3));
}

function eventLines(shell: Shell, state: ProgressState) {
	const paint = paintFor(shell.err, shell.env);
	let margin = 0;
	return {
		lineOf: (event: StoredEvent): string | undefined => {
			if (margin === 0) margin = marginOf(state, lineWidth(shell.err));
			return renderLine(event, paint, margin);
		},
		noticeOf: (text: string): string => `${paint("attention", "note:")} ${visibleText(text)}`,
	};
}

function plainProgress(shell: Shell): Progress {
	const state = newProgress();
	const { lineOf, noticeOf } = eventLines(shell, state);
	return {
		onEvent: (event) => {
			noteEvent(state, event);
			const line = lineOf(event);
			if (line !== undefined) shell.err.print(`${line}\n`);
		},
		onHistory: (events) => {
			for (const event of events) noteEvent(state, event);
		},
		onNotice: (text) => {
			shell.err.print(`${noticeOf(text)}\n`);
		},
		whileStill: (work) => work(),
		stop: () => undefined,
	};
}

function liveProgress(shell: Shell, area: LiveArea, readLines: ReadLines): Progress {
	const state = newProgress();
	const { lineOf, noticeOf } = eventLines(shell, state);
	const table = liveTable(shell, area, { state, readLines, showsAll: false });
	return {
		...table,
		onEvent: (event) => table.note(event, lineOf(event)),
		onNotice: (text) => table.persist(noticeOf(text)),
	};
}

export const isSet = (value = ""): boolean => !["", "0", "false"].includes(value.toLowerCase());

export function canDraw({ err, env }: Pick<Shell, "err" | "env">): boolean {
	return err.isTTY && !isSet(env["CI"]) && env["TERM"] !== "dumb";
}

export async function openProgress(
	shell: Shell,
	printsEvents: boolean,
	readLines: ReadLines = async () => NO_LINES,
): Promise<Progress> {
	const live = canDraw(shell) && !(printsEvents && shell.out.isTTY);
	return live ? liveProgress(shell, await shell.openLiveArea(), readLines) : plainProgress(shell);
}
