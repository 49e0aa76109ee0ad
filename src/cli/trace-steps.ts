import type { RunEvent } from "./run-event.ts";

/** What happened in one node, or between nodes, of one turn. */
export interface TraceStep {
	readonly turn: number | null;
	/** null for what belongs to no node. */
	readonly node: string | null;
	/** null when the node was not left: the run was killed in it, or waits there. */
	readonly ms: number | null;
	/** Why the node did nothing; null when it worked. */
	readonly passedThrough: string | null;
	/** Everything but the entering and leaving of the node. */
	readonly events: readonly RunEvent[];
}

type Draft = { -readonly [Key in keyof TraceStep]: TraceStep[Key] } & { events: RunEvent[] };

/** Whether an event rejects the report of the call that another one tells the end of. */
function rejects(event: RunEvent, answer: RunEvent): boolean {
	return (
		event.type === "report-rejected" &&
		answer.type === "agent-answered" &&
		event.data.role === answer.data.role &&
		event.data.call === answer.data.call
	);
}

/** Each rejected report behind its call: a rejection is stored when the node is done, a call as it ends. */
function besideTheirCalls(events: readonly RunEvent[]): readonly RunEvent[] {
	return events.flatMap((event) => {
		if (events.some((answer) => rejects(event, answer))) return [];
		return [event, ...events.filter((later) => rejects(later, event))];
	});
}

/** The events of a task in steps: a new step begins when a node is entered, or turn or node change. */
export function traceSteps(events: readonly RunEvent[]): readonly TraceStep[] {
	const steps: Draft[] = [];
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
