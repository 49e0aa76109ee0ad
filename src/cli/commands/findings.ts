import type { Sparring } from "../../library/sparring.ts";
import { MOVER_WORDS } from "../../words/states.ts";
import { indented, oneLine } from "../../words/visible-text.ts";
import type { Paint } from "../terminal/paint.ts";
import { taskCommand } from "../terminal/task-command.ts";

type FindingReport = Awaited<ReturnType<Sparring["findings"]>>[number];
type Entry = FindingReport["history"][number];

function chosen(choice: string, source: FindingReport["source"]): string {
	switch (choice) {
		case "take_developer":
			return "a person took the player's side";
		case "take_reviewer":
			return `a person took the ${source === "verification" ? "verifier" : "coach"}'s side`;
		case "directive":
			return "a person gave a directive";
		default:
			return `a person chose ${oneLine(choice, 60)}`;
	}
}

function happened(
	{ state, by, text }: Entry,
	isFirst: boolean,
	source: FindingReport["source"],
): string {
	const who = by === null ? "" : ` by ${MOVER_WORDS[by]}`;
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
			return chosen(text ?? "", source);
		case "fixed":
		case "reopened":
		case "disputed":
		case "upheld":
		case "withdrawn":
		case "overruled":
			return `${state}${who}`;
	}
}

function attemptOf({ conflicts }: FindingReport, nth: number): string {
	const conflict = conflicts[nth];
	if (conflict === undefined) return "";
	const { attempt, decision } = conflict;
	return ` (attempt ${attempt}${decision === null ? "" : `, ${decision}`})`;
}

const isSettlement = ({ state }: Entry): boolean =>
	state === "conflict_settled" || state === "conflict_escalated";

// An entry that is what the answer before it did.
function isEffect(history: FindingReport["history"], index: number): boolean {
	const [answer, entry] = [history[index - 1], history[index]];
	return answer?.state === "answered" && entry?.by === "person" && entry.state !== "answered";
}

function answerText(answer: Entry, effect: Entry, source: FindingReport["source"]): string {
	const { text, state, unsaid } = effect;
	const what = happened(state === "overruled" ? effect : answer, false, source);
	return [
		`    ${placeText(answer)}${what}`,
		...(text === null || unsaid === true ? [] : [indented(text, "      ")]),
	].join("\n");
}

const placeText = ({ turn }: Entry): string => (turn === null ? "" : `turn ${turn}: `);

function entryText(finding: FindingReport, index: number): string {
	const { history } = finding;
	const [entry, next] = [history[index], history[index + 1]];
	if (entry === undefined) return "";
	if (next !== undefined && isEffect(history, index + 1))
		return answerText(entry, next, finding.source);
	const { state, text, evidence } = entry;
	const nth = history.slice(0, index).filter(isSettlement).length;
	const attempt = isSettlement(entry) ? attemptOf(finding, nth) : "";
	// A ruling's words stand with the settlement, and again with the state that it led to.
	const isSaid = state === "answered" || text === null || text === history[index - 1]?.text;
	return [
		`    ${placeText(entry)}${happened(entry, index === 0, finding.source)}${attempt}`,
		...(isSaid ? [] : [indented(text, "      ")]),
		...(evidence === null ? [] : [indented(`evidence: ${evidence}`, "      ")]),
	].join("\n");
}

// None where the heading says all of it: it was raised, and nothing happened since.
function lifeLines(finding: FindingReport): string[] {
	const { history } = finding;
	const isTold = history.length === 1 && history[0]?.state === "open" && history[0].text === null;
	if (isTold) return [];
	return history.flatMap((_entry, index) =>
		isEffect(history, index) ? [] : [entryText(finding, index)],
	);
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
	];
	return [
		`${[paint("strong", id), severity, state, ...marks].join(" ")}  ${sinceWhen(finding)}${placeOf(finding)}`,
		indented(finding.issue, "  "),
		...notes.map((note) => indented(note, "    ")),
		...lifeLines(finding),
	].join("\n");
}

export const command = taskCommand(
	[
		"spar findings limiter",
		"spar findings limiter --run 20261121-230218-3a67",
		"spar findings limiter --json",
	],
	{
		read: (sparring, task, run) => sparring.findings(task, run),
		show: (all, shell, paint) => {
			if (all.length === 0) shell.err.print("no findings\n");
			else shell.out.print(`${all.map((finding) => renderFinding(finding, paint)).join("\n")}\n`);
		},
	},
);
