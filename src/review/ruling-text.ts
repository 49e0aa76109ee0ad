import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";
import type { Ruling } from "./finding.ts";

const RATIONALE_LIMIT = 1_000;

function headline({ by, decision, turn }: Ruling): string {
	const who = by === "person" ? "A person" : "The tie-breaker";
	const what = decision === "FAIL" ? "that it stands" : "against it";
	return `${who} decided in turn ${turn} ${what}`;
}

/** Whom a prompt is for. */
export type Seat = "player" | "coach";

/** What a decision that a finding stands leaves to each seat, by who decided. */
const CONSEQUENCES: Readonly<Record<Seat, Readonly<Record<Ruling["by"], string>>>> = {
	player: {
		person: "No dispute of it is taken any more: mend it.",
		tie_breaker: "A dispute of it is taken only with new evidence.",
	},
	coach: {
		person: "The player has to mend it and can dispute it no more: see whether it is mended.",
		tie_breaker:
			"The player has to mend it, or to dispute it with new evidence: see whether it is mended.",
	},
};

/**
 * A ruling for a prompt: who decided what and why, and what that leaves to the seat that reads it. A tie-breaker's words
 * stand in a fence, since a model wrote them; a person's stand as they are, on one line.
 *
 * @example a person's FAIL in turn 3 gives the player `"A person decided in turn 3 that it stands: keep it small"` and, on the next
 * line, `"No dispute of it is taken any more: mend it."`
 */
export function rulingText(ruling: Ruling, seat: Seat): string {
	const { by, decision, rationale } = ruling;
	const isBlank = rationale.trim() === "";
	const why = by === "person" && !isBlank ? `: ${excerpt(rationale, RATIONALE_LIMIT)}` : ".";
	return [
		`${headline(ruling)}${why}`,
		by === "person" || isBlank
			? ""
			: fenced("The tie-breaker's reason", rationale, RATIONALE_LIMIT),
		decision === "PASS" ? "" : CONSEQUENCES[seat][by],
	]
		.filter((part) => part !== "")
		.join("\n");
}
