import { excerpt } from "./excerpt.ts";
import { fenced } from "./fenced.ts";
import type { Ruling } from "./finding.ts";

const RATIONALE_LIMIT = 1_000;

function headline({ by, decision, turn }: Ruling): string {
	const who = by === "person" ? "A person" : "The tie-breaker";
	const what = decision === "FAIL" ? "that the finding stands" : "to drop the finding";
	return `${who} decided in turn ${turn} ${what}`;
}

/** The seat that a prompt is for. */
export type Seat = "player" | "coach";

/** What each seat has to do when a finding was decided to stand, by who decided. */
const CONSEQUENCES: Readonly<Record<Seat, Readonly<Record<Ruling["by"], string>>>> = {
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

/**
 * A ruling for a prompt: who decided what and why, and what the reader has to do now. A tie-breaker's words are fenced,
 * since a model wrote them. A person's are not: they are put on one line.
 *
 * @example a person's FAIL in turn 3 gives the player `"A person decided in turn 3 that the finding stands: keep it
 * small"` and, on the next line, `"Fix it. You can no longer dispute it."`
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
