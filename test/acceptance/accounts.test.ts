import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { z } from "zod";
import { spread, thorough } from "../support/amount.ts";
import { startSpar } from "../support/spar.ts";
import { pair } from "../support/workflow.ts";
import { APPROVAL, CRITERION, dataOf, type Stage, sendsBack, stage } from "./stage.ts";

type Role = "player" | "coach";

const SPENT = "You've hit your usage limit.";

/** A recorded call; the first one of each task in the seat of `spent` meets the account's limit. */
function lines(
	role: Role,
	tasks: readonly string[],
	spent: Role | null,
	first = "quota_exhausted",
): string {
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
				? [line(task, 1, first), line(task, 2, "ok")]
				: [line(task, spent === null ? 2 : 1, "ok")],
		)
		.map((each) => `${JSON.stringify(each)}\n`)
		.join("");
}

/** Another agent of the file, which answers at once. */
const SPARE = { adapter: "cassette", file: "spare.jsonl" };

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
			"spare.jsonl": lines(spent, tasks, null),
		},
		workflow: {
			agents: {
				dev: { adapter: "cassette", file: "dev.jsonl" },
				coach: { adapter: "cassette", file: "coach.jsonl" },
				spare: SPARE,
			},
			max_parallel: 3,
			tasks: Object.fromEntries(tasks.map((id) => [id, one(id)])),
			...play.workflow,
		},
	});
}

const questions = z.array(z.looseObject({ id: z.string(), trigger: z.string() }));

test.each(spread(["player", "coach"] as const, 0))(
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

thorough(
	"a player that is not signed in is told with its remedy, in one headline, and no turn is charged",
	async () => {
		const set = stage({
			steps: [],
			human: true,
			files: {
				"dev.jsonl": lines("player", ["one"], "player", "signed_out"),
				"coach.jsonl": lines("coach", ["one"], "player"),
			},
			workflow: {
				agents: {
					dev: { adapter: "cassette", file: "dev.jsonl" },
					coach: { adapter: "cassette", file: "coach.jsonl" },
				},
			},
		});
		const { code, shown } = await set.spar(["run"]);
		expect(code).toBe(3);
		const headline = "agent failed: the player dev is not signed in; sign in and answer yes: ";
		expect(shown).toContain(`asks     ${headline}`);
		expect((await set.spar(["status"])).stdout).toContain(`one: ${headline}`);
		const [asked] = questions.parse(await set.json("questions"));
		expect((await set.spar(["answer", asked?.id ?? ""])).code).toBe(0);
		expect((await set.resume()).task).toMatchObject({ status: "completed", turns: 1 });
	},
);

thorough("with people off a limit whose end nobody knows ends the run with 4", async () => {
	const { code, report } = await spentScene("player", { human: false }).run();
	expect(code).toBe(4);
	expect(report.tasks["red"]).toMatchObject({ status: "failed", flags: ["quota"], turns: 0 });
});

thorough("on_quota: fail asks nobody", async () => {
	const set = spentScene("coach", { human: true, workflow: { on_quota: "fail" } });
	expect((await set.run()).code).toBe(4);
	expect(await set.json("questions")).toEqual([]);
});

thorough(
	"one answer is given to all questions of one cause, and to none where several wait",
	async () => {
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
	},
);

test.each(spread(["player", "coach"] as const, 0))(
	"another %s settles the question, repeats no work, and keeps the seat in a plain resume",
	async (spent) => {
		const set = spentScene(spent, { human: true });
		expect((await set.run()).code).toBe(3);
		const { code, stderr, report } = await set.resume(`--${spent}`, "spare");
		expect(code, stderr).toBe(0);
		for (const [id, task] of Object.entries(report.tasks)) {
			expect(task).toMatchObject({ status: "completed", merged: true, turns: 1, flags: [] });
			const calls = set.trace(id).agent_invocations;
			const other = spent === "player" ? "coach" : "dev";
			expect(calls).toEqual({ dev: 1, coach: 1, spare: 1, [other]: 1 });
		}
		expect(await set.json("questions")).toEqual([]);
		expect(set.repo.read(".sparring/traces/red.json")).toContain('"choice": "continue"');
	},
);

const WRONG: readonly (readonly [string, readonly string[], string | RegExp])[] = [
	["an unknown name", ["--player", "spair"], 'did you mean "spare"?'],
	["the coach as player", ["--player", "coach"], "agent coach would judge its own work"],
	["one agent for both", ["--player", "spare", "--coach", "spare"], "would judge its own work"],
	["who wrote the turn as coach", ["--player", "spare", "--coach", "dev"], "what it wrote"],
	["a model of a recording", ["--model", "opus"], "agent dev takes no model"],
];

thorough("who cannot have the seat is refused before anything changes", async () => {
	const set = spentScene("coach", { human: true });
	expect((await set.run()).code).toBe(3);
	const before = await set.json("questions");
	for (const [name, flags, said] of WRONG) {
		const { code, stderr } = await set.spar(["resume", ...flags]);
		expect(code, name).toBe(2);
		expect(stderr, name).toContain(said);
	}
	expect(await set.json("questions")).toEqual(before);
	expect(set.trace("red").events.map(({ type }) => type)).not.toContain("run-resumed");
});

/** A pair whose player fails for good in its second turn, with a spare that works once it may. */
function brokenScene(): Stage {
	const spare =
		'touch "$HOME/called"; until test -e "$HOME/go"; do sleep 0.05; done\necho 2 >> work.txt\n';
	return stage({
		steps: [
			{ role: "coach", turn: 1, report: sendsBack({ issue: "Say two.", severity: "major" }) },
			{
				role: "coach",
				report: { ...APPROVAL, findings_status: [{ id: "$ID0", status: "fixed" }] },
			},
		],
		human: true,
		files: { "spare.sh": spare, "dev.jsonl": lines("player", ["one"], "coach") },
		workflow: {
			agents: {
				dev: { adapter: "cassette", file: "dev.jsonl" },
				spare: { adapter: "command", run: ["sh", "spare.sh"] },
			},
		},
	});
}

thorough(
	"an agent that fails is replaced for good, also where the run is killed, and the pair's history says who drove",
	async () => {
		const set = brokenScene();
		expect((await set.run()).code).toBe(3);
		expect(await set.json("questions")).toMatchObject([{ trigger: "role_error" }]);
		const { child, ended } = startSpar(set.repo, ["resume", "--player", "spare"]);
		const called = join(set.repo.home, "called");
		await expect.poll(() => existsSync(called)).toBe(true);
		child.kill("SIGKILL");
		await ended;
		writeFileSync(join(set.repo.home, "go"), "");
		const { code, stderr, task } = await set.resume();
		expect(code, stderr).toBe(0);
		expect(task).toMatchObject({ status: "completed", merged: true, turns: 2 });
		expect(dataOf(set.trace(), "item-answered")).toMatchObject([{ choice: "continue" }]);
		const session: unknown = JSON.parse(
			set.repo.read(".sparring/state/pair-sessions/one.json") ?? "",
		);
		expect(session).toMatchObject({
			pair_session: {
				driver_agent: "spare",
				history: [{ driver_agent: "dev" }, { driver_agent: "spare" }],
			},
		});
	},
);

test.each(
	spread(
		[
			["is to come", "2999-01-01T00:00:00.000Z", 3],
			["has passed", "2026-01-01T00:00:00.000Z", 0],
		] as const,
		1,
	),
)("a limit whose time %s needs an answer only while it holds", async (_name, at, expected) => {
	const set = spentScene("player", { human: true });
	expect((await set.run()).code).toBe(3);
	const db = new DatabaseSync(join(set.repo.root, ".sparring", "sparring.db"));
	db.prepare("UPDATE items SET context = json_set(context, '$.quota.resets_at', ?)").run(at);
	db.close();
	const { code, stderr } = await set.resume();
	expect(code, stderr).toBe(expected);
});
