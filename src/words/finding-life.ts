import { oneLine } from "../kernel/visible-text.ts";
import type { FindingHistoryEntry, FindingReport } from "../review/finding-report.ts";
import { MOVER_WORDS } from "./states.ts";

/** One thing that happened to a finding, in words. */
export interface LifeStep
	extends Pick<FindingHistoryEntry, "state" | "text" | "evidence" | "timestamp"> {
	/** `"turn 2: "`; `""` where it belongs to no turn. */
	readonly when: string;
	readonly what: string;
}

const HAPPENED: Readonly<Partial<Record<FindingHistoryEntry["state"], string>>> = {
	dispute_ignored: "a dispute had no effect",
	conflict_settled: "settled by the tie-breaker",
	conflict_escalated: "a person has to decide",
};

function chosen(choice: string, source: FindingReport["source"]): string {
	const upholder = source === "verification" ? "verifier" : "coach";
	const known: Readonly<Record<string, string>> = {
		take_developer: "took the player's side",
		take_reviewer: `took the ${upholder}'s side`,
		directive: "gave a directive",
	};
	return `a person ${known[choice] ?? `chose ${oneLine(choice, 60)}`}`;
}

function happened(
	{ state, by, text }: FindingHistoryEntry,
	isFirst: boolean,
	source: FindingReport["source"],
): string {
	const who = by === null ? "" : ` by ${MOVER_WORDS[by]}`;
	if (state === "answered") return chosen(text ?? "", source);
	if (state !== "open") return HAPPENED[state] ?? `${state}${who}`;
	return isFirst ? `raised${who}` : `changed${who}, still open`;
}

const isSettlement = ({ state }: FindingHistoryEntry): boolean =>
	state === "conflict_settled" || state === "conflict_escalated";

/** An entry that is what the answer before it did is told with that answer. */
const isEffect = (
	answer: FindingHistoryEntry | undefined,
	entry: FindingHistoryEntry | undefined,
): boolean => answer?.state === "answered" && entry?.by === "person" && entry.state !== "answered";

function attemptOf({ conflicts, history }: FindingReport, index: number): string {
	const entry = history[index];
	if (entry === undefined || !isSettlement(entry)) return "";
	const conflict = conflicts[history.slice(0, index).filter(isSettlement).length];
	if (conflict === undefined) return "";
	const { attempt, decision } = conflict;
	return ` (attempt ${attempt}${decision === null ? "" : `, ${decision}`})`;
}

function stepAt(finding: FindingReport, index: number): LifeStep[] {
	const { history, source } = finding;
	const [before, entry, next] = [history[index - 1], history[index], history[index + 1]];
	if (entry === undefined || isEffect(before, entry)) return [];
	const { turn, state, evidence, timestamp } = entry;
	const step = { state, timestamp, when: turn === null ? "" : `turn ${turn}: ` };
	if (next !== undefined && isEffect(entry, next)) {
		const what = happened(next.state === "overruled" ? next : entry, false, source);
		return [{ ...step, what, text: next.unsaid === true ? null : next.text, evidence: null }];
	}
	const what = `${happened(entry, index === 0, source)}${attemptOf(finding, index)}`;
	// A ruling's words stand with the settlement, and again with the state that it led to.
	const isSaid = state === "answered" || entry.text === before?.text;
	return [{ ...step, what, text: isSaid ? null : entry.text, evidence }];
}

/** Life of a finding, the oldest first; empty where it was raised, and nothing happened since. */
export function findingLife(finding: FindingReport): readonly LifeStep[] {
	const [first, ...later] = finding.history;
	if (later.length === 0 && first?.state === "open" && first.text === null) return [];
	return finding.history.flatMap((_entry, index) => stepAt(finding, index));
}
