import { textAt } from "../kernel/text-at.ts";
import { excerpt, fenced } from "./excerpt.ts";
import type { Finding, Ruling } from "./finding.ts";
import { joined } from "./task-text.ts";

const SHOWN = 40;
const ISSUE_LIMIT = 2_000;
const REMARK_LIMIT = 1_000;

const RANK: Readonly<Record<Finding["severity"], number>> = { critical: 0, major: 1, minor: 2 };

function disputeText({ dispute }: Finding): string[] {
	if (dispute === null) return [];
	return [
		fenced(`Player's dispute in turn ${dispute.turn}`, dispute.reason, REMARK_LIMIT),
		dispute.evidence === null
			? ""
			: fenced("Evidence given with the dispute", dispute.evidence, REMARK_LIMIT),
	];
}

function contest(finding: Finding, seat: PairSeat): string[] {
	const { dispute, ruling } = finding;
	const ruled = ruling == null ? [] : [rulingText(ruling, seat)];
	const isNewer = ruling != null && dispute !== null && dispute.turn > ruling.turn;
	return isNewer ? [...ruled, ...disputeText(finding)] : [...disputeText(finding), ...ruled];
}

function findingText(finding: Finding, seat: PairSeat): string {
	const { id, severity, state, late, suggestion, criterion, file, issue } = finding;
	const bar = late ? ", not blocking: raised late, about unchanged code" : "";
	return joined(
		[
			`### ${id} (${severity}, ${state}${bar})`,
			criterion === null ? "" : `Breaks the criterion: ${excerpt(criterion, 500)}`,
			fenced("Issue", file === null ? issue : `${textAt(finding)}: ${issue}`, ISSUE_LIMIT),
			suggestion === null ? "" : fenced("Suggestion", suggestion, REMARK_LIMIT),
			...contest(finding, seat),
		],
		"\n",
	);
}

// At most 40 in full, so that prompts do not grow with the task.
export function findingsText(findings: readonly Finding[], seat: PairSeat): string {
	const ordered = [...findings].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
	const shown = ordered.slice(0, SHOWN).map((finding) => findingText(finding, seat));
	const rest = ordered.length - shown.length;
	const note = `${rest} more findings are in the JSON file whose path is in the environment variable SPAR_CONTEXT.`;
	return [...shown, ...(rest > 0 ? [note] : [])].join("\n\n");
}

const SHOWN_OVERRULED = 20;
const OVERRULED_LIMIT = 500;

const NOTE = `The player disputed these findings, and the decision went against you. If you raise one again without new grounds, it is ignored.
You have new grounds if the finding's file has changed since the decision (any file, if the finding names none), or if you found a different defect. Judge every criterion by the work as it is now.`;

const turnOf = ({ ruling }: Finding): number => ruling?.turn ?? 0;

function overruledFinding(finding: Finding): string {
	const { id, severity, criterion, issue, file, ruling } = finding;
	return joined(
		[
			`### ${id} (${severity})`,
			criterion === null ? "" : `About the criterion: ${excerpt(criterion, 500)}`,
			fenced("Issue", file === null ? issue : `${file}: ${issue}`, OVERRULED_LIMIT),
			ruling == null ? "" : rulingText(ruling, "coach"),
		],
		"\n",
	);
}

export function overruledText(overruled: readonly Finding[]): string {
	if (overruled.length === 0) return "";
	const newest = [...overruled].sort((a, b) => turnOf(b) - turnOf(a));
	const rest = newest.length - SHOWN_OVERRULED;
	return [
		NOTE,
		...newest.slice(0, SHOWN_OVERRULED).map(overruledFinding),
		...(rest > 0 ? [`${rest} more findings were overruled earlier.`] : []),
	].join("\n\n");
}

const RATIONALE_LIMIT = 1_000;

function headline({ by, decision, turn }: Ruling): string {
	const who = by === "person" ? "A person" : "The tie-breaker";
	const what = decision === "FAIL" ? "that the finding stands" : "to drop the finding";
	return `${who} decided in turn ${turn} ${what}`;
}

type PairSeat = "player" | "coach";

const CONSEQUENCES: Readonly<Record<PairSeat, Readonly<Record<Ruling["by"], string>>>> = {
	player: {
		person: "Fix it. You can no longer dispute it.",
		tie_breaker: "Fix it. You can dispute it again only with new evidence.",
	},
	coach: {
		person: "The player has to fix it and can no longer dispute it. Check whether it is fixed.",
		tie_breaker:
			"The player has to fix it, or dispute it with new evidence. Check whether it is fixed.",
	},
};

// A tie-breaker's words are fenced, since a model wrote them. A person's are not: they are put on one line.
function rulingText(ruling: Ruling, seat: PairSeat): string {
	const { by, decision, rationale } = ruling;
	const isBlank = rationale.trim() === "";
	const why = by === "person" && !isBlank ? `: ${excerpt(rationale, RATIONALE_LIMIT)}` : ".";
	return joined(
		[
			`${headline(ruling)}${why}`,
			by === "person" || isBlank
				? ""
				: fenced("The tie-breaker's reason", rationale, RATIONALE_LIMIT),
			decision === "PASS" ? "" : CONSEQUENCES[seat][by],
		],
		"\n",
	);
}
