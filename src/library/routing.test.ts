import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import {
	allSameIssues,
	computeConfidence,
	computeRaw,
	Fault,
	openConflictEngine,
	routeCoachDecision,
	shouldEscalate,
	type TieBreaker,
} from "../index.ts";

/** A value that a program in JavaScript can pass, whatever the types say. */
const wrong = (value: unknown): never => value as never;

const feedback = { feedback_items: [{ issue: "same issue" }] };
const critical = { feedback_items: [{ issue: "it leaks", severity: "critical" }] };
const state = { coach_decision: "feedback", turn_count: 3, max_turns: 10 } as const;

test("the founding document's own states are routed as it says", () => {
	expect(routeCoachDecision({ coach_decision: "approve", turn_count: 1, max_turns: 10 })).toBe(
		"approve",
	);
	expect(routeCoachDecision({ ...state, turn_count: 10 })).toBe("max_turns");
	expect(routeCoachDecision(state)).toBe("feedback");
	expect(shouldEscalate({ feedback_history: [feedback, feedback, feedback] })).toBe(true);
});

test("a repeated or a critical issue escalates, also at the limit; what was approved does not", () => {
	const stuck = { ...state, feedback_history: [critical, feedback, feedback, feedback] };
	expect(routeCoachDecision(stuck)).toBe("escalate");
	expect(routeCoachDecision({ ...stuck, turn_count: 10 })).toBe("escalate");
	expect(routeCoachDecision({ ...stuck, coach_decision: "approve" })).toBe("approve");
	expect(shouldEscalate({ coach_feedback: critical })).toBe(true);
	expect(shouldEscalate({ feedback_history: [feedback, feedback], coach_feedback: null })).toBe(
		false,
	);
	const other = { feedback_items: [{ issue: "another" }] };
	expect(shouldEscalate({ feedback_history: [feedback, other, feedback] })).toBe(false);
	expect(shouldEscalate({ feedback_history: [{}, {}, {}] })).toBe(false);
});

test("a state in the words of `loadState` is routed alike", () => {
	const loaded = { coachDecision: "pending", turnCount: 10, maxTurns: 10 } as const;
	expect(routeCoachDecision(loaded)).toBe("max_turns");
	const report = wrong({ decision: "feedback", ...critical });
	expect(routeCoachDecision({ ...loaded, coachFeedback: report, feedbackHistory: [report] })).toBe(
		"escalate",
	);
});

test("scores are weighted, equally where no weights are given, by either name", () => {
	const values = [0.9, 0.8, 0.7];
	expect(computeConfidence(values.map((value) => ({ value })))).toBe(0.8);
	expect(computeConfidence(values.map((score) => ({ score, weight: 2 })))).toBe(0.8);
	expect(computeConfidence([{ score: 1, weight: 3 }, { score: null }])).toBe(0.75);
	expect(computeConfidence([])).toBe(0);
	expect(computeRaw([{ score: 0.85 }, { value: 0.9 }, { score: 2 }])).toEqual([0.85, 0.9, 0]);
	expect(allSameIssues([feedback, feedback])).toBe(true);
});

test.each<[string, () => unknown, string]>([
	["no state", () => shouldEscalate(wrong(null)), "state of shouldEscalate"],
	[
		"an empty state",
		() => shouldEscalate({}),
		"feedback_history (or feedbackHistory) of shouldEscalate must be an array",
	],
	[
		"a report for a list",
		() => shouldEscalate(wrong({ feedback_history: feedback })),
		"must be an array of",
	],
	[
		"an item of words",
		() => shouldEscalate({ coach_feedback: wrong({ feedback_items: ["x"] }) }),
		"coach_feedback",
	],
	["the null of loadState", () => routeCoachDecision(wrong(null)), "must be an object, not null"],
	[
		"a state without a decision",
		() => routeCoachDecision(wrong({ turn_count: 1, max_turns: 2 })),
		"coach_decision",
	],
	[
		"another decision",
		() => routeCoachDecision(wrong({ ...state, coach_decision: "maybe" })),
		'"maybe"',
	],
	[
		"a state without a limit",
		() => routeCoachDecision(wrong({ ...state, max_turns: undefined })),
		"max_turns",
	],
	["a broken number", () => routeCoachDecision({ ...state, turn_count: 1.5 }), "a whole number"],
	[
		"metrics that are none",
		() => computeConfidence(wrong({ score: 1 })),
		"metrics of computeConfidence",
	],
	[
		"a metric by another name",
		() => computeConfidence(wrong([{ confidence: 0.9 }])),
		"metrics[0].score",
	],
	["a score in words", () => computeConfidence(wrong([{ score: "0.9" }])), '"0.9"'],
	[
		"a weight in words",
		() => computeConfidence(wrong([{ score: 1, weight: "1" }])),
		"metrics[0].weight",
	],
	["a bare number", () => computeRaw(wrong([0.9])), "metrics[0] of computeRaw"],
	["rounds that are none", () => allSameIssues(wrong("x")), "feedbacks of allSameIssues"],
])("%s is refused", (_name, call, told) => {
	expect(call).toThrow(Fault);
	expect(call).toThrow(told);
});

/** An engine on a database of its own, with a tie-breaker that always says the same. */
async function opened() {
	const directory = mkdtempSync(join(tmpdir(), "spar-conflicts-"));
	onTestFinished(() => rmSync(directory, { recursive: true }));
	const file = join(directory, "sparring.db");
	const asked: string[] = [];
	const tieBreaker: TieBreaker = {
		ask: ({ event }) => {
			asked.push(event.developerOutput);
			return Promise.resolve({ kind: "verdict", verdict: "PASS", rationale: "It holds." });
		},
	};
	const engine = await openConflictEngine({
		file,
		env: { MY_TOKEN: "t0p-5ecret-value" },
		tieBreaker,
	});
	const rows = () => {
		const db = new DatabaseSync(file, { readOnly: true });
		const found = db.prepare("SELECT * FROM conflicts ORDER BY attempt_count").all();
		db.close();
		return found;
	};
	onTestFinished(() => engine.close());
	return { engine, asked, rows };
}

test("an engine keeps its own records: a program brings the tie-breaker alone", async () => {
	const { engine, asked, rows } = await opened();
	const sides = {
		threadId: "thread",
		taskId: "slug",
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		developerOutput: "The key is t0p-5ecret-value.",
		reviewerFeedback: "It is not refused.",
	} as const;
	const found = engine.detectConflict(sides);
	if (!found.conflictDetected) throw new Error("both sides agree");
	const { conflictId } = found;
	expect(await engine.resolve({ ...sides, conflictId, attemptCount: 1 })).toMatchObject({
		resolution: "AUTO",
		tieBreakerDecision: "PASS",
	});
	// The founding document's short form.
	const short = { conflictId: "c2", developerOutput: "...", reviewerFeedback: "..." };
	expect(await engine.resolve({ ...short, attemptCount: 3 })).toMatchObject({
		resolution: "ESCALATE",
	});
	expect(asked).toHaveLength(2);
	expect(asked.join()).not.toContain("t0p-5ecret-value");
	expect(rows()).toMatchObject([
		{ conflict_id: conflictId, task_id: "slug", resolution: "AUTO" },
		{ conflict_id: "c2", developer_verdict: "PASS", reviewer_verdict: "FAIL" },
	]);
	engine.close();
	engine.close();
});

test("an engine without a place, secrets or a tie-breaker is refused", async () => {
	for (const options of [null, {}, { file: "x.db", env: process.env }])
		await expect(openConflictEngine(wrong(options))).rejects.toBeInstanceOf(Fault);
});

test("an event of another shape is refused, and nothing is asked or kept", async () => {
	const { engine, asked, rows } = await opened();
	expect(() => engine.detectConflict(wrong({}))).toThrow("threadId of detectConflict");
	expect(() => engine.detectConflict(wrong(null))).toThrow(Fault);
	const event = { conflictId: "c", attemptCount: 1, developerOutput: "", reviewerFeedback: "" };
	for (const [given, told] of [
		[{}, "conflictId of resolve must be a string"],
		[{ ...event, attemptCount: "1" }, "not a whole number of 1 or more"],
		[{ ...event, developerVerdict: "pass" }, "developerVerdict of resolve must be PASS or FAIL"],
		[{ ...event, developerVerdict: "FAIL" }, "both sides say FAIL"],
		[{ ...event, taskId: 5 }, "taskId of resolve must be a string"],
	] as const)
		await expect(engine.resolve(wrong(given))).rejects.toThrow(told);
	await expect(engine.resolve(wrong(null))).rejects.toBeInstanceOf(Fault);
	expect([asked, rows()]).toEqual([[], []]);
});
