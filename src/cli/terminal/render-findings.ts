import { textAt } from "../../kernel/text-at.ts";
import { indented, oneLine } from "../../kernel/visible-text.ts";
import type { Sparring } from "../../library/sparring.ts";
import { findingLife, type LifeStep } from "../../words/finding-life.ts";
import type { Paint } from "./paint.ts";

type FindingReport = Awaited<ReturnType<Sparring["findings"]>>[number];

const stepText = ({ when, what, text, evidence }: LifeStep): string =>
	[
		`    ${when}${what}`,
		...(text === null ? [] : [indented(text, "      ")]),
		...(evidence === null ? [] : [indented(`evidence: ${evidence}`, "      ")]),
	].join("\n");

function sinceWhen({ raised_turn: raised, changed_turn: changed, state }: FindingReport): string {
	return changed === raised
		? `raised in turn ${raised}`
		: `raised in turn ${raised}, ${state} since turn ${changed}`;
}

function renderFinding(finding: FindingReport, paint: Paint): string {
	const { id, state, severity, blocking, late, criterion, suggestion, subtask, file } = finding;
	const place = file === null ? "" : `  ${oneLine(textAt(finding))}`;
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
		`${[paint("strong", id), severity, state, ...marks].join(" ")}  ${sinceWhen(finding)}${place}`,
		indented(finding.issue, "  "),
		...notes.map((note) => indented(note, "    ")),
		...findingLife(finding).map(stepText),
	].join("\n");
}

export const renderFindings = (all: readonly FindingReport[], paint: Paint): string =>
	all.map((finding) => renderFinding(finding, paint)).join("\n");
