import { expect, test } from "vitest";
import { z } from "zod";
import { pair } from "../support/workflow.ts";
import { APPROVAL, CRITERION, type Stage, stage } from "./stage.ts";

type Role = "player" | "coach";

const SPENT = "You've hit your usage limit.";

/** A recorded call; the first one of each task in the seat of `spent` meets the account's limit. */
function lines(role: Role, tasks: readonly string[], spent: Role): string {
	const line = (task: string, call: number, outcome: string) => ({
		role,
		agent: "dev",
		task,
		subtask: null,
		turn: 1,
		call,
		outcome,
		ms: 1,
		usage: null,
		report: outcome === "ok" && role === "coach" ? APPROVAL : null,
		files: outcome === "ok" && role === "player" ? { [`${task}.txt`]: "done\n" } : {},
		output: outcome === "ok" ? "" : SPENT,
	});
	return tasks
		.flatMap((task) =>
			role === spent
				? [line(task, 1, "quota_exhausted"), line(task, 2, "ok")]
				: [line(task, 1, "ok")],
		)
		.map((each) => `${JSON.stringify(each)}\n`)
		.join("");
}

/** Tasks at once, of which every one meets the limit of the same account. */
function spentScene(
	spent: Role,
	play: { readonly human: boolean; readonly workflow?: object },
): Stage {
	const tasks = ["red", "blue", "green"];
	const one = (id: string) => ({
		agent: "dev",
		description: `Write ${id}.txt.`,
		acceptance_criteria: [CRITERION],
		overlays: pair(),
	});
	return stage({
		steps: [],
		human: play.human,
		files: {
			"dev.jsonl": lines("player", tasks, spent),
			"coach.jsonl": lines("coach", tasks, spent),
		},
		workflow: {
			agents: {
				dev: { adapter: "cassette", file: "dev.jsonl" },
				coach: { adapter: "cassette", file: "coach.jsonl" },
			},
			max_parallel: 3,
			tasks: Object.fromEntries(tasks.map((id) => [id, one(id)])),
			...play.workflow,
		},
	});
}

const questions = z.array(z.looseObject({ id: z.string(), trigger: z.string() }));

test.each(["player", "coach"] as const)(
	"the limit of a %s's account is one question for three tasks, and all merge after one answer",
	async (spent) => {
		const set = spentScene(spent, { human: true });
		const first = await set.run();
		expect(first.code, first.stderr).toBe(3);
		const waiting = questions.parse(await set.json("questions"));
		expect(waiting).toMatchObject([{ trigger: "quota" }]);
		const asked = Object.values(first.report.tasks).map(({ human_item: id }) => id);
		expect(new Set(asked)).toEqual(new Set([waiting[0]?.id]));
		const answer = await set.spar(["answer", waiting[0]?.id ?? ""]);
		expect(answer.code, answer.stderr).toBe(0);
		const { code, stderr, report } = await set.resume();
		expect(code, stderr).toBe(0);
		for (const task of Object.values(report.tasks))
			expect(task).toMatchObject({ status: "completed", merged: true, turns: 1, flags: [] });
	},
);

test("with people off a limit whose end nobody knows ends the run with 4", async () => {
	const { code, report } = await spentScene("player", { human: false }).run();
	expect(code).toBe(4);
	expect(report.tasks["red"]).toMatchObject({ status: "failed", flags: ["quota"], turns: 0 });
});

test("on_quota: fail asks nobody", async () => {
	const set = spentScene("coach", { human: true, workflow: { on_quota: "fail" } });
	expect((await set.run()).code).toBe(4);
	expect(await set.json("questions")).toEqual([]);
});

test("one answer is given to all questions of one cause, and to none where several wait", async () => {
	const set = stage({
		steps: [
			{ role: "player", run: 'echo "$SPAR_TASK" > "$SPAR_TASK.txt"' },
			{ role: "coach", report: APPROVAL },
		],
		human: true,
		workflow: {
			tasks: Object.fromEntries(
				["red", "blue"].map((id) => [
					id,
					{
						agent: "dev",
						description: `Write ${id}.txt.`,
						acceptance_criteria: [CRITERION],
						overlays: pair(),
						requires_human: true,
					},
				]),
			),
		},
	});
	expect((await set.run()).code).toBe(3);
	expect(questions.parse(await set.json("questions"))).toHaveLength(2);
	const typo = await set.spar(["answer", "--all", "yess"]);
	expect(typo.code).toBe(2);
	const { code, stderr } = await set.spar(["answer", "--all", "yes"]);
	expect(code, stderr).toBe(0);
	expect(await set.json("questions")).toEqual([]);
	expect((await set.resume()).code).toBe(0);
});
