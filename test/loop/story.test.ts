import { expect, test } from "vitest";
import type { TraceFile } from "../../src/drive/trace-file.ts";
import type { MemoryStep } from "./memory-agents.ts";
import { memoryRun } from "./memory-run.ts";
import { CRITERION, TAP_RED } from "./memory-state.ts";
import {
	APPROVAL,
	APPROVES,
	dataOf,
	fixed,
	major,
	sendsBack,
	tasks,
	textLike,
	WORKS,
} from "./said.ts";

const CONCERNS = ["is the clock monotonic?", "CONCERN-OF-PLAYER"];
const REPORT = {
	files_modified: ["work.txt"],
	implementation_notes: "NOTES-OF-PLAYER",
	concerns: CONCERNS,
};
const MISSING = { issue: "the refill is missing", severity: "major", criterion: CRITERION };

/** Each event by what a person reads of it; the others tell nothing here. */
const TOLD: Readonly<Record<string, (data: Told, turn: number | null) => string>> = {
	"task-started": ({ player, coach }) => `${player} builds, ${coach} coaches`,
	"player-reported": (data, turn) =>
		`${turn}: ${data["implementation_notes"]}; ${data["concerns"]}`,
	"check-ran": ({ check, purpose, status }, turn) => `${turn}: ${check} ${purpose} ${status}`,
	"turn-judged": ({ effective, rationale, criteria }, turn) =>
		`${turn}: ${effective}: ${rationale} ${criteria}`,
	"finding-changed": ({ finding, state, issue }, turn) => `${turn}: ${finding} ${state}: ${issue}`,
	"turn-routed": ({ route }, turn) => `${turn}: ${route}`,
	"task-merged": ({ into }) => `merged into ${into}`,
	"task-ended": ({ status }) => `${status}`,
};

type Told = Readonly<Record<string, string>>;

/** The task as its trace tells it: nothing else is read. */
function storyOf({ events }: TraceFile): string[] {
	const written = (value: unknown): string => {
		if (typeof value === "string") return value;
		const isWords = Array.isArray(value) && value.every((each) => typeof each === "string");
		return isWords ? value.join(",") : JSON.stringify(value);
	};
	return events.flatMap(({ type, turn, data }) => {
		const texts = Object.entries(data).map(([key, value]) => [key, written(value)] as const);
		const told: Told = Object.fromEntries(texts);
		return told["purpose"] === "baseline" ? [] : (TOLD[type]?.(told, turn) ?? []);
	});
}

test("a person reads the task back from its trace alone", async () => {
	const statement = { criterion: CRITERION, met: false, evidence: "ran it: no refill" };
	const seen = { ...statement, met: true, evidence: "ran it: refills", tests: ["works"] };
	const set = memoryRun({
		steps: [
			{ ...WORKS, report: REPORT },
			{
				role: "coach",
				turn: 1,
				report: { ...sendsBack(MISSING), requirements_status: [statement] },
			},
			{ role: "coach", report: { ...fixed("F1"), requirements_status: [seen] } },
		],
	});
	const { code, report, task } = await set.run();
	expect(code).toBe(0);
	const trace = await set.trace();
	expect(storyOf(trace)).toEqual([
		"dev builds, coach coaches",
		`1: NOTES-OF-PLAYER; ${CONCERNS.join(",")}`,
		"1: tests turn pass",
		"1: F1 open: the refill is missing",
		`1: feedback: Not yet. ${JSON.stringify([{ ...statement, tests: [] }])}`,
		"1: feedback",
		`2: NOTES-OF-PLAYER; ${CONCERNS.join(",")}`,
		"2: tests turn pass",
		"2: F1 fixed: the refill is missing",
		`2: approve: All is there. ${JSON.stringify([seen])}`,
		"2: tests assembled pass",
		"2: replay:tests assembled pass",
		"2: replay:tests turn pass",
		"2: approve",
		`merged into ${report.branch}`,
		"completed",
	]);
	const tip = set.git.refs.get(report.branch) ?? "";
	expect(dataOf(trace, "task-merged")).toMatchObject([
		{ commit: tip, onto: set.git.at(tip).parents[0], turn_commit: task.commit },
	]);
});

test("a task that fails keeps its concerns and its reason in the report", async () => {
	const set = memoryRun({
		steps: [
			{ ...WORKS, report: REPORT },
			{ role: "coach", report: sendsBack(MISSING) },
		],
		task: { max_turns: 1 },
	});
	const { concerns, failure_reason } = (await set.run()).task;
	expect({ concerns, failure_reason }).toEqual({
		concerns: CONCERNS,
		failure_reason: "Max turns (1) reached without approval",
	});
});

test("a task's feature_id stands in trace and report", async () => {
	const set = memoryRun({ steps: [WORKS, APPROVES], task: { feature_id: "FEAT-12" } });
	expect((await set.run()).task.feature_id).toBe("FEAT-12");
	const trace = await set.trace();
	expect(trace.feature_id).toBe("FEAT-12");
	expect(dataOf(trace, "task-started")).toMatchObject([{ feature_id: "FEAT-12" }]);
});

test("the report of a task that is held up names what is in the way", async () => {
	const red: MemoryStep = { role: "player", files: { "results.tap": TAP_RED } };
	const set = memoryRun({ steps: [red, APPROVES], task: { max_turns: 1 } });
	expect((await set.run()).task).toMatchObject({
		obstacles: [textLike("tests")],
		gate: { verdict: "FAIL" },
	});
});

/** A task, and a formal review of what it merged. */
const reviewed = (review: MemoryStep, human = false) =>
	memoryRun({
		human,
		steps: [{ ...review, task: "review" }, WORKS, APPROVES],
		workflow: {
			agents: { rev: { adapter: "command", run: ["true"] } },
			tasks: {
				...tasks({ work: {} }),
				review: {
					agent: "rev",
					formal_review: true,
					depends_on: ["work"],
					description: "Review it.",
					acceptance_criteria: [CRITERION],
				},
			},
		},
	});

test("a formal review judges what was merged, changes nothing and merges nothing", async () => {
	const set = reviewed({ role: "coach", report: APPROVAL });
	const { code, report } = await set.run();
	expect(code).toBe(0);
	expect(report.tasks["review"]).toMatchObject({ status: "completed", merged: false });
	expect(dataOf(await set.trace("review"), "review-decided")).toMatchObject([
		{ decision: "approve" },
	]);
	const calls = set.agents.calls.filter(({ task }) => task === "review");
	expect(calls.map(({ role, agent }) => `${role} ${agent}`)).toEqual(["coach rev"]);
	expect(calls[0]?.prompt).toContain("+turn 1");
});

test("a formal review that refuses is a person's, with its reason", async () => {
	const set = reviewed({ role: "coach", report: major("no limit") }, true);
	expect((await set.run()).code).toBe(3);
	expect((await set.question("review")).reason).toContain("Not yet.");
});
