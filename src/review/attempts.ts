import type { CoachReport } from "../agents/report.ts";
import { excerpt } from "./excerpt.ts";

export type Attempt = CoachReport["attempts"][number];

const MAX_ATTEMPTS = 50;
const MAX_TEXT = 500;

/**
 * What the coach says that it tried in order to break the work: at most 50 attempts, each text cut at 500 characters.
 * An entry that names neither what was tried nor a command is not an attempt.
 *
 * @example `[{ what: "a burst of 0", command: "", outcome: "throws" }, {}]` in the report gives the first one
 */
export function attemptsOf({ attempts }: Pick<CoachReport, "attempts">): Attempt[] {
	return attempts
		.map(({ what, command, outcome }) => ({
			what: excerpt(what, MAX_TEXT),
			command: excerpt(command, MAX_TEXT),
			outcome: excerpt(outcome, MAX_TEXT),
		}))
		.filter(({ what, command }) => what !== "" || command !== "")
		.slice(0, MAX_ATTEMPTS);
}
