import { expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { scriptedAgents } from "../support/scripted-agents.ts";
import { startSpar } from "../support/spar.ts";
import { APPROVAL, CRITERION, dataOf, sendsBack, stage, WORKS } from "./stage.ts";

const MISSING = sendsBack({ issue: "the retry is missing", severity: "major" });

/** Turn 1 goes back with a finding; in turn 2 it is fixed and approved. */
const TWO_TURNS = [
	WORKS,
	{ role: "coach", turn: 1, report: MISSING },
	{
		role: "coach",
		report: {
			decision: "approve",
			rationale: "All is there.",
			requirements_status: [{ criterion: CRITERION, met: true }],
			findings_status: [{ id: "F1", status: "fixed" }],
		},
	},
] as const;

test("test_orchestrator_completes_simple_task: feedback, rework, approval, merge", async () => {
	const { repo, run } = stage({ steps: TWO_TURNS });
	const before = repo.git("rev-parse", "HEAD");
	const { code, report, task } = await run();
	expect(code).toBe(0);
	expect(report).toMatchObject({ workflow: "test", status: "completed", base: "main" });
	expect(task).toMatchObject({
		status: "completed",
		phase: "completed",
		turns: 2,
		success: true,
		failure_reason: null,
		flags: [],
		merged: true,
		challenger_approved: true,
		gate: { risk_tier: "T0", verdict: "PASS" },
		open_findings: 0,
		human_item: null,
		trace_path: ".sparring/traces/one.json",
	});
	expect(repo.git("show", `${report.branch}:work.txt`)).toBe("turn 1\nturn 2");
	// The approved turn's tree is the one that merged.
	expect(repo.git("diff", String(task.commit), report.branch)).toBe("");
	expect(repo.git("rev-parse", "HEAD")).toBe(before);
	expect(repo.git("status", "--porcelain")).toBe("");
});

/** A coach that finds something new in every turn. */
const NEVER_CONTENT = [1, 2, 3, 4].map((turn) => ({
	role: "coach" as const,
	turn,
	report: sendsBack({ issue: `fault number ${turn} of many`, severity: "major" }),
}));

thorough(
	"test_orchestrator_respects_max_turns: with a limit of three it fails after three",
	async () => {
		const { agents, run } = stage({
			steps: [WORKS, ...NEVER_CONTENT],
			task: { max_turns: 3 },
		});
		const { code, report, task } = await run();
		expect(code).toBe(1);
		expect(report.status).toBe("failed");
		expect(task).toMatchObject({
			status: "failed",
			turns: 3,
			success: false,
			failure_reason: "Max turns (3) reached without approval",
			flags: ["loop_exhausted", "max_iterations_exceeded"],
			merged: false,
		});
		expect(agents.calls().filter(({ event }) => event === "start")).toHaveLength(6);
	},
);

thorough(
	"test_orchestrator_respects_max_turns: with a person to ask it pauses after three",
	async () => {
		const { agents, run, json } = stage({
			steps: [WORKS, ...NEVER_CONTENT],
			task: { max_turns: 3 },
			human: true,
		});
		const { code, report, task } = await run();
		expect(code).toBe(3);
		expect(report.status).toBe("paused_for_user_escalation");
		expect(task).toMatchObject({ status: "paused_for_human", phase: "awaiting_human", turns: 3 });
		expect(await json("hil", "list")).toMatchObject([
			{
				id: task.human_item,
				trigger: "loop_exhausted",
				choices: ["take_developer", "take_reviewer", "directive"],
			},
		]);
		expect(agents.calls().filter(({ event }) => event === "start")).toHaveLength(6);
	},
);

thorough("test_orchestrator_resume: an interrupted run ends as one that was not", async () => {
	const straight = stage({ steps: TWO_TURNS });
	const expected = await straight.run();
	const held = { role: "coach", turn: 1, hang: true } as const;
	const { repo, resume } = stage({ steps: [held, ...TWO_TURNS] });
	const process = startSpar(repo, ["run", "--events"]);
	await new Promise<void>((resolve) => {
		process.child.stdout?.on("data", () => {
			if (/"agent-called".*"coach"/.test(process.output().stdout)) resolve();
		});
	});
	process.child.kill("SIGINT");
	const interrupted = await process.ended;
	expect(interrupted.code).toBe(130);
	expect(interrupted.stderr).toMatch(/Continue with: spar resume \S+/);
	scriptedAgents(repo, TWO_TURNS);
	const { code, report, task } = await resume();
	expect(code).toBe(0);
	const tree = repo.git("rev-parse", `${report.branch}^{tree}`);
	// The stages differ in their agents' paths, and so in the workflow file.
	expect(repo.git("ls-tree", tree, "work.txt", "results.tap")).toBe(
		straight.repo.git("ls-tree", expected.report.branch, "work.txt", "results.tap"),
	);
	const same = ({ usage: _time, ...end }: typeof task) => ({
		...end,
		branch: "",
		commit: "",
		merged_commit: "",
	});
	expect(same(task)).toEqual(same(expected.task));
});

thorough(
	"each call is a fresh process whose prompt holds the open findings and no history",
	async () => {
		const keep = 'cat "$SPAR_PROMPT" > "$HOME/$SPAR_ROLE-$SPAR_TURN.txt"';
		const report = { implementation_notes: "I used the flux capacitor." };
		const { agents, kept, run } = stage({
			steps: [
				{ role: "player", run: `${keep}; echo turn $SPAR_TURN >> work.txt`, report },
				{ role: "coach", turn: 1, run: keep, report: MISSING },
				{
					role: "coach",
					turn: 2,
					run: keep,
					report: {
						...sendsBack({ issue: "the timeout is missing", severity: "major" }),
						findings_status: [{ id: "F1", status: "fixed" }],
					},
				},
				{
					role: "coach",
					run: keep,
					report: {
						...APPROVAL,
						findings_status: [{ id: "F2", status: "fixed" }],
					},
				},
			],
		});
		expect((await run()).code).toBe(0);
		expect(kept("player-2.txt")).toContain("the retry is missing");
		expect(kept("player-3.txt")).toContain("the timeout is missing");
		expect(kept("player-3.txt")).not.toContain("the retry is missing");
		expect(kept("coach-3.txt")).not.toContain("the retry is missing");
		for (const turn of [1, 2, 3]) expect(kept(`coach-${turn}.txt`)).not.toContain("flux capacitor");
		const pids = agents.calls().flatMap(({ event, pid }) => (event === "start" ? [pid] : []));
		expect(new Set(pids).size).toBe(6);
	},
);

thorough(
	"the trace holds the full loop: nodes, calls, evidence, verdicts and routes, with times",
	async () => {
		const { run, trace } = stage({ steps: TWO_TURNS });
		await run();
		const file = trace();
		const turn = [
			"player_turn",
			"validate_structure",
			"verify",
			"coach_turn",
			"resolve_conflict",
			"policy_gate",
		];
		const nodes = file.events.filter(({ type }) => type === "node-entered").map(({ node }) => node);
		expect(nodes.filter((node) => node !== "score_confidence")).toEqual([
			"initialize",
			...turn,
			"process_feedback",
			...turn,
			"sign_off",
			"merge",
			"finalize_success",
		]);
		expect(file.agent_invocations).toEqual({ dev: 2, coach: 2 });
		expect(dataOf(file, "turn-judged")).toMatchObject([
			{ raw: "feedback", effective: "feedback" },
			{ raw: "approve", effective: "approve", reasons: [] },
		]);
		expect(dataOf(file, "turn-routed").map(({ route }) => route)).toEqual(["feedback", "approve"]);
		expect(dataOf(file, "check-ran").map(({ purpose, kind }) => [purpose, kind])).toEqual([
			["baseline", "acceptance"],
			["turn", "acceptance"],
			["turn", "acceptance"],
			["assembled", "acceptance"],
			["assembled", "replay"],
			["turn", "replay"],
		]);
		expect(dataOf(file, "finding-changed")).toMatchObject([
			{ finding: "F1", state: "open", blocking: true },
			{ finding: "F1", state: "fixed" },
		]);
		const times = file.events.map(({ timestamp }) => timestamp);
		expect(times.every((time) => new Date(time).toISOString() === time)).toBe(true);
		expect(file.status).toBe("completed");
	},
);
