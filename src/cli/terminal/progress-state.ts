import { assertNever } from "../../kernel/assert-never.ts";
import type { Role } from "../../kernel/roles.ts";
import type { TaskPhase } from "../../kernel/task-state.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { byEvent, type EventTable } from "../../words/events/event-parts.ts";
import { knownCost } from "../../words/evidence-text.ts";
import { PHASE_WORDS } from "../../words/states.ts";
import { lineText } from "./story-layout.ts";

// `to_do`: nothing happens in it now, but something will.
export type ProgressStanding =
	| "in_work"
	| "waiting"
	| "to_do"
	| "merged"
	| "completed"
	| "failed"
	| "blocked"
	| "cancelled";

export interface TaskProgress {
	readonly standing: ProgressStanding;
	readonly turn: number;
	readonly bound: number | null;
	readonly phase: TaskPhase;
	// When the phase began, in ms since the epoch, as all times here.
	readonly since: number;
	readonly call: { readonly role: Role; readonly agent: string; readonly since: number } | null;
	readonly costUsd: number | null;
	readonly item: string | null;
	readonly told: string | null;
}

export interface ProgressState {
	readonly tasks: Map<string, TaskProgress>;
	inWork: number;
	// Two tasks were in work at once, so that their events are mixed.
	isMixed: boolean;
}

export function newProgress(): ProgressState {
	return { tasks: new Map(), inWork: 0, isMixed: false };
}

const at = ({ timestamp }: StoredEvent): number => Date.parse(timestamp);

type Patch = (before: TaskProgress) => Partial<TaskProgress>;

function paid(usage: unknown): Patch {
	const cost = knownCost(usage);
	return ({ costUsd }) => ({
		call: null,
		costUsd: cost === null ? costUsd : (costUsd ?? 0) + cost,
	});
}

const inPhase =
	(phase: TaskPhase, event: StoredEvent): Patch =>
	(before) => ({
		phase,
		since: PHASE_WORDS[phase] === PHASE_WORDS[before.phase] ? before.since : at(event),
	});

type EndedTask = Extract<StoredEvent, { type: "task-ended" }>["data"];

function standingAtEnd({ status, merged }: Pick<EndedTask, "status" | "merged">): ProgressStanding {
	switch (status) {
		case "completed":
			return merged ? "merged" : "completed";
		case "failed":
		case "blocked":
		case "cancelled":
			return status;
		case "paused_for_human":
			return "waiting";
		case "pending":
		case "running":
		case "needs_rework":
			return "to_do";
		default:
			return assertNever(status);
	}
}

const PATCHES: EventTable<Patch> = {
	"task-started":
		({ bound }, event) =>
		() => ({ standing: "in_work", bound, phase: "initializing", since: at(event), call: null }),
	"task-reopened":
		({ bound }) =>
		() => ({ bound }),
	// A refused merge, a person's answer and the next subtask change the bound.
	"node-entered": ({ phase, bound }, event) => {
		const inIt = inPhase(phase, event);
		return (before) => ({ ...inIt(before), bound: bound ?? before.bound });
	},
	"phase-changed": ({ to }, event) => inPhase(to, event),
	"agent-called":
		({ role, agent }, event) =>
		() => ({ call: { role, agent, since: at(event) } }),
	"agent-answered": ({ usage }) => paid(usage),
	"agent-failed": ({ usage }) => paid(usage),
	"item-opened":
		({ item }, event) =>
		() => ({ standing: "waiting", item, since: at(event), call: null }),
	"item-answered":
		({ status }) =>
		({ standing, item }) =>
			status === "RESOLVED" || status === "REJECTED"
				? { standing: standing === "waiting" ? "to_do" : standing, item: null }
				: { item },
	"task-stopped":
		({ message }) =>
		() => ({ standing: "to_do", call: null, told: message }),
	// Its standing says the rest.
	"task-ended": (ended) => () => ({
		standing: standingAtEnd(ended),
		call: null,
		item: null,
		told: ended.reason,
	}),
};

const untouched = (since: number): TaskProgress => ({
	standing: "to_do",
	turn: 0,
	bound: null,
	phase: "initializing",
	since,
	call: null,
	costUsd: null,
	item: null,
	told: null,
});

function put(state: ProgressState, id: string, after: TaskProgress): void {
	const before = state.tasks.get(id);
	const change = Number(after.standing === "in_work") - Number(before?.standing === "in_work");
	state.tasks.set(id, after);
	state.inWork += change;
	state.isMixed ||= state.inWork > 1;
}

function moveAll(state: ProgressState, from: ProgressStanding, to: ProgressStanding): void {
	for (const [id, task] of state.tasks) {
		if (task.standing === from) put(state, id, { ...task, standing: to, call: null });
	}
}

// They may follow the event after which nothing of their task happens by itself.
const AFTERWARDS = new Set<StoredEvent["type"]>(["node-left", "person-notified"]);

function standingAfter(event: StoredEvent, before: ProgressStanding): ProgressStanding {
	return event.node !== null && !AFTERWARDS.has(event.type) ? "in_work" : before;
}

export function noteEvent(state: ProgressState, event: StoredEvent): void {
	if (event.type === "run-started") {
		for (const id of event.data.tasks) put(state, id, untouched(at(event)));
	}
	// What was under way when the last process ended is not under way any more.
	if (event.type === "run-resumed") moveAll(state, "in_work", "to_do");
	// A run whose failed tasks are reopened tries those that they blocked again.
	if (event.type === "task-reopened") moveAll(state, "blocked", "to_do");
	if (event.task === null) return;
	const before = state.tasks.get(event.task) ?? {
		...untouched(at(event)),
		standing: "in_work" as const,
	};
	put(state, event.task, {
		...before,
		turn: event.turn ?? before.turn,
		standing: standingAfter(event, before.standing),
		told: lineText(event) ?? before.told,
		...byEvent(PATCHES, event)?.(before),
	});
}
