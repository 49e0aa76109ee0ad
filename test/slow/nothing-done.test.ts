import { expect, test } from "vitest";
import { crew, standing, strike } from "../acceptance/crew.ts";
import { APPROVAL, CRITERION, type Report, stage, TAP_OK, TAP_RED } from "../acceptance/stage.ts";
import { sampled } from "../support/amount.ts";
import type { Step } from "../support/scripted-agents.ts";
import { pair } from "../support/workflow.ts";

/** A task of the table: what its agents do, and the keys of the task that differ. */
interface Case {
	readonly player?: Omit<Step, "role" | "task">;
	readonly turns?: Readonly<Record<number, string>>;
	readonly coach?: Readonly<Record<string, unknown>>;
	readonly task?: Readonly<Record<string, unknown>>;
}

const ALONE = { overlays: {} };
const shown = (...tests: readonly string[]) => ({
	...APPROVAL,
	requirements_status: [{ criterion: CRITERION, met: true, evidence: "ran", tests }],
});
const parts = (...ids: readonly string[]) => ({
	subtasks: ids.map((id) => ({ id, description: `Part ${id}.`, acceptance_criteria: [id] })),
	acceptance_criteria: [],
});
const partsShown = (tests: readonly string[], ...ids: readonly string[]) => ({
	...APPROVAL,
	requirements_status: ids.map((criterion) => ({ criterion, met: true, tests })),
});

const DO_NOTHING: Readonly<Record<string, Case>> = {
	empty: { task: ALONE },
	"report-only": {
		player: { report: { files_created: ["src/a.js"], implementation_notes: "all done" } },
		task: ALONE,
	},
	asks: { player: { stdout: "May I edit files? Shall I proceed?" }, task: ALONE },
	limit: { player: { stdout: "You have hit your usage limit.", exit: 0 }, task: ALONE },
	contradiction: {
		player: { report: { concerns: ["the criterion says 3, the test says 4"] } },
		task: ALONE,
	},
	removed: { player: { run: "echo x > new.txt; rm new.txt" }, task: ALONE },
	"removed-later": {
		turns: { 1: `printf '${TAP_RED}' > results.tap`, 2: `printf '${TAP_OK}' > results.tap` },
		task: ALONE,
	},
	"own-branch": {
		player: {
			run: "git checkout -q -b mine && echo x > new.txt && git add new.txt && git -c user.name=a -c user.email=a@b commit -qm mine; git checkout -q -",
		},
		task: ALONE,
	},
	stash: { player: { run: "echo x >> check.sh; git stash -q" }, task: ALONE },
	touched: { player: { run: "touch check.sh; mkdir -p empty" }, task: ALONE },
	score: {
		task: {
			overlays: {
				confidence_loop: {
					enabled: true,
					mode: "composite",
					threshold: 0.0,
					metrics: [{ type: "lint_score", weight: 1.0 }],
					exit_conditions: ["confidence_score >= 0.0"],
				},
			},
		},
	},
	"alone-parts": { task: { ...ALONE, ...parts("first", "second") } },
	"alone-second-part": {
		turns: { 1: "echo first > first.txt" },
		task: { ...ALONE, ...parts("first", "second") },
	},
	pair: { coach: APPROVAL },
	"pair-unknown-test": { coach: shown("no such case") },
	"pair-other-criterion": {
		coach: {
			...APPROVAL,
			requirements_status: [
				{ criterion: CRITERION, met: true, tests: ["works"] },
				{ criterion: "the other is done", met: true, tests: [] },
			],
		},
		task: { acceptance_criteria: [CRITERION, "the other is done"] },
	},
	"pair-no-criteria": {
		coach: { decision: "approve", rationale: "fine" },
		task: { acceptance_criteria: [] },
	},
	"pair-removed": { player: { run: "echo x > new.txt; rm new.txt" }, coach: APPROVAL },
	"pair-score": {
		coach: { ...APPROVAL, decision: "feedback" },
		task: {
			overlays: {
				...pair({ exit_conditions: ["confidence_score >= 0.0"] }),
				confidence_loop: {
					enabled: true,
					mode: "composite",
					threshold: 0.0,
					metrics: [{ type: "lint_score", weight: 1.0 }],
					exit_conditions: ["confidence_score >= 0.0"],
				},
			},
		},
	},
	"pair-parts": {
		coach: partsShown([], "first", "second"),
		task: parts("first", "second"),
	},
	"pair-second-part": {
		turns: { 1: "echo first > first.txt" },
		coach: partsShown([], "first", "second"),
		task: parts("first", "second"),
	},
};

const HOLD_ALREADY: Readonly<Record<string, Case>> = {
	proof: { coach: shown("works") },
	"two-tests": { coach: shown("no such case", "works") },
	"no-criteria": {
		coach: {
			decision: "approve",
			rationale: "it is there",
			requirements_status: [{ criterion: "it is there", met: true, tests: ["works"] }],
		},
		task: { acceptance_criteria: [] },
	},
	"two-criteria": {
		coach: partsShown(["works"], "one thing", "another"),
		task: { acceptance_criteria: ["one thing", "another"] },
	},
	report: { player: { report: { implementation_notes: "it was there" } }, coach: shown("works") },
	"written-removed": { player: { run: "echo x > new.txt; rm new.txt" }, coach: shown("works") },
	"second-part": {
		turns: { 1: "echo first > first.txt" },
		coach: partsShown(["works"], "first", "second"),
		task: parts("first", "second"),
	},
	"all-parts": {
		coach: partsShown(["works"], "first", "second"),
		task: parts("first", "second"),
	},
	gate: {
		coach: shown("works"),
		task: {
			overlays: {
				...pair(),
				policy_gate: { enabled: true, risk_tier: "T0", require_coverage: true },
			},
		},
	},
	after: { coach: shown("works"), task: { depends_on: ["proof"] } },
};

/** One run of all cases, each a task. */
function runOf(cases: Readonly<Record<string, Case>>, workflow: object = {}) {
	const steps = Object.entries(cases).flatMap(([task, { player = {}, turns = {}, coach }]) => [
		...Object.entries(turns).map(
			([turn, run]): Step => ({ role: "player", task, turn: Number(turn), run }),
		),
		{ ...player, role: "player", task } as const,
		...(coach === undefined ? [] : [{ role: "coach", task, report: coach } as const]),
	]);
	const tasks = Object.fromEntries(
		Object.entries(cases).map(([id, { task }]) => [
			id,
			{
				agent: "dev",
				description: "Do the work.",
				acceptance_criteria: [CRITERION],
				overlays: pair(),
				max_turns: 4,
				requires_verification: false,
				...task,
			},
		]),
	);
	return stage({ steps, workflow: { max_parallel: 2, tasks, ...workflow } });
}

/** What became of each task. */
const endsOf = ({ tasks }: Report) =>
	Object.entries(tasks).map(([id, { status, merged, flags }]) => [id, status, merged, flags]);

const SAMPLE = ["empty", "alone-second-part", "pair"];

test("none of those who do nothing completes, and nothing of them merges", async () => {
	const cases = sampled(DO_NOTHING, SAMPLE);
	const { repo, run } = runOf(cases);
	const { code, report } = await run();
	expect(code).toBe(1);
	expect(endsOf(report)).toEqual(
		Object.keys(cases).map((id) => [id, "failed", false, ["nothing_changed"]]),
	);
	expect(report.tasks["empty"]?.failure_reason).toContain(
		"the player's report cannot be used: no report was handed in",
	);
	expect(repo.git("rev-parse", report.branch)).toBe(repo.git("rev-parse", "main"));
});

test("nor does it where nothing tests the work, with a gate that is declined or without", async () => {
	const declined = { overlays: { policy_gate: { enabled: false } } };
	const cases = {
		unchecked: { task: ALONE },
		declined: { task: declined },
		pair: { coach: shown("works") },
	};
	const { run } = runOf(cases, { checks: {} });
	const { report } = await run();
	expect(endsOf(report)).toEqual(
		Object.keys(cases).map((id) => [id, "failed", false, ["nothing_changed"]]),
	);
});

test("work that was there already completes with proof, merges nothing, and lets its dependants start", async () => {
	const cases = sampled(HOLD_ALREADY, ["proof", "after", "no-criteria"]);
	const at = runOf(cases);
	const { code, report } = await at.run();
	expect([code, report.status]).toEqual([0, "completed"]);
	expect(endsOf(report)).toEqual(
		Object.keys(cases).map((id) => {
			const works = id === "second-part";
			return [id, "completed", works, works ? [] : ["already_done"]];
		}),
	);
	const said = "nothing to merge: the work was there already";
	expect((await at.spar(["status"])).stdout).toContain(said);
	expect((await at.spar(["report"])).stdout).toContain(said);
	expect((await at.spar(["trace", "proof"])).stdout).toContain("nothing to merge");
});

test("who resolves a conflict by dropping its own work has nothing done, where no coach sees it", async () => {
	const drop = 'grep "^of" list.txt | grep -v "of $SPAR_TASK" > kept; mv kept list.txt';
	const alone = { overlays: {}, requires_verification: false };
	const set = crew({
		tasks: { a: alone, b: alone, c: alone, d: { ...alone, depends_on: [] } },
		steps: [
			strike(":"),
			...["a", "b"].flatMap((task) =>
				[2, 3, 4].map((turn): Step => ({ role: "player", task, turn, run: drop })),
			),
		],
	});
	const { code, stderr } = await set.spar(["run"]);
	expect(code, stderr).toBe(1);
	const { a, b, ...rest } = standing(set);
	expect(new Set([a, b])).toEqual(new Set(["completed, merged", "failed"]));
	expect(rest).toEqual({ c: "completed, merged", d: "completed, merged" });
	expect(stderr).toContain("Nothing was changed");
});
