import type { StoppedPreflight } from "../app/stopped-preflight.ts";
import { oneLine } from "../words/visible-text.ts";
import { withCause } from "./render-check-name.ts";

/**
 * A problem that a preflight found, as one visible line of at most `limit` characters.
 *
 * @example `check tests: "sh: 1: jest: not found" (exit code 127)`
 */
export function preflightProblem(
	{ kind, check, reason, said }: StoppedPreflight["problems"][number],
	limit: number,
): string {
	const what = {
		setup: "setup",
		check: `check ${check ?? ""}`,
		unclear: `check ${check ?? ""}`,
		lacking: `check ${check ?? ""}`,
		red: `check ${check ?? ""}`,
		all_fail: "every test case fails",
	}[kind];
	const why = withCause(said, reason);
	return why === null || why === "" ? what : `${what}: ${oneLine(why, limit)}`;
}
