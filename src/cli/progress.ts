import { paintFor } from "./paint.ts";
import {
	afterEvent,
	type LastLines,
	NO_LINES,
	NO_PROGRESS,
	renderProgress,
} from "./progress-state.ts";
import { renderLine } from "./render-line.ts";
import type { RunEvent } from "./run-event.ts";
import type { LiveArea, Shell } from "./shell.ts";
import { visibleText } from "./visible-text.ts";

/** Shows people on standard error how a run goes. */
export interface Progress {
	onEvent(event: RunEvent): void;
	/** What happened before, in an earlier process: told of no more, but turns and costs count on from it. */
	onHistory(events: readonly RunEvent[]): void;
	/** A remark, one sentence. */
	onNotice(text: string): void;
	/** Draws nothing while the work lasts: a person is being asked. */
	whileStill<T>(work: () => Promise<T>): Promise<T>;
	/** Removes what is drawn over and over; nothing may be shown afterwards. */
	stop(): void;
}

function plainProgress(shell: Shell): Progress {
	const paint = paintFor(shell.err, shell.env);
	return {
		onEvent: (event) => {
			const line = renderLine(event, paint);
			if (line !== undefined) shell.err.print(`${line}\n`);
		},
		onHistory: () => undefined,
		onNotice: (text) => {
			shell.err.print(`${paint("attention", "note:")} ${visibleText(text)}\n`);
		},
		whileStill: (work) => work(),
		stop: () => undefined,
	};
}

function liveProgress(shell: Shell, area: LiveArea, readLines: () => Promise<LastLines>): Progress {
	const paint = paintFor(shell.err, shell.env);
	let state = NO_PROGRESS;
	let lines = NO_LINES;
	let isReading = false;
	let isStill = false;
	const draw = (): void => {
		if (isStill) return;
		const { columns } = shell.err;
		const text = renderProgress(state, { nowMs: shell.now(), columns, lines }, paint);
		if (text === "") area.clear();
		else area.draw(text);
	};
	const read = async (): Promise<void> => {
		if (isReading) return;
		isReading = true;
		// What was said last is an extra: without it the line stands there all the same.
		lines = await readLines().catch(() => NO_LINES);
		isReading = false;
	};
	const stopTicking = shell.everySecond(() => {
		draw();
		void read();
	});
	return {
		onEvent: (event) => {
			state = afterEvent(state, event);
			const line = renderLine(event, paint);
			if (line !== undefined) area.persist(line);
			draw();
		},
		onHistory: (events) => {
			state = events.reduce(afterEvent, state);
		},
		onNotice: (text) => {
			area.persist(`${paint("attention", "note:")} ${visibleText(text)}`);
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

const isSet = (value: string | undefined): boolean => !["", "0", "false"].includes(value ?? "");

/**
 * Progress for the shell: live lines on a terminal; one plain line for each noteworthy event when standard
 * error is none, when `CI` is set, or when events are printed to the same terminal.
 *
 * @param readLines what the tasks of the run said last; asked about once a second
 */
export async function openProgress(
	shell: Shell,
	printsEvents: boolean,
	readLines: () => Promise<LastLines> = async () => NO_LINES,
): Promise<Progress> {
	const live =
		shell.err.isTTY &&
		!isSet(shell.env["CI"]) &&
		shell.env["TERM"] !== "dumb" &&
		!(printsEvents && shell.out.isTTY);
	return live ? liveProgress(shell, await shell.openLiveArea(), readLines) : plainProgress(shell);
}
