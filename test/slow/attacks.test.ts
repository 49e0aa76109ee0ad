import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
	APPROVAL,
	APPROVES,
	dataOf,
	sendsBack,
	stage,
	TAP_OK,
	TAP_RED,
	TESTS,
	textLike,
	WORKS,
} from "../acceptance/stage.ts";
import type { Step } from "../support/scripted-agents.ts";

describe("evidence speaks of the commit, or it is none", () => {
	test("a test run that writes over tracked files does not count as a pass", async () => {
		const set = stage({
			steps: [
				{
					role: "player",
					files: {
						"hook.sh": `printf '${TAP_OK.replaceAll("\n", "\\n")}' > results.tap\n`,
						"results.tap": TAP_RED,
					},
				},
				APPROVES,
			],
			files: { "check.sh": "[ -f hook.sh ] && . ./hook.sh\ncat results.tap\n" },
			workflow: { checks: { tests: TESTS } },
			task: { max_turns: 1 },
		});
		const { code, task } = await set.run();
		expect({ code, merged: task.merged }).toEqual({ code: 1, merged: false });
		const runs = dataOf(set.trace(), "check-ran").filter(
			({ purpose, kind }) => purpose === "turn" && kind === "acceptance",
		);
		expect(runs).toMatchObject([{ status: "error", reason: textLike("results.tap") }]);
	});

	test("what a setup writes over tracked files is put back before the checks", async () => {
		const set = stage({
			steps: [
				{ role: "player", files: { "results.tap": TAP_RED, "tools/setup-data": "x" } },
				APPROVES,
			],
			files: {
				"setup.sh": `[ -f tools/setup-data ] && printf '${TAP_OK.replaceAll("\n", "\\n")}' > results.tap\ntrue\n`,
			},
			workflow: { setup: ["sh setup.sh"], setup_inputs: ["tools/**"] },
			task: { max_turns: 1 },
		});
		const { task } = await set.run();
		expect(task.merged).toBe(false);
	});

	test("a program that the player took away from a check goes back to the player, not to a person", async () => {
		const set = stage({
			steps: [
				{ role: "player", turn: 1, run: "rm tool.sh" },
				{
					role: "player",
					turn: 2,
					run: "git checkout -q HEAD~0 2>/dev/null; printf 'cat results.tap\\n' > tool.sh; chmod +x tool.sh; echo x > work.txt",
				},
				APPROVES,
			],
			files: { "tool.sh": "#!/bin/sh\ncat results.tap\n" },
			workflow: { checks: { tests: { kind: "acceptance", run: "./tool.sh" } } },
			human: true,
			task: { max_turns: 1 },
		});
		const { report, task } = await set.run();
		expect(report.status).toBe("paused_for_user_escalation");
		const [item] = dataOf(set.trace(), "item-opened");
		expect(item).toMatchObject({ trigger: "loop_exhausted" });
		expect(task.merged).toBe(false);
	});
});

describe("what only a person may accept", () => {
	test("a finding that rises to critical escalates in that turn, whatever the coach says of it later", async () => {
		const raised = (severity: string) => sendsBack({ issue: "it deletes data", severity });
		const set = stage({
			steps: [
				WORKS,
				{ role: "coach", turn: 1, report: raised("major") },
				{ role: "coach", turn: 2, report: raised("critical") },
				{
					role: "coach",
					turn: 3,
					report: { ...APPROVAL, findings_status: [{ id: "F1", status: "withdrawn" }] },
				},
			],
			human: true,
		});
		const { code, task } = await set.run();
		expect({ code, turns: task.turns, merged: task.merged }).toEqual({
			code: 3,
			turns: 2,
			merged: false,
		});
		expect(dataOf(set.trace(), "item-opened")).toMatchObject([{ trigger: "escalation" }]);
	});

	test("a report in which the decision stands twice approves nothing", async () => {
		const twice = JSON.stringify(APPROVAL).replace("{", '{"decision":"feedback",');
		const set = stage({ steps: [WORKS, { role: "coach", report: twice }] });
		const { code, task } = await set.run();
		expect({ code, merged: task.merged }).toEqual({ code: 1, merged: false });
		expect(task.failure_reason).toContain("duplicate key");
	});
});

describe("--record", () => {
	test.each([".git/config", "notes.txt", "sparring.yaml"])("never writes over %s", async (file) => {
		const set = stage({ steps: [WORKS, APPROVES], files: { "notes.txt": "mine\n" } });
		const before = set.repo.read(file);
		const { code, stderr } = await set.spar(["run", "--record", file]);
		expect(code).toBe(2);
		expect(stderr).toContain("--record");
		expect(set.repo.read(file)).toBe(before);
	});

	test("writes over an older recording", async () => {
		const set = stage({ steps: [WORKS, APPROVES] });
		expect((await set.run("--record", "tape.jsonl")).code).toBe(0);
		const lines = set.repo.read("tape.jsonl")?.trim().split("\n").length;
		expect((await set.run("--record", "tape.jsonl")).code).toBe(0);
		expect(set.repo.read("tape.jsonl")?.trim().split("\n")).toHaveLength(lines ?? 0);
	});
});

describe("landing", () => {
	test("a run that completed and cannot be landed as asked says so in its report, and exits with 1", async () => {
		const set = stage({
			steps: [
				{
					role: "player",
					run: 'echo mine > work.txt; cd "$HOME/project" && echo theirs > work.txt && git add work.txt && git commit -qm Meanwhile',
				},
				APPROVES,
			],
			workflow: { merge: { into: "base" } },
		});
		const { code, report, task } = await set.run();
		expect({ code, status: report.status, merged: task.merged }).toEqual({
			code: 1,
			status: "completed",
			merged: true,
		});
		expect(report["landing_refused"]).toContain("work.txt");
		expect(set.repo.read("work.txt")).toBe("theirs\n");
	});

	test("a conflict that was resolved by hand on the integration branch is checked before it lands", async () => {
		const set = stage({ steps: [WORKS, APPROVES] });
		const { report } = await set.run();
		set.repo.git("switch", "--quiet", report.branch);
		set.repo.write({ "results.tap": TAP_RED });
		const red = set.repo.commit("Resolved badly");
		set.repo.git("switch", "--quiet", "main");
		const refused = await set.spar(["land"]);
		expect(refused.code).toBe(1);
		expect(refused.stdout).toContain("did not test");
		set.repo.git("switch", "--quiet", report.branch);
		set.repo.write({ "results.tap": TAP_OK });
		const green = set.repo.commit("Resolved well");
		set.repo.git("switch", "--quiet", "main");
		expect(await set.json("land")).toMatchObject({ outcome: "landed", commit: green });
		expect(red).not.toBe(green);
	});

	test("a run whose branches were pruned is neither resumed nor landed, and no agent is called", async () => {
		const set = stage({
			steps: [WORKS, { role: "coach", report: sendsBack({ issue: "no", severity: "major" }) }],
			task: { max_turns: 1 },
		});
		expect((await set.run()).code).toBe(1);
		expect((await set.spar(["prune", "--force"])).code).toBe(0);
		const calls = set.agents.calls().length;
		for (const args of [["resume", "--max-turns", "3"], ["land"]]) {
			const { code, stderr } = await set.spar(args);
			expect({ code, told: stderr !== "" }).toEqual({ code: 2, told: true });
		}
		expect(set.agents.calls()).toHaveLength(calls);
	});
});

describe("a refused merge", () => {
	const conflict = (...first: readonly Step[]) =>
		stage({
			steps: [
				...first,
				{ role: "player", task: "two", run: "echo two > same.txt" },
				{ role: "player", task: "one", turn: 1, run: "echo one > same.txt" },
				{
					role: "player",
					task: "one",
					turn: 2,
					run: 'cp "$SPAR_PROMPT" "$HOME/prompt.md"; echo both > same.txt',
				},
				{
					role: "coach",
					task: "one",
					turn: 1,
					report: { ...APPROVAL, feedback_items: [{ issue: "harm", severity: "critical" }] },
				},
				APPROVES,
			],
			files: { "same.txt": "base\n" },
			human: true,
			workflow: {
				tasks: Object.fromEntries(
					["one", "two"].map((id) => [
						id,
						{
							description: "Do it.",
							acceptance_criteria: ["the work is done"],
							max_turns: 1,
							overlays: {
								paired_workflow: { enabled: true, driver_agent: "dev", challenger_agent: "coach" },
								policy_gate: { enabled: false },
							},
						},
					]),
				),
			},
		});

	async function answer(set: ReturnType<typeof stage>, ...words: string[]): Promise<void> {
		const [item] = z.array(z.object({ id: z.string() })).parse(await set.json("hil", "list"));
		expect((await set.spar(["hil", "resolve", item?.id ?? "", ...words])).code).toBe(0);
	}

	test("gives the player a turn at the limit too, and no conflict marker merges on old evidence", async () => {
		const set = conflict();
		await set.run();
		await answer(set, "--take", "developer");
		const { report, task } = await set.resume();
		expect(task).toMatchObject({ merged: true, turns: 2 });
		expect(set.repo.git("show", `${report.branch}:same.txt`)).toBe("both");
		expect(set.kept("prompt.md")).toContain("The merge failed");
	});

	test("is told to the player of a task that was reopened", async () => {
		// The first call of that turn and its three retries.
		const failing = [1, 2, 3, 4].map((call): Step => {
			return { role: "player", task: "one", turn: 2, call, exit: 3 };
		});
		const set = conflict(...failing);
		await set.run();
		await answer(set, "--take", "developer");
		await set.resume();
		const [item] = z.array(z.object({ id: z.string() })).parse(await set.json("hil", "list"));
		expect((await set.spar(["hil", "reject", item?.id ?? "", "--reason", "later"])).code).toBe(0);
		expect((await set.resume()).task.status).toBe("failed");
		await set.resume("--max-turns", "2");
		expect(set.kept("prompt.md")).toContain("same.txt");
		expect(set.kept("prompt.md")).toContain("The merge failed");
	});
});
