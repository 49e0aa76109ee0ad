import { beforeAll, describe, expect, test } from "vitest";
import { thorough } from "../support/amount.ts";
import { pair } from "../support/workflow.ts";
import {
	APPROVAL,
	APPROVES,
	CRITERION,
	listWith,
	type Outcome,
	type Stage,
	sendsBack,
	stage,
	TAP_RED,
	textLike,
} from "./stage.ts";

const TRIED = { what: "a server that is down", command: "node try.js", outcome: "one call only" };
const MISSING = {
	...sendsBack({ issue: "the retry is missing", severity: "major" }),
	attempts: [TRIED],
};
const NAMES = ["developer", "reviewer", "directive", "rejected", "taken-red", "consent"] as const;

let set: Stage;
let paused: Outcome;
let resumed: Outcome;
const items = new Map<string, string>();
const answers = new Map<string, { readonly code: number | null; readonly stderr: string }>();

const itemOf = (task: string): string => {
	const id = items.get(task);
	if (id === undefined) throw new Error(`no item for ${task}`);
	return id;
};

async function answer(task: string, ...args: readonly string[]): Promise<void> {
	const [verb = "", ...rest] = args;
	answers.set(args.join(" "), await set.spar(["hil", verb, itemOf(task), ...rest]));
}

beforeAll(async () => {
	set = stage({
		human: true,
		steps: [
			{ task: "taken-red", role: "player", files: { "results.tap": TAP_RED } },
			{
				role: "player",
				turn: 2,
				run: 'cat "$SPAR_PROMPT" > "$HOME/$SPAR_TASK.txt"; echo two >> $SPAR_TASK-2.txt',
			},
			{ role: "player", run: "echo one >> $SPAR_TASK.txt" },
			{ task: "consent", ...APPROVES },
			{ role: "coach", turn: 1, report: MISSING },
			{
				role: "coach",
				report: { ...APPROVAL, findings_status: [{ id: "F1", status: "fixed" }] },
			},
		],
		workflow: {
			tasks: Object.fromEntries(
				NAMES.map((name) => [
					name,
					{
						agent: "dev",
						description: "Do it.",
						acceptance_criteria: [CRITERION],
						max_turns: 1,
						requires_human: name === "consent",
						overlays: pair(),
					},
				]),
			),
		},
	});
	paused = await set.run();
	for (const [name, { human_item }] of Object.entries(paused.report.tasks))
		items.set(name, human_item ?? "");
});

describe("a run that waits", () => {
	test("has one question a task, and exits with 3", async () => {
		expect(paused.code).toBe(3);
		expect(paused.report.status).toBe("paused_for_user_escalation");
		const list = await set.json("hil", "list");
		expect(list).toHaveLength(NAMES.length);
		expect(list).toContainEqual({
			id: itemOf("consent"),
			run_id: paused.report.run_id,
			task_id: "consent",
			trigger: "requires_human",
			reason: textLike(/./),
			status: "PENDING",
			choices: ["continue"],
			created_at: textLike(/^\d{4}-\d\d-\d\dT.*Z$/),
		});
	});

	test("shows both sides, findings, evidence and the diff with a question", async () => {
		expect(await set.json("hil", "show", itemOf("developer"))).toMatchObject({
			id: itemOf("developer"),
			trigger: "loop_exhausted",
			reason: "Max turns (1) reached without approval",
			resolution: null,
			context: {
				developer: { agent: "dev", files: ["developer.txt"] },
				reviewer: {
					agent: "coach",
					decision: "feedback",
					rationale: "Not yet.",
					attempts: [TRIED],
				},
				findings: [{ id: "F1", issue: "the retry is missing", severity: "major", state: "open" }],
				evidence: listWith({ check: "tests", status: "pass" }),
				diff_path: textLike(".sparring/"),
			},
		});
		const shown = await set.spar(["hil", "show", itemOf("developer")]);
		expect(shown.stdout).toContain(`spar answer ${itemOf("developer")} --take player`);
		expect(shown.stdout).toContain("the retry is missing");
		expect(shown.stdout).toContain("tried a server that is down (node try.js): one call only");
	});

	test("tells of an approval for which nobody tried to break the work", async () => {
		const shown = await set.spar(["hil", "show", itemOf("consent")]);
		expect(shown.stdout).toContain("decision: approve, without any attempt to break the work");
	});

	thorough("does not go on without an answer, and calls nobody", async () => {
		const before = set.agents.calls().length;
		const again = await set.resume();
		expect(again.code).toBe(3);
		expect(again.task.human_item).toBe(itemOf("developer"));
		expect(set.agents.calls()).toHaveLength(before);
	});
});

describe("an answer that does not fit is refused with exit 2, and the question stays", () => {
	test.each([
		["developer", ["resolve"], /--take/],
		["developer", ["resolve", "--take", "referee"], /developer, reviewer/],
		["developer", ["resolve", "--take", "developer", "--directive", "x"], /both/],
		["developer", ["resolve", "--directive", " "], /empty/],
		["developer", ["reject", "--reason", ""], /empty/],
		["developer", ["reject"], /--reason/],
		["consent", ["resolve", "--take", "developer"], /spar answer/],
	] as const)("%s: %j", async (task, [verb, ...rest], said) => {
		const { code, stderr } = await set.spar(["hil", verb, itemOf(task), ...rest]);
		expect(code).toBe(2);
		expect(stderr).toMatch(said);
	});

	test("as is one to a question that does not exist", async () => {
		const { code, stderr } = await set.spar(["hil", "resolve", "nobody"]);
		expect(code).toBe(2);
		expect(stderr).toContain("there is no item nobody");
	});
});

describe("each answer does what it says", () => {
	beforeAll(async () => {
		await answer("developer", "ack");
		const acked = await set.json("hil", "show", itemOf("developer"));
		expect(acked).toMatchObject({ status: "ACKED" });
		await answer("developer", "resolve", "--take", "developer", "--notes", "good enough");
		await answer("reviewer", "resolve", "--take", "reviewer");
		await answer("directive", "resolve", "--directive", "Use a queue instead.");
		await answer("rejected", "reject", "--reason", "not wanted any more");
		await answer("taken-red", "resolve", "--take", "developer");
		await answer("consent", "resolve");
		resumed = await set.resume();
	});

	test("each was accepted, and says how to go on", () => {
		for (const [args, { code, stderr }] of answers) {
			expect({ args, code }).toEqual({ args, code: 0 });
			if (args !== "ack") expect(stderr).toContain(`spar resume ${paused.report.run_id}`);
		}
	});

	test("the developer's side merges without another player turn", () => {
		expect(resumed.report.tasks["developer"]).toMatchObject({
			status: "completed",
			turns: 1,
			merged: true,
			open_findings: 0,
			human_item: null,
		});
	});

	test("the reviewer's side grants one more turn, also at the limit", () => {
		expect(resumed.report.tasks["reviewer"]).toMatchObject({
			status: "completed",
			turns: 2,
			merged: true,
		});
	});

	test("a directive reaches the player in one more turn", () => {
		expect(resumed.report.tasks["directive"]).toMatchObject({ status: "completed", turns: 2 });
		expect(set.kept("directive.txt")).toContain("Use a queue instead.");
	});

	test("a rejection fails the task with the reason", () => {
		const task = resumed.report.tasks["rejected"];
		expect(task).toMatchObject({ status: "failed", success: false, merged: false, flags: [] });
		expect(task?.failure_reason).toContain("not wanted any more");
	});

	test("consent merges what waited for it", () => {
		expect(resumed.report.tasks["consent"]).toMatchObject({
			status: "completed",
			turns: 1,
			merged: true,
		});
	});

	test("the developer's side with failing tests does not merge: a new question is asked", async () => {
		expect(resumed.code).toBe(3);
		const task = resumed.report.tasks["taken-red"];
		expect(task).toMatchObject({ status: "paused_for_human", merged: false });
		expect(task?.human_item).not.toBe(itemOf("taken-red"));
		expect(await set.json("hil", "show", itemOf("developer"))).toMatchObject({
			status: "RESOLVED",
			resolution: { choice: "take_developer", notes: "good enough" },
		});
	});

	thorough("the same answer again changes nothing, another one is refused", async () => {
		const same = [
			"hil",
			"resolve",
			itemOf("developer"),
			"--take",
			"developer",
			"--notes",
			"good enough",
		];
		expect((await set.spar(same)).code).toBe(0);
		const other = await set.spar(["hil", "reject", itemOf("developer"), "--reason", "no"]);
		expect(other.code).toBe(2);
		expect(await set.json("hil", "show", itemOf("developer"))).toMatchObject({
			status: "RESOLVED",
		});
	});
});
