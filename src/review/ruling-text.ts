import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";
import type { Ruling } from "./finding.ts";

const RATIONALE_LIMIT = 1_000;

function headline({ by, decision, turn }: Ruling): string {
	const who = by === "person" ? "A person" : "The tie-breaker";
	const what = decision === "FAIL" ? "that it stands" : "against it";
	return `${who} decided in turn ${turn} ${what}`;
}

/** What a ruling leaves to the player. */
function consequence({ by, decision }: Ruling): string {
	if (decision === "PASS") return "";
	return by === "person"
		? "No dispute of it is taken any more: mend it."
		: "A dispute of it is taken only with new evidence.";
}

/**
 * A ruling for a prompt: who decided what and why, and what that leaves to the player. A tie-breaker's words stand in a
 * fence, since a model wrote them; a person's stand as they are, on one line.
 *
 * @example a person's FAIL in turn 3 gives `"A person decided in turn 3 that it stands: keep it small"` and, on the next
 * line, `"No dispute of it is taken any more: mend it."`
 */
export function rulingText(ruling: Ruling): string {
	const { by, rationale } = ruling;
	const isBlank = rationale.trim() === "";
	const why = by === "person" && !isBlank ? `: ${excerpt(rationale, RATIONALE_LIMIT)}` : ".";
	return [
		`${headline(ruling)}${why}`,
		by === "person" || isBlank
			? ""
			: fenced("The tie-breaker's reason", rationale, RATIONALE_LIMIT),
		consequence(ruling),
	]
		.filter((part) => part !== "")
		.join("\n");
}
