import { formatClock } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import type { Role } from "../kernel/roles.ts";
import type { TaskPhase } from "../kernel/task-state.ts";
import { cutWords, fits } from "./cut-words.ts";
import type { Paint } from "./paint.ts";
import { knownCost } from "./render-usage.ts";
import { byEvent, type EventTable, type RunEvent } from "./run-event.ts";
import { oneLine } from "./visible-text.ts";
import { PHASE_WORDS, seatName } from "./words.ts";

/** What is known of one task while it runs. */
interface TaskProgress {
	/** False before it starts, while it waits for a person, and after its end. */
	readonly isRunning: boolean;
	readonly turn: number;
	/** null before the task started. */
	readonly bound: number | null;
	readonly phase: TaskPhase;
	/** When the phase began. Milliseconds since the epoch, as all times here. */
	readonly since: number;
	/** The call under way; null while no agent works. */
	readonly call: { readonly role: Role; readonly agent: string; readonly since: number } | null;
	/** US dollars of the calls whose cost is known; null without any. */
	readonly costUsd: number | null;
}

/** The tasks of a run by id, in the order in which they were first heard of. */
export type ProgressState = ReadonlyMap<string, TaskProgress>;

/** Nothing heard yet. */
export const NO_PROGRESS: ProgressState = new Map();

/** The last line that a call, check or setup printed, by task, and when. */
export type LastLines = ReadonlyMap<string, { readonly line: string; readonly at: number }>;

/** How much earlier than our clock the time of a file may be, in ms. */
const FILE_CLOCK_MS = 50;

/** Nothing was printed. */
export const NO_LINES: LastLines = new Map();

const at = ({ timestamp }: RunEvent): number => Date.parse(timestamp);

type Patch = (before: TaskProgress) => Partial<TaskProgress>;

/** What a call that is over leaves. */
function paid(usage: unknown): Patch {
	const cost = knownCost(usage);
	return ({ costUsd }) => ({
		call: null,
		costUsd: cost === null ? costUsd : (costUsd ?? 0) + cost,
	});
}

const inPhase =
	(phase: TaskPhase, event: RunEvent): Patch =>
	(before) => ({
		phase,
		since: PHASE_WORDS[phase] === PHASE_WORDS[before.phase] ? before.since : at(event),
	});

/** What each type of event changes of its task. */
const PATCHES: EventTable<Patch> = {
	"task-started":
		({ bound }, event) =>
		() => ({ isRunning: true, bound, phase: "initializing", since: at(event), call: null }),
	"task-reopened":
		({ bound }) =>
		() => ({ bound }),
	"node-entered": ({ phase }, event) => inPhase(phase, event),
	"phase-changed": ({ to }, event) => inPhase(to, event),
	"agent-called":
		({ role, agent }, event) =>
		() => ({ call: { role, agent, since: at(event) } }),
	"agent-answered": ({ usage }) => paid(usage),
	"agent-failed": ({ usage }) => paid(usage),
};

/** Events after which nothing of their task happens by itself. */
const HALTS = new Set<RunEvent["type"]>(["item-opened", "task-ended"]);

/** The state after an event. Events of no task change nothing but who works; times come from the events alone. */
export function afterEvent(state: ProgressState, event: RunEvent): ProgressState {
	// What was under way when the last process ended is not under way any more.
	if (event.type === "run-resumed") return halted(state);
	if (event.task === null) return state;
	const before = state.get(event.task) ?? {
		isRunning: true,
		turn: 0,
		bound: null,
		phase: "initializing",
		since: at(event),
		call: null,
		costUsd: null,
	};
	const patch = byEvent(PATCHES, event)?.(before);
	return new Map(state).set(event.task, {
		...before,
		turn: event.turn ?? before.turn,
		...patch,
		isRunning: !HALTS.has(event.type) && (before.isRunning || event.node !== null),
	});
}

function halted(state: ProgressState): ProgressState {
	return new Map([...state].map(([id, task]) => [id, { ...task, isRunning: false, call: null }]));
}

/** The parts of a task's line, in the order in which they stand; the ones that matter least are left out first. */
function partsOf([id, task]: readonly [string, TaskProgress], nowMs: number) {
	const { turn, bound, call, phase, since, costUsd } = task;
	const work = call === null ? PHASE_WORDS[phase] : seatName(call.role, call.agent);
	const clock = formatClock(Math.max(0, nowMs - (call?.since ?? since)));
	return [
		{ text: id, rank: 0 },
		...(turn === 0 ? [] : [{ text: `turn ${turn}${bound === null ? "" : `/${bound}`}`, rank: 2 }]),
		{ text: `${work} ${clock}`, rank: 1 },
		...(costUsd === null ? [] : [{ text: formatUsd(costUsd), rank: 3 }]),
	];
}

const GAP = "  ";

/** A line of parts that fits: those of the highest rank are left out until it does. The first ones may stay too long. */
function fitted(
	parts: readonly { readonly text: string; readonly rank: number }[],
	columns: number,
): string {
	let kept = parts;
	for (let rank = 3; rank > 1; rank -= 1) {
		const line = kept.map(({ text }) => text).join(GAP);
		if (fits(line, columns)) return line;
		kept = kept.filter((part) => part.rank !== rank);
	}
	return kept.map(({ text }) => text).join(GAP);
}

/** Fewer columns are not worth a part of a sentence. */
const LEAST_TAIL = 16;

/** What was said last, unless that was before what happens now began. */
function tailOf([id, { call, since }]: readonly [string, TaskProgress], lines: LastLines): string {
	const said = lines.get(id);
	const began = (call?.since ?? since) - FILE_CLOCK_MS;
	return said === undefined || said.at < began ? "" : oneLine(said.line);
}

function withTail(line: string, tail: string, columns: number, paint: Paint): string {
	const room = " ".repeat(GAP.length + LEAST_TAIL);
	if (tail === "" || !fits(`${line}${room}.`, columns)) return cutWords(line, columns);
	const whole = cutWords(`${line}${GAP}${tail}`, columns);
	return `${line}${paint("quiet", whole.slice(line.length))}`;
}

/**
 * One line for each running task, none of them wider than `columns`: id, turn of bound, who works or what happens with
 * its own clock, cost so far, and the last line that it printed.
 *
 * @example `"limiter  turn 2/4  coach reviewer 33s  $0.42  Read src/limiter.js"`
 */
export function renderProgress(
	state: ProgressState,
	now: { readonly nowMs: number; readonly columns: number; readonly lines: LastLines },
	paint: Paint,
): string {
	// A terminal wraps a line that fills it.
	const columns = Math.max(0, now.columns - 1);
	return [...state]
		.filter(([, { isRunning }]) => isRunning)
		.map((entry) => {
			const line = fitted(partsOf(entry, now.nowMs), columns);
			return withTail(line, tailOf(entry, now.lines), columns, paint);
		})
		.join("\n");
}
