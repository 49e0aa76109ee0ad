import type { FindingReport } from "../app/sparring.ts";
import type { Paint } from "./paint.ts";
import { indented, oneLine } from "./visible-text.ts";

type Entry = FindingReport["history"][number];

const WHO = {
	player: "the player",
	coach: "the coach",
	tie_breaker: "the tie-breaker",
	person: "a person",
} as const;

/** What happened, in the words of a reader: `"upheld by the coach"`. */
function happened({ state, by, text }: Entry, isFirst: boolean): string {
	const who = by === null ? "" : ` by ${WHO[by]}`;
	switch (state) {
		case "open":
			return isFirst ? `raised${who}` : `changed${who}, still open`;
		case "dispute_ignored":
			return "a dispute had no effect";
		case "conflict_settled":
			return "settled by the tie-breaker";
		case "conflict_escalated":
			return "a person has to decide";
		case "answered":
			return `a person chose ${oneLine(text ?? "", 60)}`;
		case "fixed":
		case "reopened":
		case "disputed":
		case "upheld":
		case "withdrawn":
		case "overruled":
			return `${state}${who}`;
	}
}

/** The attempts number of settlements, in the order in which they stand in the history. */
function attemptOf({ conflicts }: FindingReport, nth: number): string {
	const conflict = conflicts[nth];
	if (conflict === undefined) return "";
	const { attempt, decision } = conflict;
	return ` (attempt ${attempt}${decision === null ? "" : `, ${decision}`})`;
}

const isSettlement = ({ state }: Entry): boolean =>
	state === "conflict_settled" || state === "conflict_escalated";

function entryText(finding: FindingReport, index: number): string {
	const { history } = finding;
	const entry = history[index];
	if (entry === undefined) return "";
	const { turn, state, text, evidence } = entry;
	const nth = history.slice(0, index).filter(isSettlement).length;
	const attempt = isSettlement(entry) ? attemptOf(finding, nth) : "";
	const place = turn === null ? "" : `turn ${turn}: `;
	// A ruling's words stand with the settlement, and again with the state that it led to.
	const isSaid = state === "answered" || text === null || text === history[index - 1]?.text;
	return [
		`    ${place}${happened(entry, index === 0)}${attempt}`,
		...(isSaid ? [] : [indented(text, "      ")]),
		...(evidence === null ? [] : [indented(`evidence: ${evidence}`, "      ")]),
	].join("\n");
}

/** The life of a finding, unless the heading says all of it: it was raised, and nothing happened since. */
function lifeLines(finding: FindingReport): string[] {
	const { history } = finding;
	const isTold = history.length === 1 && history[0]?.state === "open" && history[0].text === null;
	return isTold ? [] : history.map((_entry, index) => entryText(finding, index));
}

/** Dispute and ruling of a finding whose history, written by an older version, does not hold them. */
function untold({ dispute, ruling, history }: FindingReport): string[] {
	const told = (state: Entry["state"]) =>
		history.some((entry) => entry.state === state && entry.text !== null);
	return [
		...(dispute === null || told("disputed")
			? []
			: [
					`disputed in turn ${dispute.turn}: ${dispute.reason}`,
					...(dispute.evidence === null ? [] : [`its evidence: ${dispute.evidence}`]),
				]),
		...(ruling === null || history.some(({ by }) => by === ruling.by)
			? []
			: [
					`${WHO[ruling.by]} decided ${ruling.decision} in turn ${ruling.turn}: ${ruling.rationale}`,
				]),
	];
}

function placeOf({ file, line }: FindingReport): string {
	if (file === null) return "";
	return `  ${oneLine(file)}${line === null ? "" : `:${line}`}`;
}

function sinceWhen({ raised_turn: raised, changed_turn: changed, state }: FindingReport): string {
	return changed === raised
		? `raised in turn ${raised}`
		: `raised in turn ${raised}, ${state} since turn ${changed}`;
}

/** A finding with its life: a heading, what it says, then one entry for each thing that happened, with the words given. */
export function renderFinding(finding: FindingReport, paint: Paint): string {
	const { id, state, severity, blocking, late, criterion, suggestion, subtask } = finding;
	const marks = [
		...(blocking ? [paint("bad", "blocking")] : []),
		...(late ? [paint("quiet", "late")] : []),
	];
	const notes = [
		...(criterion === null ? [] : [`criterion: ${criterion}`]),
		...(suggestion === null ? [] : [`suggestion: ${suggestion}`]),
		...(subtask === null ? [] : [`subtask: ${subtask}`]),
		...untold(finding),
	];
	return [
		`${[paint("strong", id), severity, state, ...marks].join(" ")}  ${sinceWhen(finding)}${placeOf(finding)}`,
		indented(finding.issue, "  "),
		...notes.map((note) => indented(note, "    ")),
		...lifeLines(finding),
	].join("\n");
}
