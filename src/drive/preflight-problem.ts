import { namedFew } from "../confidence/metric.ts";
import type { GroundProblem } from "../judge/ground-problems.ts";
import { counted } from "../kernel/counted.ts";

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

/** Tasks whose gate no work can pass. */
export interface GateProblem {
	readonly kind: "gate";
	readonly tier: string;
	readonly tasks: readonly string[];
	/** One phrase. */
	readonly why: string;
}

/** Obstacle that was found before the first agent is called. */
export type PreflightProblem = SeatProblem | GateProblem | GroundProblem;

/**
 * Weighs a problem. `blocks`: the run could come to nothing. `doubtful`: it can go on, but a person would want to know
 * before it costs anything. `notice`: it is only told.
 */
export function weightOf(problem: PreflightProblem): "blocks" | "doubtful" | "notice" {
	switch (problem.kind) {
		case "seat":
			return problem.isNeeded ? "blocks" : "notice";
		case "gate":
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
		case "untried":
			return "notice";
	}
}

function withCause(said: readonly string[], why: string): string {
	if (said.length === 0) return why;
	const cause = said.map((line) => `"${line}"`).join(", ");
	return why === "" ? cause : `${cause} (${why})`;
}

/**
 * A problem of a preflight in one sentence, its cause first.
 *
 * @example `check lint could not run: "sh: 1: eslint: not found" (a program in the command was not found (exit code 127))`
 */
export function preflightText(problem: PreflightProblem): string {
	switch (problem.kind) {
		case "seat": {
			const fix = problem.fix === null ? "" : `. ${problem.fix}`;
			return `${problem.why}${fix}`;
		}
		case "gate":
			return `a gate of tier ${problem.tier} cannot pass: ${problem.why}${namedFew("; tasks", problem.tasks)}`;
		case "setup":
			return `setup failed: ${withCause(problem.said, problem.why)}`;
		case "check":
			return `check ${problem.check} could not run: ${withCause(problem.said, problem.why)}`;
		case "unclear":
			return `check ${problem.check} shows nothing: ${withCause(problem.said, problem.why)}`;
		case "all_fail": {
			const what =
				problem.cases === 1
					? "the only test case fails before any work"
					: `all ${counted(problem.cases, "test case")} fail before any work`;
			return problem.said.length === 0 ? what : `${what}: ${withCause(problem.said, "")}`;
		}
		case "lacking":
			return `check ${problem.check}: ${lackingText(problem)}`;
		case "red":
			return `check ${problem.check} fails before any work, and would in each turn: ${withCause(problem.said, problem.why)}`;
		case "uncounted":
			return `check ${problem.check}, before any work: ${problem.what}; later turns do not count them`;
		case "untried":
			return `check ${problem.check} could not be run ${placeOf(problem)}, so what is red before any work counts as known: ${problem.why}`;
		case "no_tests":
			return `check ${problem.check} finds no tests yet, as in a new project`;
	}
}

// "1 test passes where you work and not in Sparring's checkouts: price ("cat: .env: No such file"); they lack .env, ..."
export function lackingText(problem: Extract<PreflightProblem, { kind: "lacking" }>): string {
	const { cases, said } = problem;
	const what = cases.length === 0 ? "it" : counted(cases.length, "test");
	const verb = cases.length > 1 ? "pass" : "passes";
	const words = said.map((line) => ` ("${line}")`).join("");
	const lacks = lacksOf(problem).join("; ") || NONE_FOUND;
	return `${what} ${verb} ${placeOf(problem)} and not in Sparring's checkouts${namedFew("", cases)}${words}; ${lacks}`;
}

const placeOf = ({ machine }: { readonly machine?: string }): string =>
	machine === undefined ? "where you work" : `in the clone on ${machine}`;

const NONE_FOUND =
	"nothing that they lack was found: it may write to your home, or need what a sandbox hides";

function lacksOf({
	variables,
	paths,
	by,
	home,
}: Extract<PreflightProblem, { kind: "lacking" }>): string[] {
	const copies = `copy: [${paths.map((path) => JSON.stringify(path)).join(", ")}]`;
	const remedy = {
		copy: `add ${copies} to the workflow file, or make it in setup`,
		setup: "make it in setup",
		build:
			"it is built from the project's own code, so build it in the command of the check; a copy would not be of the work",
	}[by];
	const names = variables.join(", ");
	const isAll = home.includes("~");
	return [
		...(variables.length === 0
			? []
			: [`they lack ${names}, which your shell has: add env: [${names}] to the workflow file`]),
		...(paths.length === 0 ? [] : [`they lack ${paths.join(", ")}, which git ignores: ${remedy}`]),
		...(isAll
			? [
					"they lack your home and the variables of your shell: add env: [NAME] to the workflow file, or make it in setup, which has the home of the checks",
				]
			: home.length === 0
				? []
				: [
						`they lack ${home.join(", ")} of your home: make it in setup, which has the home of the checks, or name its place in the command`,
					]),
	];
}
