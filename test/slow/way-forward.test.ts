import { expect, test } from "vitest";
import { APPROVES, dataOf, type Play, stage, textLike } from "../acceptance/stage.ts";
import { spread } from "../support/amount.ts";

/** A verifier's test, as a script that prints TAP. */
const script = (name: string, condition: string): string =>
	`echo 'TAP version 13'\necho '1..1'\nif ${condition}; then echo 'ok 1 - ${name}'; else echo 'not ok 1 - ${name}'; exit 1; fi\n`;
const PATH = "test/integration/limit.test.sh";
const RUN = `sh ${PATH}`;
const FOUR = script("asks for four", '[ "$(sh limit.sh)" = 4 ]');
const writes = (text: string, more: object = {}) => ({
	role: "verifier" as const,
	files: { [PATH]: text },
	report: { run: RUN, tests_written: [PATH] },
	...more,
});
const WORKS = { role: "player" as const, run: "echo 'echo 3' > limit.sh" };
const NOTHING = {
	role: "verifier" as const,
	report: { tests_written: [], notes: "nothing left to test" },
};

const scene = ({ workflow, ...play }: Play) =>
	stage({
		files: { "limit.sh": "echo 0\n" },
		...play,
		task: { requires_verification: true, ...play.task },
		workflow: { verifier: "coach", verification: { paths: ["test/**"], attempts: 1 }, ...workflow },
	});

/** Broken calls of a verifier: a report that cannot be read, twice. */
const GARBLED = { role: "verifier" as const, report: "approve the work" };

const AUTO = { requires_verification: "auto", context_files: ["src/api/users.js"] };

test.each(
	spread(
		[
			["no report that can be read", GARBLED, "invalid twice"],
			["no test", { role: "verifier" as const, report: { run: "true" } }, "no new test file"],
		] as const,
		1,
	),
)(
	"a verifier that auto brought in and that gives %s is no verifier: right work merges, marked unverified",
	async (_name, verifier, why) => {
		for (const human of spread([true, false], 1)) {
			const { run } = scene({ human, task: AUTO, steps: [WORKS, verifier, APPROVES] });
			const { code, task } = await run();
			expect(code).toBe(0);
			expect(task).toMatchObject({ merged: true, flags: ["unverified"], verification: "skipped" });
			expect(task["verification_result"]).toMatchObject({
				reasons: [textLike(why), textLike("src/api/users.js")],
			});
		}
	},
);

test("where auto has no working verifier, a gate of tier T1 does not pass", async () => {
	const { run, json } = scene({
		task: {
			...AUTO,
			max_turns: 1,
			overlays: { policy_gate: { enabled: true, risk_tier: "T1" } },
		},
		steps: [WORKS, GARBLED, APPROVES],
		workflow: {
			verifier: "coach",
			verification: { paths: ["test/**"] },
			waive: { lint: "none", security: "none" },
		},
	});
	expect((await run()).task).toMatchObject({ status: "failed", merged: false });
	expect(await json("gate", "one")).toMatchObject({
		verdict: "FAIL",
		evidence_checks: { verification: { status: "ABSENT" } },
	});
});

test("a person goes on without independent tests where the verifier gives none, and the task says so", async () => {
	const { run, resume, spar, json, trace } = scene({
		human: true,
		steps: [WORKS, GARBLED, APPROVES],
	});
	const asked = await run();
	expect(asked.code).toBe(3);
	const id = asked.task.human_item ?? "";
	expect(await json("hil", "show", id)).toMatchObject({
		trigger: "role_error",
		choices: ["continue", "unverified"],
	});
	const refused = await spar(["hil", "resolve", id, "--take", "player"]);
	expect(refused.code).toBe(2);
	expect(refused.stderr).toContain("--take unverified");
	await spar(["hil", "resolve", id, "--take", "unverified", "--notes", "too small"]);
	const { code, task } = await resume();
	expect(code).toBe(0);
	expect(task).toMatchObject({
		merged: true,
		turns: 1,
		flags: ["unverified"],
		verification: "skipped",
	});
	expect(dataOf(trace(), "verification-decided").at(-1)).toMatchObject({
		verdict: "skipped",
		reasons: [textLike("a person went on without independent tests: too small"), textLike("true")],
	});
});

test.each(
	spread(
		[
			["says that nothing is left", NOTHING],
			["writes the same again", writes(FOUR)],
		] as const,
		0,
	),
)(
	"with one test in the suite, taking the player's side leads on where the verifier %s",
	async (_name, second) => {
		const { repo, run, resume, spar } = scene({
			human: true,
			steps: [WORKS, { ...writes(FOUR), call: 1 }, second, APPROVES],
		});
		const asked = await run();
		expect(asked.code).toBe(3);
		await spar(["hil", "resolve", asked.task.human_item ?? "", "--take", "player"]);
		const { code, task, report } = await resume();
		expect(code).toBe(0);
		expect(task).toMatchObject({ merged: true, turns: 1, flags: ["unverified"], open_findings: 0 });
		expect(repo.git("ls-tree", "-r", "--name-only", report.branch)).not.toContain(PATH);
	},
);

test("a verifier that withdraws its only test and has nothing else to write is done, and is not asked again", async () => {
	const { run, agents, trace } = scene({
		workflow: { verifier: "coach", verification: { paths: ["test/**"], attempts: 3 } },
		steps: [
			{ ...WORKS, turn: 1 },
			{
				role: "player",
				turn: 2,
				report: {
					disputes: [
						{ finding: "$ID0", reason: "it asks for four", evidence: "the task says three" },
					],
				},
				run: "echo more >> work.txt",
			},
			{ role: "player", run: "echo 'echo 3 # done' > limit.sh" },
			writes(FOUR, { turn: 1 }),
			{
				role: "verifier",
				turn: 2,
				call: 1,
				report: { disputes_status: [{ id: "F1", status: "withdrawn", reason: "my mistake" }] },
			},
			NOTHING,
			{
				role: "coach",
				turn: 2,
				report: {
					decision: "feedback",
					requirements_status: [{ criterion: "the work is done", met: true }],
					feedback_items: [{ issue: "say so", severity: "major" }],
				},
			},
			{
				role: "coach",
				report: {
					decision: "approve",
					requirements_status: [{ criterion: "the work is done", met: true }],
					findings_status: [{ id: "$ID0", status: "fixed" }],
				},
			},
		],
	});
	const { task } = await run();
	expect(task).toMatchObject({ merged: true, turns: 3, flags: ["unverified"] });
	expect(dataOf(trace(), "verification-decided").map(({ verdict }) => verdict)).toEqual([
		"failed",
		"skipped",
		"skipped",
	]);
	expect(
		agents.calls().filter(({ event, role }) => event === "start" && role === "verifier"),
	).toHaveLength(3);
});

test("spar approve --no-verify says what it does to a run that waits for its verifier", async () => {
	const { run, spar } = scene({ human: true, steps: [WORKS, GARBLED, APPROVES] });
	const { report, code } = await run();
	expect(code).toBe(3);
	const approved = await spar(["approve", "--no-verify", "one"]);
	expect(approved.code).toBe(0);
	expect(approved.stderr).toContain(
		`run ${report.run_id} began before and keeps requires_verification as it was: one (true).`,
	);
	expect(approved.stderr).toContain("--take unverified");
	expect((await spar(["approve"])).stderr).not.toContain("began before");
});

test("where a coach gives no verdict, a person takes the player's output, and it merges", async () => {
	const { run, resume, spar } = scene({
		human: true,
		task: { requires_verification: false },
		steps: [WORKS, { role: "coach", report: "fine" }],
	});
	const asked = await run();
	expect(asked.code).toBe(3);
	await spar(["hil", "resolve", asked.task.human_item ?? "", "--take", "player"]);
	const { code, task } = await resume();
	expect(code).toBe(0);
	expect(task).toMatchObject({ merged: true, turns: 1 });
});
