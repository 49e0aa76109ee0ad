import type { FindingConflict } from "../conflict/conflict.ts";
import { snake } from "../kernel/snake-case.ts";
import type { Finding } from "../review/finding.ts";
import type {
	FindingConflictReport,
	FindingHistoryEntry,
	FindingReport,
} from "../review/finding-report.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { StoredEvent } from "../trace/event.ts";

function moverTo(state: string): FindingHistoryEntry["by"] {
	if (state === "disputed") return "player";
	return state === "overruled" ? null : "coach";
}

function entriesOf(event: StoredEvent): [id: string, entry: FindingHistoryEntry][] {
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
		([finding, choice]): [id: string, entry: FindingHistoryEntry] => [
			finding,
			{ ...at, state: "answered", by: "person", text: choice },
		],
	);
}

// An event under an id before a finding had it is not part of its history.
function findingHistories(
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

function conflictReport(conflict: FindingConflict): FindingConflictReport {
	return {
		...snake(conflict, "conflictId", "turn"),
		attempt: conflict.attemptCount,
		...snake(conflict, "resolution", "tieBreaker"),
		decision: conflict.tieBreakerDecision,
		...snake(conflict, "rationale", "escalationReason"),
	};
}

function rulingReport({ ruling }: Finding): FindingReport["ruling"] {
	if (ruling == null) return null;
	return snake(ruling, "by", "decision", "rationale", "turn");
}

/**
 * Every finding of a task with its life, in the order they were raised.
 *
 * @param events of the task, in the order of their ids
 */
export function findingReports(
	findings: readonly Finding[],
	conflicts: readonly FindingConflict[],
	events: readonly StoredEvent[],
): FindingReport[] {
	const histories = findingHistories(events);
	return findings.map((finding) => ({
		...snake(finding, "id", "state", "severity"),
		blocking: isBlocking(finding),
		...snake(finding, "late", "source", "criterion", "file", "line", "issue", "suggestion"),
		...snake(finding, "subtask", "dispute"),
		ruling: rulingReport(finding),
		...snake(finding, "raisedTurn", "changedTurn"),
		history: histories.get(finding.id) ?? [],
		conflicts: conflicts.filter((one) => one.finding === finding.id).map(conflictReport),
	}));
}
