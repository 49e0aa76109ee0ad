import type { Finding } from "./finding.ts";

/** A major finding of the coach, open since turn 1, about no file: as tests begin with one. */
export const aFinding = (over: Partial<Finding> = {}): Finding => ({
	id: "F1",
	issue: "burst is not refused",
	severity: "major",
	state: "open",
	file: null,
	line: null,
	criterion: null,
	suggestion: null,
	dispute: null,
	source: "coach",
	late: false,
	subtask: null,
	raisedTurn: 1,
	changedTurn: 1,
	...over,
});
