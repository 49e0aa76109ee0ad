import { expect, test } from "vitest";
import { type CoachReport, parseCoachReport } from "../agents/report.ts";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Finding } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import { judged, judgeRound, roundFacts } from "./judge-round.ts";
import { newTurn } from "./records/turn.ts";
import { aLog, scene, theFacts } from "./scene.contract.ts";

const CRITERION = "refuses the call after the burst";

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
async function judgedTurn(all: readonly Finding[], said: Record<string, unknown>) {
	const isOpen = ({ state }: Finding) => state !== "overruled" && state !== "withdrawn";
	const { input } = scene({
		facts: theFacts({ task: { acceptanceCriteria: [CRITERION] }, workflow: { checks: [] } }),
		state: { turn: 4, round: 1, start: "", commit: "c" },
		read: {
			open: () => Promise.resolve(all.filter(isOpen)),
			findingsByIssue: () => Promise.resolve(all.filter((one) => !isOpen(one))),
			findingCount: () => Promise.resolve(all.length),
			evidence: () => Promise.resolve([evidence({ check: "integrity", kind: "integrity" })]),
			turn: (turn) =>
				Promise.resolve(newTurn(aLog(turn), { commit: "c", tree: "t", notes: "", concerns: [] })),
		},
	});
	const read = report(said);
	const facts = await roundFacts(input, read);
	const round = judgeRound(facts, read);
	const writes = judged(input.log, facts, round, read);
	const changes = writes.flatMap((write) => (write.kind === "event" ? [write.event] : []));
	return { turn: round.turn, changes };
}

const unmet = { requirements_status: [{ criterion: CRITERION, met: false, evidence: "still" }] };

test("a criterion that is called unmet again stands in the way: the ruling was about the work of its turn", async () => {
	const { turn } = await judgedTurn([finding()], unmet);
	expect(turn).toMatchObject({
		raw: "approve",
		effective: "feedback",
		reasons: [{ kind: "criterion_unmet", criterion: CRITERION }],
		claims: [{ criterion: CRITERION, met: false }],
	});
});

const met = { requirements_status: [{ criterion: CRITERION, met: true }] };
const again = { issue: "it is slow", severity: "major" };
const slow = finding({ issue: again.issue, source: "coach", criterion: null });

test("a refusal that only repeats what was overruled is an approval, and says so", async () => {
	const { turn, changes } = await judgedTurn([slow], {
		...met,
		decision: "feedback",
		feedback_items: [again],
	});
	expect(turn).toMatchObject({
		raw: "feedback",
		effective: "approve",
		reasons: [{ kind: "overruled", findings: ["F1"] }],
	});
	expect(changes.map(({ type }) => type)).toEqual(["finding-ignored", "turn-judged"]);
	expect(changes[1]).toMatchObject({ data: { attempts: [] } });
});

test("a refusal that has anything else to say stays one", async () => {
	const other = { issue: "no test", severity: "minor" };
	for (const items of [[], [again, other]]) {
		const { turn } = await judgedTurn([slow], {
			...met,
			decision: "feedback",
			feedback_items: items,
		});
		expect(turn).toMatchObject({ raw: "feedback", effective: "feedback" });
	}
	const withdrawn = finding({ ...slow, id: "F2", state: "withdrawn", ruling: null });
	const { turn } = await judgedTurn([withdrawn], {
		...met,
		decision: "feedback",
		feedback_items: [again],
	});
	expect(turn).toMatchObject({ effective: "feedback" });
});

test("what the coach tried in order to break the work is told with the verdict", async () => {
	const attempt = { what: "11 calls", command: "node try.js 11", outcome: "all pass" };
	const { changes } = await judgedTurn([], {
		...met,
		decision: "approve",
		attempts: [attempt, {}],
	});
	expect(changes.at(-1)).toMatchObject({ data: { raw: "approve", attempts: [attempt] } });
});

test("the coach's answer to a dispute is told with the change", async () => {
	const disputed = finding({ id: "F2", state: "disputed", ruling: null, source: "coach" });
	const { changes } = await judgedTurn([disputed], {
		...unmet,
		findings_status: [{ id: "F2", status: "open", reason: "the 11th call passes" }],
	});
	expect(changes[0]).toMatchObject({
		type: "finding-changed",
		data: {
			finding: "F2",
			state: "upheld",
			argument: { by: "coach", text: "the 11th call passes", evidence: null },
		},
	});
});
