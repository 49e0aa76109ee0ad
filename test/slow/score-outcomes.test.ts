import { beforeAll, expect, test } from "vitest";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	type Stage,
	sendsBack,
	stage,
	TAP_RED,
} from "../acceptance/stage.ts";
import { stateRows } from "../support/state-rows.ts";
import { pair } from "../support/workflow.ts";

const REFUSES = sendsBack({ issue: "a case is lost", severity: "major" });
const FIXED = { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] };

const metrics = [{ type: "llm_judge", weight: 1.0, evaluator_agent: "judge" }];
const scored = { confidence_loop: { enabled: true, threshold: 0.8, metrics } };

const task = (overlays: object, more: object = {}) => ({
	agent: "dev",
	description: "Do it.",
	acceptance_criteria: [CRITERION],
	overlays: { ...scored, ...overlays },
	...more,
});

/** Red on the assembled tree alone, as long as `red.txt` is there without `mended`. */
const CHECK = `if pwd | grep -q integration && test -e red.txt && ! test -e mended; then
cat red.tap; exit 1; fi
cat results.tap
`;

const ANSWERS: Readonly<Record<string, readonly string[]>> = {
	reviewer: ["resolve", "--take", "reviewer"],
	developer: ["resolve", "--take", "developer"],
	directed: ["resolve", "--directive", "Find the case."],
	rejected: ["reject", "--reason", "No."],
	signed: ["resolve"],
	agreed: ["resolve"],
};

let made: Stage;

/** All that can be said of a score, as the tasks of one run. */
beforeAll(async () => {
	const once = { max_turns: 1 };
	made = stage({
		human: true,
		files: { "check.sh": CHECK, "red.tap": TAP_RED },
		steps: [
			{ task: "red", role: "player", turn: 2, files: { mended: "" } },
			{ role: "player", run: "echo $SPAR_TURN > $SPAR_TASK.txt" },
			{ task: "signed", ...APPROVES },
			{ task: "agreed", ...APPROVES },
			{ role: "coach", turn: 1, report: REFUSES },
			{ role: "coach", report: FIXED },
			{ role: "evaluator", report: { score: 0.9, rationale: "Seen." } },
		],
		workflow: {
			// What `red` changes, so that its cold run comes behind the gate, in the merge.
			setup: ["true"],
			setup_inputs: ["red.txt"],
			checks: {
				tests: { kind: "acceptance", run: "sh check.sh" },
				lint: { kind: "lint", run: "true" },
				audit: { kind: "security", run: "true" },
				boot: { kind: "readiness", run: "true" },
			},
			tasks: {
				red: task({}),
				reviewer: task(pair(), once),
				developer: task(pair(), once),
				directed: task(pair(), once),
				rejected: task(pair(), once),
				signed: task({ ...pair(), policy_gate: { enabled: true, risk_tier: "T2" } }),
				agreed: task(pair(), { requires_human: true }),
			},
		},
	});
	const { dev, coach } = made.agents.agents;
	made.rewrite({ agents: { dev, coach, judge: dev } });
	made.repo.commit("With a judge");
	const { code, report } = await made.run();
	expect(code).toBe(3);
	for (const [name, [verb = "", ...rest]] of Object.entries(ANSWERS)) {
		const item = report.tasks[name]?.human_item ?? "";
		expect((await made.spar(["hil", verb, item, ...rest])).code, name).toBe(0);
	}
	expect((await made.resume()).code).toBe(1);
});

const saidOf = (name: string): string[] =>
	stateRows(
		made.repo,
		`SELECT turn, gate, human, assembled FROM scores WHERE task_id = '${name}' ORDER BY turn`,
	).map(({ turn, gate, human, assembled }) =>
		[turn, gate, human ?? "-", assembled ?? "-"].map(String).join(" "),
	);

test.each([
	["red", ["1 PASS - fail", "2 PASS - pass"]],
	["reviewer", ["1 PASS rejected -", "2 PASS - pass"]],
	["developer", ["1 PASS accepted pass"]],
	["directed", ["1 PASS rejected -", "2 PASS - pass"]],
	["rejected", ["1 PASS rejected -"]],
	["signed", ["1 PASS accepted pass"]],
	["agreed", ["1 PASS accepted pass"]],
])(
	"%s: each scored turn with the gate's word, a person's and that of the assembled checks",
	(name, said) => {
		expect(saidOf(name)).toEqual(said);
	},
);

test("calibration counts as good what nothing spoke against", async () => {
	const groups = await made.json("calibration");
	expect(groups).toEqual(
		expect.arrayContaining([
			expect.objectContaining({ agent: "judge", metric: "llm_judge", count: 10, waiting: 0 }),
		]),
	);
	expect(JSON.stringify(groups)).toMatch(/"good":6\b/);
});
