import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";
import type { Finding } from "./finding.ts";
import { rulingText } from "./ruling-text.ts";

/** Overruled findings shown: the newest rulings. */
const SHOWN = 20;
const ISSUE_LIMIT = 500;

const NOTE = `These were disputed and decided against you. Raised again without new ground they are ignored.
New ground is that the file has changed since the ruling, for a finding without a file that anything has, or another defect. Judge each criterion anew, by the work as it is now.`;

const turnOf = ({ ruling }: Finding): number => ruling?.turn ?? 0;

function overruledFinding(finding: Finding): string {
	const { id, severity, criterion, issue, file, ruling } = finding;
	return [
		`### ${id} (${severity})`,
		criterion === null ? "" : `About the criterion: ${excerpt(criterion, 500)}`,
		fenced("Issue", file === null ? issue : `${file}: ${issue}`, ISSUE_LIMIT),
		ruling == null ? "" : rulingText(ruling, "coach"),
	]
		.filter((part) => part !== "")
		.join("\n");
}

/**
 * Findings that were decided against the coach, for its prompt: the newest 20 rulings, the newest first, after a note on
 * what would be new ground. Empty without any.
 */
export function overruledText(overruled: readonly Finding[]): string {
	if (overruled.length === 0) return "";
	const newest = [...overruled].sort((a, b) => turnOf(b) - turnOf(a));
	const rest = newest.length - SHOWN;
	return [
		NOTE,
		...newest.slice(0, SHOWN).map(overruledFinding),
		...(rest > 0 ? [`${rest} more were overruled earlier.`] : []),
	].join("\n\n");
}
