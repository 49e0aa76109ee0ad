import { formatDuration } from "../kernel/duration.ts";
import type { Paint } from "./paint.ts";
import { byEvent, type EventTable, type RunEvent } from "./run-event.ts";

/** What is known of one task while it runs. */
interface TaskProgress {
	readonly turn: number;
	/** null before the task started in this process. */
	readonly bound: number | null;
	readonly phase: string;
	/** Milliseconds since the epoch. */
	readonly startedAt: number;
	readonly endedAt: number | null;
	/** The last effective verdict. */
	readonly verdict: "approve" | "feedback" | null;
}

/** The tasks of a run by id, in the order in which they were first heard of. */
export type ProgressState = ReadonlyMap<string, TaskProgress>;

/** Nothing heard yet. */
export const NO_PROGRESS: ProgressState = new Map();

const at = ({ timestamp }: RunEvent): number => Date.parse(timestamp);

/** What each type of event changes of its task. */
const PATCHES: EventTable<Partial<TaskProgress>> = {
	"task-started": ({ bound }, event) => ({
		bound,
		phase: "initializing",
		startedAt: at(event),
		endedAt: null,
	}),
	"task-reopened": ({ bound }) => ({ bound, endedAt: null }),
	"node-entered": ({ phase }) => ({ phase }),
	"turn-judged": ({ effective }) => ({ verdict: effective }),
	"item-opened": () => ({ phase: "awaiting_human" }),
	"task-ended": ({ status }, event) => ({ phase: status, endedAt: at(event) }),
};

/** The state after an event. Events of no task change nothing; times come from the events alone. */
export function afterEvent(state: ProgressState, event: RunEvent): ProgressState {
	if (event.task === null) return state;
	const fresh: TaskProgress = {
		turn: 0,
		bound: null,
		phase: "initializing",
		startedAt: at(event),
		endedAt: null,
		verdict: null,
	};
	const before = state.get(event.task) ?? fresh;
	const turn = event.turn === null ? {} : { turn: event.turn };
	return new Map(state).set(event.task, { ...before, ...turn, ...byEvent(PATCHES, event) });
}

/** One line for each task: id, turn of bound, phase, elapsed time, last verdict; cut to `columns` characters. */
export function renderProgress(
	state: ProgressState,
	nowMs: number,
	columns: number,
	paint: Paint,
): string {
	const widest = Math.max(0, ...[...state.keys()].map((id) => id.length));
	const lines = [...state].map(([id, task]) => {
		const turn = `turn ${task.turn}${task.bound === null ? "" : `/${task.bound}`}`;
		const elapsed = formatDuration(Math.max(0, (task.endedAt ?? nowMs) - task.startedAt));
		const verdict = task.verdict === null ? "" : `  last verdict: ${task.verdict}`;
		const line = `${id.padEnd(widest)}  ${turn}  ${task.phase}  ${elapsed}${verdict}`;
		const cut = line.slice(0, Math.max(0, columns));
		return task.endedAt === null ? cut : paint("quiet", cut);
	});
	return lines.join("\n");
}
