import { expect, test } from "vitest";
import { type CoachReport, parseCoachReport } from "../agents/report.ts";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.contract.ts";
import type { Records } from "../store/records.ts";
import type { TaskContext } from "./context.ts";
import { judgeRound } from "./judge-round.ts";
import type { TaskState } from "./state.ts";
import { newTurn } from "./turn-record.ts";

const CRITERION = "refuses the call after the burst";
const site = { turn: 4, node: "coach_turn" };

const finding = (over: Partial<Finding> = {}): Finding =>
	aFinding({
		issue: `Criterion not met: ${CRITERION}`,
		state: "overruled",
		criterion: CRITERION,
		dispute: { reason: "it does", evidence: null, turn: 3 },
		ruling: { by: "tie_breaker", decision: "PASS", rationale: "it does", turn: 3 },
		source: "criterion",
		raisedTurn: 2,
		changedTurn: 3,
		...over,
	});

const report = (said: Record<string, unknown>): CoachReport => {
	const parsed = parseCoachReport(JSON.stringify({ decision: "approve", rationale: "r", ...said }));
	if (!parsed.ok) throw new Error(parsed.reason);
	return parsed.report;
};

/** Judges turn 4 with these findings in the ledger; every required check passed. */
async function judged(all: readonly Finding[], said: Record<string, unknown>) {
	const isOpen = ({ state }: Finding) => state !== "overruled" && state !== "withdrawn";
	const place = { run: { runId: "r1" }, task: { id: "limiter", acceptanceCriteria: [CRITERION] } };
	// Of a context a round reads only these parts, and a commit is compared with none.
	const named = place as unknown as Pick<TaskContext, "run" | "task">;
	const turn = newTurn(named, { turn: 4, commit: "c", tree: "t", notes: "" });
	const records: Partial<Records> = {
		openFindings: () => Promise.resolve(all.filter(isOpen)),
		findingsByIssue: () => Promise.resolve(all.filter((one) => !isOpen(one))),
		findings: () => Promise.resolve(all),
		findingCount: () => Promise.resolve(all.length),
		evidence: () => Promise.resolve([evidence({ check: "integrity", kind: "integrity" })]),
		turn: () => Promise.resolve(turn),
	};
	const context = { ...named, records, workflow: { checks: [] }, clock: { now: () => 0 } };
	const state = { round: 1, reviewed: "", start: "", commit: "c" };
	const { writes } = await judgeRound(
		context as unknown as TaskContext, // see above
		state as unknown as TaskState, // likewise
		site,
		report(said),
	);
	const record = writes.find((write) => write.kind === "turn");
	const changes = writes.flatMap((write) => (write.kind === "event" ? [write.event] : []));
	return { turn: record?.turn, changes };
}

const unmet = { requirements_status: [{ criterion: CRITERION, met: false, evidence: "still" }] };

test("a criterion that is called unmet again stands in the way: the ruling was about the work of its turn", async () => {
	const { turn } = await judged([finding()], unmet);
	expect(turn).toMatchObject({
		...{ raw: "approve", effective: "feedback" },
		reasons: [`criterion not met: ${CRITERION}`],
		claims: [{ criterion: CRITERION, met: false }],
	});
});

const met = { requirements_status: [{ criterion: CRITERION, met: true }] };
const again = { issue: "it is slow", severity: "major" };
const slow = finding({ issue: again.issue, source: "coach", criterion: null });

test("a refusal that only repeats what was overruled is an approval, and says so", async () => {
	const { turn, changes } = await judged([slow], {
		...{ ...met, decision: "feedback", feedback_items: [again] },
	});
	expect(turn).toMatchObject({
		...{ raw: "feedback", effective: "approve", reasons: ["overruled: F1"] },
	});
	expect(changes.map(({ type }) => type)).toEqual(["finding-ignored", "turn-judged"]);
});

test("a refusal that has anything else to say stays one", async () => {
	const other = { issue: "no test", severity: "minor" };
	for (const items of [[], [again, other]]) {
		const { turn } = await judged([slow], {
			...{ ...met, decision: "feedback", feedback_items: items },
		});
		expect(turn).toMatchObject({ raw: "feedback", effective: "feedback" });
	}
	const withdrawn = finding({ ...slow, id: "F2", state: "withdrawn", ruling: null });
	const { turn } = await judged([withdrawn], {
		...{ ...met, decision: "feedback", feedback_items: [again] },
	});
	expect(turn).toMatchObject({ effective: "feedback" });
});

test("the coach's answer to a dispute is told with the change", async () => {
	const disputed = finding({ id: "F2", state: "disputed", ruling: null, source: "coach" });
	const { changes } = await judged([disputed], {
		...unmet,
		findings_status: [{ id: "F2", status: "open", reason: "the 11th call passes" }],
	});
	expect(changes[0]).toMatchObject({
		type: "finding-changed",
		data: {
			...{ finding: "F2", state: "upheld" },
			argument: { by: "coach", text: "the 11th call passes", evidence: null },
		},
	});
});
