import { askHeadline } from "../../human/headline.ts";
import { counted } from "../../kernel/counted.ts";
import { isDelivered } from "../../kernel/task-state.ts";
import { oneLine, shortId } from "../../kernel/visible-text.ts";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { byEvent, type EventTable, MOST_NAMED, shortBecause } from "../events/event-parts.ts";
import { eventText } from "../events/event-text.ts";
import { knownCost } from "../evidence-text.ts";
import { TASK_STATUS_WORDS, type Tone } from "../states.ts";
import { checked, type MergeStory, mergeLine, noneAssembled, spent } from "./merge.ts";
import {
	listed,
	newTurn,
	noteTurn,
	type StoryLine,
	storyLine,
	type TurnStory,
	turnLines,
} from "./turn-story.ts";

/** Fold of a run's events for the default story; {@link tell} changes it. */
export interface RunStory {
	/** Ids of the run's tasks, as far as known. */
	tasks: readonly string[];
	readonly told: Map<string, TaskStory>;
	used: { readonly from: string; readonly checks: string };
	agents: Readonly<Record<string, string>>;
}

interface TaskStory extends MergeStory {
	/** It was told that a report of the player cannot be used: once, and not beside each turn, since each quotes another text. */
	isToldOfReport: boolean;
	turn: TurnStory;
}

export const newStory = (): RunStory => ({
	tasks: [],
	told: new Map(),
	used: { from: "", checks: "" },
	agents: {},
});

export const LONGEST_ID = 24;

const at = ({ timestamp }: StoredEvent): number => Date.parse(timestamp);
const labelled = (label: string, text: string, tone?: Tone): StoryLine => ({ label, text, tone });

function taskOf(story: RunStory, event: StoredEvent, id: string): TaskStory {
	const known = story.told.get(id);
	if (known !== undefined) return known;
	const since = at(event);
	const turn = newTurn(0, since);
	const task: TaskStory = {
		since,
		costUsd: null,
		unknown: 0,
		isToldOfReport: false,
		turn,
		assembled: noneAssembled(),
	};
	story.told.set(id, task);
	return task;
}

/** @example `"3 tasks from main e3b0eac, check npm test: limiter, docs, release"`; nothing for a single task */
function runBegun(story: RunStory, data: EventData["run-started"]): StoryLine[] {
	const { base, base_commit: commit, tasks, agents = {}, checks = {} } = data;
	const commands = Object.values(checks).map((command) => oneLine(command, 60));
	const word = commands.length === 1 ? "check" : "checks";
	const from = `from ${base} ${commit.slice(0, 7)}`;
	const told = commands.length === 0 ? "" : `${word} ${commands.join(", ")}`;
	Object.assign(story, { tasks, agents, used: { from, checks: told } });
	if (tasks.length === 1) return [];
	const named = tasks.length > MOST_NAMED ? "" : `: ${tasks.join(", ")}`;
	return [storyLine(`${listed([`${counted(tasks.length, "task")} ${from}`, told])}${named}`)];
}

/** @example `"player dev (claude), coach reviewer (codex), check npm test, up to 4 turns, from main e3b0eac"` */
function taskBegun(
	story: RunStory,
	id: string | null,
	{ player, coach, bound }: EventData["task-started"],
): StoryLine {
	const isSeveral = story.tasks.length > 1;
	const { from, checks } = isSeveral ? { from: "", checks: "" } : story.used;
	const words = (name: string): string => {
		const adapter = story.agents[name] ?? name;
		return adapter === name ? oneLine(name) : `${oneLine(name)} (${adapter})`;
	};
	const seats = [`player ${words(player)}`, coach === null ? "no coach" : `coach ${words(coach)}`];
	const label = isSeveral ? "" : `${shortId(id ?? "", LONGEST_ID)}:`;
	return labelled(label, listed([...seats, checks, `up to ${counted(bound, "turn")}`, from]));
}

function taskEnded(task: TaskStory, event: StoredEvent, end: EventData["task-ended"]): StoryLine[] {
	const { status, turns, merged } = end;
	// The merge, or the question, says it.
	if (merged || status === "paused_for_human") return [];
	const nothing = isDelivered(end) ? ["nothing to merge"] : [];
	const after = turns === 0 ? [] : [`after ${counted(turns, "turn")}`];
	const text = `${[...after, ...nothing].join(", ")}${shortBecause(end)}`.replace(/^: /, "");
	const label = TASK_STATUS_WORDS[status];
	const told = text === "" ? spent(task, event) : `${text}; ${spent(task, event)}`;
	return [labelled(label, told, status === "completed" ? "good" : "bad")];
}

/** What another line tells, or the command's own end. */
const ELSEWHERE: ReadonlySet<StoredEvent["type"]> = new Set([
	"agent-called",
	"agent-answered",
	"replay-planned",
	"tests-taken",
	"verification-ran",
	"preflight-ended",
	"run-ended",
	"PAUSED_FOR_USER_ESCALATION",
] as const);

/** After these the turn has nothing more to tell for now. */
const CLOSING: ReadonlySet<StoredEvent["type"]> = new Set([
	"turn-routed",
	"item-opened",
	"task-merged",
	"task-ended",
	"task-stopped",
] as const);

type Telling = (story: RunStory, task: TaskStory) => readonly StoryLine[];

const paid =
	(usage: unknown, lines: readonly StoryLine[]): Telling =>
	(_story, task) => {
		const cost = knownCost(usage);
		if (cost === null) task.unknown += 1;
		else task.costUsd = (task.costUsd ?? 0) + cost;
		return lines;
	};

const asIs = (event: StoredEvent): readonly StoryLine[] => {
	const { short, tone } = eventText(event);
	return short === undefined || ELSEWHERE.has(event.type) ? [] : [storyLine(short, tone)];
};

const TELLINGS: EventTable<Telling> = {
	"task-started":
		(data, { task }) =>
		(story) => [taskBegun(story, task, data)],
	"agent-answered": ({ usage }) => paid(usage, []),
	"agent-failed": ({ usage }, event) => paid(usage, asIs(event)),
	"check-ran": (ran, event) => (_story, task) => checked(task, event, ran),
	"report-rejected":
		({ role }, event) =>
		(_story, task) => {
			if (role !== "player") return asIs(event);
			const { isToldOfReport } = task;
			task.isToldOfReport = true;
			return isToldOfReport ? [] : asIs(event);
		},
	"item-opened":
		({ item, trigger, ...why }) =>
		() => [
			labelled("asks", askHeadline(trigger, why), "attention"),
			storyLine(`see your choices: spar questions ${item}`),
		],
	"merge-refused": (_data, event) => (_story, task) => {
		task.assembled = noneAssembled();
		return asIs(event);
	},
	"task-merged": (merged, event) => (_story, task) => [mergeLine(task, event, merged)],
	"task-ended": (end, event) => (_story, task) => taskEnded(task, event, end),
};

function closeTurn(task: TaskStory, event: StoredEvent): StoryLine[] {
	const lines = turnLines(task.turn, at(event));
	task.turn = newTurn(task.turn.number, at(event));
	return lines;
}

/**
 * Lines with which the default story tells an event: a turn's are held back until it ends, warnings and failures
 * outside of its evidence are told at once.
 */
export function tell(story: RunStory, event: StoredEvent): readonly StoryLine[] {
	const { task: id, turn } = event;
	if (event.type === "run-started") return runBegun(story, event.data);
	if (id === null) return asIs(event);
	const task = taskOf(story, event, id);
	const lines: StoryLine[] = [];
	if (turn !== null && turn > task.turn.number) {
		lines.push(...closeTurn(task, event));
		task.turn = newTurn(turn, at(event));
	}
	const isNoted = noteTurn(task.turn, event);
	if (CLOSING.has(event.type)) lines.push(...closeTurn(task, event));
	if (isNoted) return lines;
	const telling = byEvent(TELLINGS, event);
	return [...lines, ...(telling === undefined ? asIs(event) : telling(story, task))];
}
