import type { GroundProblem } from "../../loop/ground-problems.ts";

/** An agent that cannot be called as things are. */
export interface SeatProblem {
	readonly kind: "seat";
	readonly agent: string;
	/** False for one whose failure is only a warning: an evaluator. */
	readonly isNeeded: boolean;
	/** True where a program, a file, a package or a key is missing; false where `spar doctor` doubts the sign-in. */
	readonly isMissing: boolean;
	/** One sentence. */
	readonly why: string;
	readonly fix: string | null;
}

/** What a preflight found before the first agent is called. */
export type PreflightProblem = SeatProblem | GroundProblem;

/**
 * How much a problem weighs. `blocks`: the run could come to nothing. `doubtful`: it can go on, but a person would want
 * to know before it costs anything. `notice`: it is only told.
 */
export function weightOf(problem: PreflightProblem): "blocks" | "doubtful" | "notice" {
	switch (problem.kind) {
		case "seat":
			return problem.isNeeded ? "blocks" : "notice";
		case "setup":
		case "check":
		case "lacking":
			return "blocks";
		// Red tests are the usual way to give a task; nothing else that is red is.
		case "red":
			return problem.isTests ? "doubtful" : "blocks";
		case "unclear":
		case "all_fail":
			return "doubtful";
		case "no_tests":
		case "uncounted":
			return "notice";
	}
}
