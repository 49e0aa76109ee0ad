export interface PreflightProblem {
	kind: "setup" | "check" | "unclear" | "all_fail" | "lacking" | "red";
	check: string | null;
	reason: string | null;
	said: readonly string[];
}
