import type { TraceFile } from "../../drive/trace-file.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { StoredEvent } from "../../trace/event.ts";
import { eventText } from "../../words/events/event-text.ts";
import { taskStanding } from "../../words/standing.ts";
import type { Paint } from "./paint.ts";

interface TraceStep {
	readonly turn: number | null;
	readonly node: string | null;
	// null: the run was killed in it, or waits there.
	ms: number | null;
	passedThrough: string | null;
	readonly events: StoredEvent[];
}

function rejects(event: StoredEvent, answer: StoredEvent): boolean {
	return (
		event.type === "report-rejected" &&
		answer.type === "agent-answered" &&
		event.data.role === answer.data.role &&
		event.data.call === answer.data.call
	);
}

function besideTheirCalls(events: readonly StoredEvent[]): StoredEvent[] {
	return events.flatMap((event) => {
		if (events.some((answer) => rejects(event, answer))) return [];
		return [event, ...events.filter((later) => rejects(later, event))];
	});
}

function traceSteps(events: readonly StoredEvent[]): readonly TraceStep[] {
	const steps: TraceStep[] = [];
	for (const event of events) {
		let step = steps.at(-1);
		if (step?.node !== event.node || step.turn !== event.turn || event.type === "node-entered") {
			step = { turn: event.turn, node: event.node, ms: null, passedThrough: null, events: [] };
			steps.push(step);
		}
		if (event.type === "node-left") {
			step.ms = event.data.ms;
			step.passedThrough = event.data.passed_through;
		} else if (event.type !== "node-entered") {
			step.events.push(event);
		}
	}
	return steps.map((step) => ({ ...step, events: besideTheirCalls(step.events) }));
}

const took = (ms: number): string => ` (${formatDuration(ms)})`;

function stepHeading(step: TraceStep, paint: Paint): string[] {
	if (step.node === null) return [];
	if (step.passedThrough !== null) {
		return [
			paint("quiet", `  ${step.node}: passed through: ${oneLine(step.passedThrough, 1_000)}`),
		];
	}
	const duration = step.ms === null ? " (not finished)" : took(step.ms);
	return [`  ${paint("strong", step.node)}${duration}`];
}

function stepLines(step: TraceStep, paint: Paint): string[] {
	const indent = step.node === null ? "  " : "    ";
	const events = step.events.flatMap((event) => {
		// The heading says why.
		if (step.passedThrough !== null && event.type === "verification-decided") return [];
		const { short, long = short } = eventText(event);
		return long === undefined ? [] : [`${indent}${long.replaceAll("\n", `\n${indent}`)}`];
	});
	return [...stepHeading(step, paint), ...events];
}

// No later event tells that somebody acted on it.
function hasAnswer({ status, events }: TraceFile): boolean {
	if (status !== "paused_for_human") return false;
	const last = events.findLast(({ type }) => type === "item-opened" || type === "item-answered");
	if (last?.type !== "item-answered") return false;
	return last.data.status === "RESOLVED" || last.data.status === "REJECTED";
}

function headingLines(trace: TraceFile, paint: Paint): string[] {
	const calls = Object.entries(trace.agent_invocations).map(
		([agent, count]) => `${agent} ${count}`,
	);
	const ended = trace.ended_at === null ? "" : `, ended ${trace.ended_at}`;
	return [
		`${paint("strong", `task ${trace.task_id}`)} of run ${trace.run_id}: ${taskStanding({ status: trace.status, human_item_answered: hasAnswer(trace) }).word}`,
		...(trace.feature_id === null ? [] : [`feature: ${oneLine(trace.feature_id)}`]),
		trace.started_at === null ? "not started" : `started ${trace.started_at}${ended}`,
		`turns: ${trace.turns}; agent calls: ${calls.length === 0 ? "none" : calls.join(", ")}`,
		...(trace.files_removed === true
			? ["its transcripts and outputs were removed (spar prune, or keep_runs)"]
			: []),
	];
}

export function renderTrace(trace: TraceFile, paint: Paint): string {
	const lines = headingLines(trace, paint);
	let turn: number | null = null;
	for (const step of traceSteps(trace.events)) {
		// What is done for the start commit in a later turn belongs to that turn.
		if (step.turn !== null && step.turn > (turn ?? -1)) {
			lines.push("", paint("strong", step.turn === 0 ? "before turn 1" : `turn ${step.turn}`));
			turn = step.turn;
		}
		lines.push(...stepLines(step, paint));
	}
	return lines.join("\n");
}
