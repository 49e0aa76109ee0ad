import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runEvent, runReport } from "../src/cli/fakes.contract.ts";
import { nextSteps } from "../src/cli/terminal/next-steps.ts";
import { noPaint } from "../src/cli/terminal/paint.ts";
import { renderReport } from "../src/cli/terminal/render-report.ts";
import { renderTrace } from "../src/cli/terminal/render-trace.ts";
import type { TraceFile } from "../src/drive/trace-file.ts";
import type { RunStatus, TaskStatus } from "../src/kernel/task-state.ts";
import { taskResult } from "../src/library/task-result.ts";
import { aResult, aRunView } from "../src/view/run-view.fixture.ts";
import { REPORT_FORMATS } from "../src/words/report/formats.ts";
import { forReaders, runStanding, taskStanding } from "../src/words/standing.ts";
import { RUN_STATUS_WORDS, TASK_STATUS_WORDS } from "../src/words/states.ts";
import { thorough } from "./support/amount.ts";

/*
 * A run and its tasks stand at one place, whoever shows it: terminal, reports, page and library.
 */

const RUN_STATUSES = Object.keys(RUN_STATUS_WORDS) as RunStatus[];
const TASK_STATUSES = Object.keys(TASK_STATUS_WORDS) as TaskStatus[];
const EVERY = RUN_STATUSES.flatMap((run) =>
	TASK_STATUSES.flatMap((task) => [false, true].map((answered) => [run, task, answered] as const)),
);

/** What each view says of a run `r1` with one task. */
function views(run: RunStatus, status: TaskStatus, isAnswered: boolean) {
	const item = { human_item: "H1", human_item_answered: isAnswered };
	const report = runReport(run, { status, merged: false, ...item });
	const [task] = Object.values(report.tasks);
	if (task === undefined) throw new Error("the report has a task");
	const base = aRunView();
	const [told] = base.tasks;
	if (told === undefined) throw new Error("the result has a task");
	const result = {
		...base,
		run: { ...base.run, status: run, holder: null },
		tasks: [{ ...told, report: { ...told.report, status, ...item }, evidence: [aResult()] }],
	};
	const answer = { item: "H1", status: "RESOLVED", choice: "continue" };
	const events = [
		runEvent("item-opened", { item: "H1", trigger: "escalation", reason: "r" }),
		...(isAnswered ? [runEvent("item-answered", answer)] : []),
	];
	const trace: TraceFile = {
		schema_version: 1,
		run_id: "r1",
		task_id: "limiter",
		feature_id: null,
		status,
		started_at: null,
		ended_at: null,
		turns: 1,
		verification_result: null,
		agent_invocations: {},
		events,
	};
	return {
		task,
		report,
		status: renderReport(report, noPaint),
		steps: nextSteps(report),
		trace: renderTrace(trace, noPaint).split("\n")[0] ?? "",
		markdown: REPORT_FORMATS["markdown"]?.(result) ?? "",
		html: REPORT_FORMATS["html"]?.(result) ?? "",
		library: taskResult("limiter", {
			tasks: report.tasks,
			dependsOn: () => [],
			stopped: new Map(),
		}),
	};
}

test.each(EVERY)(
	"a run %s with a task %s, answered: %s, stands the same in every view",
	(...of) => {
		const [, , isAnswered] = of;
		const shown = views(...of);
		const { word } = taskStanding(shown.task);
		expect(shown.status).toContain(`limiter  ${word}`);
		expect(shown.trace).toBe(`task limiter of run r1: ${word}`);
		expect(shown.markdown).toContain(` | ${forReaders(word)} | `);
		expect(shown.html).toContain(`>${forReaders(word)}<`);
		if (shown.task.status === "paused_for_human" && isAnswered) {
			for (const text of [shown.status, shown.steps, shown.trace, shown.markdown, shown.html]) {
				expect(text).not.toMatch(/hil show/);
			}
			expect(word).toBe("answered");
			expect(shown.library.failureReason).toContain("goes on when resumed");
		}
		const waits = isAnswered && shown.task.status === "paused_for_human" ? 1 : 0;
		const facts = { ...shown.report, waiting: waits, answered: waits };
		expect(shown.status.split("\n")[0]).toContain(`: ${runStanding(facts).word}`);
	},
);

thorough("no view tells a state by its stored status alone, but where no other word can be", () => {
	const users = globSync("{src,dashboard}/**/*.{ts,tsx}").filter(
		(file) =>
			!file.includes(".test.") &&
			!file.startsWith("src/words/") &&
			/(TASK|RUN)_STATUS_WORDS/.test(readFileSync(file, "utf8")),
	);
	// A review that keeps a run from landing.
	expect(users.sort()).toEqual(["src/landing/land-run.ts"]);
});
