import { type Case, suitesOf } from "./cases.ts";
import type { RunResult } from "./run-result.ts";

/** CTRF has no word for a case without a result. */
const STATUS = {
	passed: "passed",
	failed: "failed",
	error: "failed",
	skipped: "skipped",
	pending: "pending",
} as const satisfies Record<Case["status"], string>;

/** A run as JSON of the Common Test Report Format (ctrf.io), with the cases of the JUnit report. */
export function ctrfOf(result: RunResult): string {
	const { run, created_at: created, ended_at: ended } = result;
	const start = Date.parse(created);
	// Two machines may have written the two times.
	const stop = ended === null ? start : Math.max(start, Date.parse(ended));
	const tests = suitesOf(result).flatMap(({ task, cases }) =>
		cases.map(({ name, status, message, details, ms }) => ({
			name,
			status: STATUS[status],
			duration: ms,
			suite: [run.workflow, task.id],
			rawStatus: status,
			message: message ?? undefined,
			trace: details.length === 0 ? undefined : details.join("\n"),
		})),
	);
	const count = (wanted: string): number => tests.filter(({ status }) => status === wanted).length;
	const summary = {
		tests: tests.length,
		passed: count("passed"),
		failed: count("failed"),
		pending: count("pending"),
		skipped: count("skipped"),
		other: 0,
		suites: result.tasks.length,
		start,
		stop,
	};
	const environment = { reportName: `${run.workflow} ${run.run_id}`, branchName: run.branch };
	const results = { tool: { name: "Sparring" }, summary, tests, environment };
	return `${JSON.stringify({ reportFormat: "CTRF", specVersion: "0.1.0", results }, null, 2)}\n`;
}
