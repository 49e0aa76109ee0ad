import { excerpt } from "../review/excerpt.ts";
import { fenced } from "../review/fenced.ts";
import type { ConflictEvent } from "./conflict.ts";
import type { UpheldFinding } from "./open-conflicts.ts";

const WORDS_LIMIT = 4_000;
const EVIDENCE_LIMIT = 8_000;
const DIFF_LIMIT = 40_000;
const NAME_LIMIT = 500;

/** What both sides of a disputed finding have said. Texts are masked already, since a cut may split a secret. */
export interface ConflictTextsInput {
	readonly finding: Pick<
		UpheldFinding,
		"issue" | "severity" | "file" | "line" | "criterion" | "suggestion" | "dispute"
	>;
	/** From the task's start commit to the commit that was reviewed. */
	readonly diff: string;
	/** What the coach said of the criterion that the finding names, where it called it unmet; else null. */
	readonly criterionEvidence: string | null;
	/** Why the coach upheld the finding; null when it gave no reason. */
	readonly upheldBecause: string | null;
	/** The test in question, where a verifier's is disputed; else null. */
	readonly test: string | null;
	/** What the coach said of its whole round; blank for nothing. */
	readonly rationale: string;
}

/** The parts of a diff by file, those of the named file first: a cut must not hide what is disputed. */
function disputedFirst(diff: string, file: string | null): string {
	if (file === null || diff.length <= DIFF_LIMIT) return diff;
	const parts = diff.split(/^(?=diff --git )/m);
	const isMeant = (part: string): boolean =>
		part.split("\n", 1)[0]?.endsWith(` b/${file}`) === true;
	return [...parts.filter(isMeant), ...parts.filter((part) => !isMeant(part))].join("");
}

function placeOf({ file, line }: ConflictTextsInput["finding"]): string | null {
	if (file === null) return null;
	return line === null ? file : `${file}:${line}`;
}

const isSaid = (text: string | null): text is string => text !== null && text.trim() !== "";

const part = (label: string, text: string | null, limit: number = WORDS_LIMIT): string[] =>
	isSaid(text) ? [fenced(label, text, limit)] : [];

const line = (label: string, text: string | null): string[] =>
	isSaid(text) ? [`${label}: ${excerpt(text, NAME_LIMIT)}`] : [];

/**
 * Both sides of a disputed finding as the texts of a `ConflictEvent`. What agents wrote stands in fences of its own, so
 * that no reason can pass for evidence, nor evidence for the diff. Bounded: at most 80,000 characters a side.
 *
 * @example the developer's text holds the reason of the dispute, its evidence and the diff, in this order
 */
export function conflictTexts({
	finding,
	diff,
	criterionEvidence,
	upheldBecause,
	test,
	rationale,
}: ConflictTextsInput): Pick<ConflictEvent, "developerOutput" | "reviewerFeedback"> {
	const { issue, severity, criterion, suggestion, dispute, file } = finding;
	const change =
		diff.trim() === ""
			? ["Nothing was changed."]
			: part("Diff of the change", disputedFirst(diff, file), DIFF_LIMIT);
	return {
		developerOutput: [
			...part("Reason for the dispute", dispute.reason),
			...part("The developer's evidence", dispute.evidence, EVIDENCE_LIMIT),
			...change,
		].join("\n\n"),
		reviewerFeedback: [
			...part("Issue", issue),
			[
				`Severity: ${severity}`,
				...line("Location", placeOf(finding)),
				...line("Acceptance criterion that it breaks", criterion),
			].join("\n"),
			...part("The test, which the developer has not seen", test, EVIDENCE_LIMIT),
			...part("Why the reviewer calls the criterion unmet", criterionEvidence),
			...part("Suggestion", suggestion),
			...part("Why the reviewer rejects the dispute", upheldBecause),
			...part("Summary of the whole review", rationale),
		].join("\n\n"),
	};
}
