import { formatClock } from "../../kernel/duration.ts";
import { formatUsd } from "../../kernel/money.ts";
import { oneLine, shortId } from "../../kernel/visible-text.ts";
import { PHASE_WORDS, seatName } from "../../words/states.ts";
import { cutWords } from "./cut-words.ts";
import type { Paint, PaintTone } from "./paint.ts";
import type { ProgressStanding, ProgressState, TaskProgress } from "./progress-state.ts";
import { fits } from "./wrap-line.ts";

export type LastLines = ReadonlyMap<string, { readonly line: string; readonly at: number }>;

export const NO_LINES: LastLines = new Map();

export interface ProgressView {
	readonly nowMs: number;
	readonly columns: number;
	readonly rows: number;
	readonly showsAll: boolean;
	readonly lines: LastLines;
}

type TaskEntry = readonly [id: string, task: TaskProgress];

// In the order in which a crowded table shows and counts them.
const WORDS: Readonly<Record<ProgressStanding, string>> = {
	in_work: "in work",
	waiting: "waiting for you",
	failed: "failed",
	blocked: "blocked",
	cancelled: "cancelled",
	to_do: "to do",
	completed: "completed",
	merged: "merged",
};
// The keys of a complete record are its standings.
const STANDINGS = Object.keys(WORDS) as ProgressStanding[];

const TONES: Partial<Record<ProgressStanding, PaintTone>> = {
	waiting: "attention",
	failed: "bad",
	blocked: "bad",
	cancelled: "bad",
	to_do: "quiet",
	completed: "good",
	merged: "good",
};

// For the cursor, and for what was told last.
const FREE_ROWS = 4;

const isAtWork = ([, { standing }]: TaskEntry): boolean =>
	standing === "in_work" || standing === "waiting";

// One line less where others have to be counted.
function shown(
	{ tasks }: ProgressState,
	{ rows, showsAll }: Pick<ProgressView, "rows" | "showsAll">,
) {
	const all = [...tasks];
	const wanted = showsAll ? all : all.filter(isAtWork);
	const room = Math.max(1, rows - FREE_ROWS);
	if (wanted.length === all.length && wanted.length <= room) return wanted;
	const most = Math.max(1, room - 1);
	if (wanted.length <= most) return wanted;
	const rank = new Map(STANDINGS.map((standing, nth) => [standing, nth]));
	const ranked = wanted.toSorted(
		([, a], [, b]) => (rank.get(a.standing) ?? 0) - (rank.get(b.standing) ?? 0),
	);
	return ranked.slice(0, most);
}

export function talkingTasks(
	state: ProgressState,
	view: Pick<ProgressView, "rows" | "showsAll">,
): readonly string[] {
	return shown(state, view).flatMap(([id, { standing }]) => (standing === "in_work" ? [id] : []));
}

export function standingLine(id: string, task: TaskProgress): string {
	const { standing, item, told } = task;
	const words = standing === "in_work" ? PHASE_WORDS[task.phase] : WORDS[standing];
	const turn = turnOf(task);
	const isOver = standing === "failed" || standing === "blocked" || standing === "cancelled";
	const why = isOver && told !== null ? `: ${oneLine(told)}` : "";
	const how = item === null ? "" : ` (spar questions ${item})`;
	return `${id}${turn === "" ? "" : `, ${turn}`}: ${words}${how}${why}`;
}

const turnOf = ({ turn, bound }: TaskProgress): string =>
	turn === 0 ? "" : `turn ${turn}${bound === null ? "" : `/${bound}`}`;

interface ProgressRow {
	readonly id: string;
	readonly turn: string;
	readonly work: string;
	// Without the agent's name.
	readonly role: string;
	readonly clock: string;
	readonly cost: string;
	readonly tail: string;
	readonly tone: PaintTone | undefined;
}

// The time of a file may be so much earlier than our clock, in ms.
const FILE_CLOCK_MS = 50;

function tailOf([id, task]: TaskEntry, lines: LastLines, isAlone: boolean): string {
	if (task.item !== null) return `spar questions ${task.item}`;
	const said = lines.get(id);
	const began = (task.call?.since ?? task.since) - FILE_CLOCK_MS;
	if (task.standing === "in_work" && said !== undefined && said.at >= began)
		return oneLine(said.line);
	// Where one task is in work, the line above says it.
	return isAlone || task.told === null ? "" : oneLine(task.told);
}

function rowOf(entry: TaskEntry, view: ProgressView, isAlone: boolean): ProgressRow {
	const [id, task] = entry;
	const { call, phase, since, costUsd, standing } = task;
	const doing = call === null ? PHASE_WORDS[phase] : seatName(call.role, call.agent);
	const words = standing === "in_work" ? doing : WORDS[standing];
	const isTimed = isAtWork(entry);
	return {
		id,
		turn: turnOf(task),
		work: words,
		role: standing === "in_work" && call !== null ? seatName(call.role, "").trimEnd() : words,
		clock: isTimed ? formatClock(Math.max(0, view.nowMs - (call?.since ?? since))) : "",
		cost: costUsd === null ? "" : formatUsd(costUsd),
		tail: tailOf(entry, view.lines, isAlone),
		tone: TONES[standing],
	};
}

type Column = keyof Omit<ProgressRow, "tail" | "tone">;

// From the most to the least; the first one that has room is taken.
const FORMS: readonly (readonly Column[])[] = [
	["id", "turn", "work", "clock", "cost"],
	["id", "turn", "work", "clock"],
	["id", "work", "clock"],
	["id", "role", "clock"],
];

const GAP = "  ";
const LEAST_TAIL = 16;
// `59m 59s`: a clock that goes on does not move what stands behind it.
const CLOCK = 7;

function widthsOf(rows: readonly ProgressRow[], columns: number): Readonly<Record<Column, number>> {
	const widest = (cell: Column): number => Math.max(...rows.map((row) => row[cell].length));
	const clock = rows.length > 1 ? Math.max(CLOCK, widest("clock")) : widest("clock");
	return {
		id: Math.max(...rows.map(({ id }) => shortId(id, Math.floor(columns / 2)).length)),
		turn: widest("turn"),
		work: widest("work"),
		role: widest("role"),
		clock,
		cost: widest("cost"),
	};
}

const gapBefore = (cell: Column): string => (cell === "clock" ? " " : GAP);

const textOf = (
	row: ProgressRow,
	cell: Column,
	widths: Readonly<Record<Column, number>>,
): string => (cell === "id" ? shortId(row.id, widths.id) : row[cell]);

function lineOf(
	row: ProgressRow,
	form: readonly Column[],
	widths: Readonly<Record<Column, number>>,
): string {
	return form
		.filter((cell) => widths[cell] > 0)
		.map(
			(cell, nth) =>
				`${nth === 0 ? "" : gapBefore(cell)}${textOf(row, cell, widths).padEnd(widths[cell])}`,
		)
		.join("");
}

function chosenForm(rows: readonly ProgressRow[], columns: number): (row: ProgressRow) => string {
	const widths = widthsOf(rows, columns);
	const hasTail = rows.some(({ tail }) => tail !== "");
	const room = (form: readonly Column[]): number => {
		const used = form.filter((cell) => widths[cell] > 0);
		return columns - used.reduce((sum, cell) => sum + widths[cell] + gapBefore(cell).length, -2);
	};
	// The cost gives way to what is said, everything else stays as long as it fits.
	const needs = (nth: number): number => (nth === 0 && hasTail ? GAP.length + LEAST_TAIL : 0);
	const form = FORMS.find((each, nth) => room(each) >= needs(nth)) ?? FORMS.at(-1) ?? [];
	return (row) => lineOf(row, form, widths);
}

function withTail(
	line: string,
	{ tail, tone }: ProgressRow,
	columns: number,
	paint: Paint,
): string {
	const painted = (text: string): string => (tone === undefined ? text : paint(tone, text));
	const room = " ".repeat(GAP.length + LEAST_TAIL);
	if (tail === "" || !fits(`${line}${room}.`, columns)) {
		return painted(cutWords(line.trimEnd(), columns));
	}
	const whole = cutWords(`${line}${GAP}${tail}`, columns);
	return `${painted(line)}${paint("quiet", whole.slice(line.length))}`;
}

// The last words go where there is no room.
function moreLine(hidden: readonly TaskProgress[], columns: number): string {
	const counts = STANDINGS.map((each) => ({
		each,
		count: hidden.filter(({ standing }) => standing === each).length,
	}));
	const parts = counts.flatMap(({ each, count }) =>
		count === 0 ? [] : [`${count} ${WORDS[each]}`],
	);
	const whole = `... and ${hidden.length} more`;
	for (let kept = parts.length; kept > 0; kept -= 1) {
		const line = `${whole}: ${parts.slice(0, kept).join(", ")}`;
		if (fits(line, columns)) return line;
	}
	return cutWords(whole, columns);
}

// A line such as `limiter  turn 2/4  coach reviewer 33s  $0.42  Read src/limiter.js`.
export function renderProgress(state: ProgressState, view: ProgressView, paint: Paint): string {
	const entries = shown(state, view);
	if (entries.length === 0) return "";
	// A terminal wraps a line that fills it.
	const columns = Math.max(0, view.columns - 1);
	const rows = entries.map((entry) => rowOf(entry, view, state.tasks.size === 1));
	const lineFor = chosenForm(rows, columns);
	const lines = rows.map((row) => withTail(lineFor(row), row, columns, paint));
	const ids = new Set(entries.map(([id]) => id));
	const hidden = [...state.tasks].flatMap(([id, task]) => (ids.has(id) ? [] : [task]));
	if (hidden.length > 0) lines.push(paint("quiet", moreLine(hidden, columns)));
	return lines.join("\n");
}
