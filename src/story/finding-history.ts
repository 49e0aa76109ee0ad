import type { Finding } from "../review/finding.ts";
import type { FindingHistoryEntry } from "../review/finding-report.ts";
import type { StoredEvent } from "../trace/event.ts";

/** Who moves a finding to a state when the event names nobody. */
function moverTo(state: string): FindingHistoryEntry["by"] {
	if (state === "disputed") return "player";
	return state === "overruled" ? null : "coach";
}

type Named = [id: string, entry: FindingHistoryEntry];

/** What an event says of findings, each under its id; nothing for most types of events. */
function entriesOf(event: StoredEvent): Named[] {
	const { type, turn, timestamp, data } = event;
	const at = { turn, timestamp, evidence: null };
	if (type === "finding-changed") {
		const { finding, argument } = data;
		// The ledger alone writes this event, from the closed set of states.
		const state = data.state as Finding["state"];
		const by = argument?.by ?? moverTo(state);
		const said = { text: argument?.text ?? null, evidence: argument?.evidence ?? null };
		const entry = { ...at, state, by, ...said };
		return [[finding, argument?.unsaid === true ? { ...entry, unsaid: true } : entry]];
	}
	if (type === "dispute-ignored") {
		return [[data.finding, { ...at, state: "dispute_ignored", by: "player", text: data.reason }]];
	}
	if (type === "conflict-resolved") {
		const { finding, resolution, rationale, escalation_reason: reason } = data;
		return resolution === "AUTO"
			? [[finding, { ...at, state: "conflict_settled", by: "tie_breaker", text: rationale }]]
			: [[finding, { ...at, state: "conflict_escalated", by: null, text: reason }]];
	}
	if (type !== "item-answered") return [];
	return Object.entries(data.findings ?? {}).map(
		([finding, choice]): Named => [
			finding,
			{ ...at, state: "answered", by: "person", text: choice },
		],
	);
}

/**
 * The life of each finding of a task by its id, the oldest first, from the task's events in their order. What was said
 * under an id before a finding had it is not part of its history.
 */
export function findingHistories(
	events: readonly StoredEvent[],
): ReadonlyMap<string, readonly FindingHistoryEntry[]> {
	const histories = new Map<string, FindingHistoryEntry[]>();
	for (const [id, entry] of events.flatMap(entriesOf)) {
		const history = histories.get(id);
		if (history !== undefined) history.push(entry);
		else if (entry.state !== "dispute_ignored") histories.set(id, [entry]);
	}
	return histories;
}
