/** What was in the way of a run before its first call. */
export interface PreflightProblem {
	kind: "setup" | "check" | "unclear" | "all_fail" | "lacking" | "red";
	/** Name of the check; null where it is about none. */
	check: string | null;
	reason: string | null;
	said: readonly string[];
}
