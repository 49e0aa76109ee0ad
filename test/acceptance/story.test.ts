import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSparring } from "../../src/library/open-sparring.ts";
import { thorough } from "../support/amount.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	dataOf,
	outcomeOf,
	sendsBack,
	stage,
	type Trace,
	textLike,
	WORKS,
} from "./stage.ts";

const CONCERNS = ["is the clock monotonic?", "CONCERN-OF-PLAYER"];
const REPORT = {
	files_modified: ["work.txt"],
	tests_written: ["check.sh"],
	implementation_notes: "NOTES-OF-PLAYER",
	concerns: CONCERNS,
};
const MISSING = { issue: "the refill is missing", severity: "major", criterion: CRITERION };
const CRITICAL = { issue: "it loses data", severity: "critical" };

/** Keeps all that a call is told, for a look at its bytes. */
const KEEP = 'cat "$SPAR_PROMPT" "$SPAR_CONTEXT" >> "$HOME/$SPAR_ROLE.told"';

/** The task as its trace tells it: nothing else is read. */
function storyOf({ events }: Trace): string[] {
	const text = (value: unknown): string => (typeof value === "string" ? value : String(value));
	return events.flatMap(({ type, turn, data }) => {
		switch (type) {
			case "task-started":
				return [`${text(data["player"])} builds, ${text(data["coach"])} coaches`];
			case "player-reported":
				return [`${turn}: ${text(data["implementation_notes"])}; ${text(data["concerns"])}`];
			case "check-ran":
				return data["purpose"] === "baseline"
					? []
					: [`${turn}: ${text(data["check"])} ${text(data["purpose"])} ${text(data["status"])}`];
			case "turn-judged":
				return [
					`${turn}: ${text(data["effective"])}: ${text(data["rationale"])} ${JSON.stringify(data["criteria"])}`,
				];
			case "finding-changed":
				return [`${turn}: ${text(data["finding"])} ${text(data["state"])}: ${text(data["issue"])}`];
			case "turn-routed":
				return [`${turn}: ${text(data["route"])}`];
			case "task-merged":
				return [`merged into ${text(data["into"])}`];
			case "task-ended":
				return [text(data["status"])];
			default:
				return [];
		}
	});
}

thorough(
	"Trace captures full loop history: a person reads the task back from its file alone",
	async () => {
		const statement = { criterion: CRITERION, met: false, evidence: "ran it: no refill" };
		const seen = { ...statement, met: true, evidence: "ran it: refills", tests: ["works"] };
		const fixed = [{ id: "F1", status: "fixed" }];
		const made = stage({
			steps: [
				{ ...WORKS, report: REPORT, stdout: "worked \u{1f680}\n" },
				{
					role: "coach",
					turn: 1,
					run: KEEP,
					report: { ...sendsBack(MISSING), requirements_status: [statement] },
				},
				{
					role: "coach",
					run: KEEP,
					report: { ...APPROVAL, requirements_status: [seen], findings_status: fixed },
				},
			],
		});
		const { code, report } = await made.run();
		expect(code).toBe(0);
		const trace = made.trace();
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
		const [started] = dataOf(trace, "task-started");
		expect(started).toMatchObject({ checkout: textLike(/\/one\/player\/project-\w{6}$/) });
		const [merged] = dataOf(trace, "task-merged");
		const { branch } = report;
		expect(merged).toMatchObject({
			commit: made.repo.git("rev-parse", branch).trim(),
			onto: made.repo.git("rev-parse", `${branch}^1`).trim(),
			turn_commit: report.tasks["one"]?.commit,
		});
		// The unit of the output's length: characters, of which the rocket is one.
		const [player] = dataOf(trace, "agent-answered");
		const transcript = readFileSync(
			join(made.repo.root, ".sparring", String(player?.["transcript"])),
			"utf8",
		);
		expect(player).toMatchObject({ role: "player", output_length: Array.from(transcript).length });
		expect(Array.from(transcript).length).toBeLessThan(transcript.length);
		// What the player says of its own work is for people. The coach is told none of it.
		expect(made.kept("coach.told")).not.toMatch(/-OF-PLAYER|monotonic/);
		const shown = await made.spar(["trace", "one"]);
		expect(shown.stdout).toContain("unsure: is the clock monotonic?");
		expect(shown.stdout).toContain(`unmet: ${CRITERION} (ran it: no refill)`);
		expect(shown.stdout).toContain("characters of output");
	},
);

thorough(
	"Failure case: max turns reached, worktree preserved, and named wherever a person looks",
	async () => {
		const made = stage({
			steps: [
				{ ...WORKS, report: REPORT },
				{ role: "coach", report: sendsBack(MISSING) },
			],
			task: { max_turns: 1 },
		});
		const printed = await made.spar(["run"]);
		expect(printed.code).toBe(1);
		const { task } = outcomeOf(await made.spar(["status", "--json"]));
		const { checkout, concerns, failure_reason } = task;
		expect({ concerns, failure_reason }).toEqual({
			concerns: CONCERNS,
			failure_reason: "Max turns (1) reached without approval",
		});
		expect(readFileSync(join(String(checkout), "work.txt"), "utf8")).toBe("turn 1\n");
		expect(printed.stdout).toContain(`its checkout is kept: ${String(checkout)}`);
		expect(printed.stderr).toContain("the player is unsure: is the clock monotonic?");
		const [ended] = dataOf(made.trace(), "task-ended");
		expect(ended).toMatchObject({ status: "failed", checkout });
		await made.spar(["prune", "--force"]);
		expect(existsSync(String(checkout))).toBe(false);
		expect(await made.json("status")).toMatchObject({ tasks: { one: { checkout: null } } });
	},
);

test("Success case: the worktree is merged and gone, so that no checkout is named", async () => {
	const made = stage({ steps: [WORKS, APPROVES] });
	const { task } = await made.run();
	expect(task).toMatchObject({ merged: true, checkout: null, concerns: [] });
	expect(dataOf(made.trace(), "task-ended")).toMatchObject([{ checkout: null }]);
	const printed = await made.spar(["status"]);
	expect(printed.stdout).not.toContain("checkout");
});

for (const [name, finding, bound] of [
	["a critical finding", CRITICAL, 5],
	["the same issue three times", MISSING, 5],
] as const)
	thorough(
		`Escalation case, with people off: ${name} fails the task as \`Escalated for human review\``,
		async () => {
			const made = stage({
				steps: [WORKS, { role: "coach", report: sendsBack(finding) }],
				task: { max_turns: bound },
			});
			const { code, task } = await made.run();
			expect({ code, flags: task.flags }).toEqual({ code: 1, flags: ["escalation"] });
			expect(task.failure_reason).toMatch(/^Escalated for human review: ./);
			expect(dataOf(made.trace(), "task-ended")).toMatchObject([{ reason: task.failure_reason }]);
		},
	);

thorough(
	"Escalation case: human review triggered, with the player's concerns and the checkout in the question",
	async () => {
		const made = stage({
			human: true,
			steps: [
				{ ...WORKS, report: REPORT },
				{ role: "coach", run: KEEP, report: sendsBack(CRITICAL) },
			],
		});
		const { code, task } = await made.run();
		expect(code).toBe(3);
		expect(existsSync(join(String(task["checkout"]), "work.txt"))).toBe(true);
		const id = task.human_item ?? "";
		expect(await made.json("hil", "show", id)).toMatchObject({
			context: { checkout: task["checkout"], developer: { concerns: CONCERNS } },
		});
		const shown = await made.spar(["hil", "show", id]);
		expect(shown.stdout).toContain("unsure: is the clock monotonic?");
		expect(shown.stdout).toContain(`checkout: ${String(task["checkout"])}`);
		expect(made.kept("coach.told")).not.toMatch(/-OF-PLAYER|monotonic/);
	},
);

thorough("a cancelled task names the checkout that it leaves", async () => {
	const made = stage({
		human: true,
		steps: [WORKS, { role: "coach", report: sendsBack(CRITICAL) }],
	});
	const { task } = await made.run();
	await made.spar(["cancel"]);
	expect(dataOf(made.trace(), "task-ended")).toMatchObject([
		{ status: "cancelled", checkout: task["checkout"] },
	]);
	expect(await made.json("status")).toMatchObject({
		tasks: { one: { checkout: task["checkout"] } },
	});
});

thorough(
	"load_state: the state of a task for whoever asks, before, during and after its run",
	async () => {
		const made = stage({
			human: true,
			steps: [
				{ ...WORKS, report: REPORT },
				{ role: "coach", turn: 1, report: sendsBack(CRITICAL) },
				{
					role: "coach",
					report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
				},
			],
			task: { feature_id: "FEAT-12", context_files: ["check.sh"], max_turns: 3 },
		});
		const { root: directory, env } = made.repo;
		const sparring = await openSparring({ directory, env });
		onTestFinished(() => sparring.close());
		expect(await sparring.loadState("one")).toBeNull();
		const { task } = await made.run();
		expect(await sparring.loadState("one")).toMatchObject({
			taskId: "one",
			featureId: "FEAT-12",
			requirements: {
				description: "Do the work.",
				acceptanceCriteria: [CRITERION],
				contextFiles: ["check.sh"],
			},
			status: "paused_for_human",
			phase: "awaiting_human",
			turnCount: 1,
			maxTurns: 3,
			playerReport: { implementation_notes: "NOTES-OF-PLAYER" },
			coachFeedback: { decision: "feedback" },
			coachDecision: "feedback",
			success: null,
		});
		await made.spar(["hil", "resolve", task.human_item ?? "", "--take", "reviewer"]);
		await made.resume();
		expect(await sparring.loadState("one")).toMatchObject({
			phase: "completed",
			turnCount: 2,
			coachDecision: "approve",
			feedbackHistory: [{ decision: "feedback" }, { decision: "approve" }],
			success: true,
			failureReason: null,
		});
		expect(await sparring.loadState("two")).toBeNull();
	},
);

thorough("a task's feature_id stands in trace, status and on the screen", async () => {
	const made = stage({ steps: [WORKS, APPROVES], task: { feature_id: "FEAT-12" } });
	const { task } = await made.run();
	expect(task["feature_id"]).toBe("FEAT-12");
	expect(made.trace()).toMatchObject({ feature_id: "FEAT-12" });
	expect(dataOf(made.trace(), "task-started")).toMatchObject([{ feature_id: "FEAT-12" }]);
	expect((await made.spar(["status"])).stdout).toContain("FEAT-12");
	expect((await made.spar(["trace", "one"])).stdout).toContain("feature: FEAT-12");
});
