import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";
import type { Finding } from "./finding.ts";
import { rulingText } from "./ruling-text.ts";

/** Overruled findings shown: the newest rulings. */
const SHOWN = 20;
const ISSUE_LIMIT = 500;

const NOTE = `The player disputed these findings, and the decision went against you. If you raise one again without new grounds, it is ignored.
You have new grounds if the finding's file has changed since the decision (any file, if the finding names none), or if you found a different defect. Judge every criterion by the work as it is now.`;

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

/** Findings that were decided against the coach, for its prompt: the newest 20, newest first, below a note. `""` without any. */
export function overruledText(overruled: readonly Finding[]): string {
	if (overruled.length === 0) return "";
	const newest = [...overruled].sort((a, b) => turnOf(b) - turnOf(a));
	const rest = newest.length - SHOWN;
	return [
		NOTE,
		...newest.slice(0, SHOWN).map(overruledFinding),
		...(rest > 0 ? [`${rest} more findings were overruled earlier.`] : []),
	].join("\n\n");
}
