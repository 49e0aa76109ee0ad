import { namedFew } from "../../confidence/named-few.ts";
import { uncountedText } from "../../evidence/uncounted.ts";
import { counted } from "../../kernel/counted.ts";
import type { PreflightProblem } from "./preflight-problem.ts";

/** The cause as a program printed it, before what Sparring says of it. */
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
			return `check ${problem.check}, before any work: ${uncountedText(problem.uncounted)}; what does not change here is not counted`;
		case "no_tests":
			return `check ${problem.check} finds no tests yet, as in a new project`;
	}
}

/**
 * What the checkouts lack, and what gives it to them.
 *
 * @example `1 test cannot run in a checkout as it can here: price; .env is not there, since git ignores it: add copy: [".env"] to the workflow file`
 */
export function lackingText({
	cases,
	copies,
	installs,
	submodules,
}: Extract<PreflightProblem, { kind: "lacking" }>): string {
	const what = cases.length === 0 ? "it" : counted(cases.length, "test");
	const list = (paths: readonly string[]): string =>
		paths.map((path) => JSON.stringify(path)).join(", ");
	const ways = [
		...(copies.length === 0
			? []
			: [
					`git ignores ${copies.join(", ")}: add copy: [${list(copies)}] to the workflow file, or make it in setup`,
				]),
		...(installs.length === 0 ? [] : [`${installs.join(", ")} is missing: install it in setup`]),
		...(submodules.length === 0
			? []
			: [`the submodule ${submodules.join(", ")} is empty: fetch it in setup`]),
	];
	return `${what} cannot run in a checkout as here${namedFew("", cases)}; ${ways.join("; ")}`;
}
