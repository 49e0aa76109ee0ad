import { describe, expect, test } from "vitest";
import { spread } from "../support/amount.ts";
import type { MemoryStep } from "./memory-agents.ts";
import { memoryRun } from "./memory-run.ts";
import { TAP_OK, TAP_RED } from "./memory-state.ts";
import { APPROVAL, APPROVES, dataOf, fixed, major, OWN_FILE, tasks, WORKS } from "./said.ts";

test("two tasks work at the same time, each in its own checkout, and both merge", async () => {
	const begun: string[] = [];
	let meet = (): void => undefined;
	const both = new Promise<void>((resolve) => {
		meet = resolve;
	});
	const meets: MemoryStep = {
		...OWN_FILE,
		meanwhile: ({ task }) => {
			begun.push(task);
			if (begun.length === 2) meet();
			return both;
		},
	};
	const set = memoryRun({
		steps: [meets, APPROVES],
		workflow: { max_parallel: 2, tasks: tasks({ a: {}, b: {} }) },
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	for (const id of ["a", "b"]) expect(report.tasks[id]).toMatchObject({ merged: true, turns: 1 });
	expect([set.merged("a.txt"), set.merged("b.txt")]).toEqual(["done\n", "done\n"]);
});

test("max_parallel 1 works on one task at a time", async () => {
	const set = memoryRun({
		steps: [OWN_FILE, APPROVES],
		workflow: { max_parallel: 1, tasks: tasks({ a: {}, b: {}, c: {} }) },
	});
	expect((await set.run()).code).toBe(0);
	const order = set.agents.calls.map(({ task, role }) => `${task} ${role}`);
	expect(order).toEqual(["a", "b", "c"].flatMap((id) => [`${id} player`, `${id} coach`]));
});

test("tasks run in the order of their dependencies, each on top of what was merged before", async () => {
	const set = memoryRun({
		steps: [OWN_FILE, APPROVES],
		workflow: {
			tasks: tasks({
				roof: { depends_on: ["walls"] },
				walls: { depends_on: ["ground"] },
				ground: {},
			}),
		},
	});
	const { code, report } = await set.run();
	expect(code).toBe(0);
	const players = set.agents.calls.filter(({ role }) => role === "player");
	expect(players.map(({ task }) => task)).toEqual(["ground", "walls", "roof"]);
	expect(Object.values(report.tasks).every(({ merged }) => merged)).toBe(true);
	expect([...(players.at(-1)?.files.keys() ?? [])]).toEqual(
		expect.arrayContaining(["ground.txt", "walls.txt"]),
	);
});

test("a failed task blocks those that depend on it and nobody else", async () => {
	const set = memoryRun({
		steps: [{ task: "ground", role: "player", fails: "content_policy" }, OWN_FILE, APPROVES],
		workflow: { tasks: tasks({ ground: {}, walls: { depends_on: ["ground"] }, garden: {} }) },
	});
	const { code, report } = await set.run();
	expect(code).toBe(1);
	expect(report.status).toBe("failed");
	expect(report.tasks["ground"]).toMatchObject({ status: "failed", flags: ["role_error"] });
	expect(report.tasks["walls"]).toMatchObject({
		status: "blocked",
		failure_reason: "depends on ground, which is failed",
		blocked_by: { task: "ground", through: null },
	});
	expect(report.tasks["garden"]).toMatchObject({ status: "completed", merged: true });
});

describe("two tasks that write the same lines", () => {
	/** Turn 1 writes the list; a later one takes both sides of the conflict. */
	const sameFile = (): readonly MemoryStep[] => {
		const begun: (() => void)[] = [];
		return [
			{
				role: "player",
				turn: 1,
				write: ({ task }) => ({ "list.txt": `of ${task}\n` }),
				meanwhile: () =>
					new Promise<void>((resolve) => {
						begun.push(resolve);
						if (begun.length === 2) for (const goOn of begun) goOn();
					}),
			},
			{
				role: "player",
				write: ({ files }) => ({
					"list.txt": (files.get("list.txt")?.text ?? "").replaceAll(/^[<=>].*\n/gm, ""),
				}),
			},
			APPROVES,
		];
	};
	const described = (id: string, more: object = {}) => ({
		description: `Put ${id} into the list.`,
		...more,
	});

	test("the second gets the conflicting places and the other task's intent, and both lines land", async () => {
		const one = { max_turns: 1 };
		const set = memoryRun({
			steps: sameFile(),
			workflow: {
				max_parallel: 2,
				tasks: tasks({ a: described("a", one), b: described("b", one) }),
			},
		});
		const { code, report } = await set.run();
		expect(code).toBe(0);
		const late = report.tasks["a"]?.turns === 2 ? "a" : "b";
		const early = late === "a" ? "b" : "a";
		// The turn that the merge asked for is not one of the task's own.
		expect(report.tasks[late]).toMatchObject({ merged: true, turns: 2 });
		expect(report.tasks[early]).toMatchObject({ merged: true, turns: 1 });
		const [prompt] = set.agents.prompts("player", 2);
		expect(prompt).toContain(`of ${early}\n=======\nof ${late}\n>>>>>>>`);
		expect(prompt).toContain(`${early}: Put ${early} into the list.`);
		expect(set.merged("list.txt")?.trim().split("\n").sort()).toEqual(["of a", "of b"]);
	});

	test("who is the second to make the change is warned before the merge", async () => {
		const set = memoryRun({
			steps: sameFile(),
			workflow: { max_parallel: 2, tasks: tasks({ a: {}, b: {} }) },
		});
		await set.run();
		const all = [...(await set.trace("a")).events, ...(await set.trace("b")).events];
		const warned = all.flatMap((event) =>
			event.type === "merge-forecast" && event.data.against !== undefined ? [event.data] : [],
		);
		expect(warned[0]).toMatchObject({ clean: false, conflicts: ["list.txt"] });
	});

	test("who drops its own work to resolve a conflict has nothing done, where no coach sees it", async () => {
		const [first] = sameFile();
		const drops: MemoryStep = {
			role: "player",
			write: ({ files, task }) => ({
				"list.txt": (files.get("list.txt")?.text ?? "").replaceAll(
					new RegExp(`^(?:[<=>].*|of ${task})\\n`, "gm"),
					"",
				),
			}),
		};
		const alone = { overlays: {}, requires_verification: false };
		const set = memoryRun({
			steps: [first ?? drops, drops],
			workflow: { max_parallel: 2, tasks: tasks({ a: alone, b: alone }) },
		});
		const { code, report } = await set.run();
		expect(code).toBe(1);
		const ends = Object.values(report.tasks).map(({ status, flags }) =>
			[status, ...flags].join(" "),
		);
		expect(ends.sort()).toEqual(["completed", "failed nothing_changed"]);
	});
});

/** Red wherever a check runs before a merge, as often as told. */
const redCold = (times: number) => {
	let left = times;
	return {
		"sh cold.sh": (_files: unknown, purpose: string) => {
			const isRed = purpose === "assembled" && left-- > 0;
			return { output: isRed ? TAP_RED : TAP_OK, exitCode: isRed ? 1 : 0 };
		},
	};
};
/** With an allowance everything runs in the merge, after the approval. */
const COLD = {
	task: { max_turns: 1, allow: [{ path: "test/**", change: "edit", reason: "they may change" }] },
	workflow: { checks: { tests: { kind: "acceptance", run: "sh cold.sh" } } },
};

test("work that the merge refuses once goes back with the reason, in a turn of the merge's, and lands", async () => {
	const set = memoryRun({ steps: [WORKS, APPROVES], ...COLD, programs: redCold(1) });
	const { code, task } = await set.run();
	expect({ code, turns: task.turns, merged: task.merged }).toEqual({
		code: 0,
		turns: 2,
		merged: true,
	});
	expect(dataOf(await set.trace(), "merge-refused")).toHaveLength(1);
	expect(set.agents.prompts("player", 2)[0]).toContain("The checks failed on the assembled tree");
});

test("work that the merge refuses three times is a person's", async () => {
	const set = memoryRun({ steps: [WORKS, APPROVES], ...COLD, programs: redCold(3) });
	const { code, task } = await set.run();
	expect(code).toBe(1);
	expect(task).toMatchObject({
		status: "failed",
		turns: 3,
		merged: false,
		flags: ["merge"],
		failure_reason: "The work could not be merged: the merge was refused 3 times",
	});
});

describe("a run that is killed", () => {
	const STEPS: readonly MemoryStep[] = [
		WORKS,
		{ role: "coach", turn: 1, report: major("the retry is missing") },
		{ role: "coach", report: fixed("F1") },
	];
	const PLACES = [
		["while the player works", "agent-called", 1, 5],
		["once the player has answered", "agent-answered", 1, 4],
		["while the coach works", "agent-called", 2, 5],
		["once the coach has judged", "turn-judged", 1, 4],
		["once the turn is routed", "turn-routed", 1, 4],
		["before the second turn", "turn-routed", 2, 4],
		["once the merge is intended", "merge-forecast", 1, 4],
		["once it has merged", "task-merged", 1, 4],
	] as const;

	test.each(spread(PLACES, 3))(
		"%s ends as one that was not, and pays no answered call twice",
		async (_place, type, nth, calls) => {
			const straight = memoryRun({ steps: STEPS });
			const expected = await straight.run();
			const set = memoryRun({ steps: STEPS });
			let seen = 0;
			await set.killedAt((event) => {
				if (event.type === type) seen += 1;
				return seen === nth;
			});
			const { code, task } = await set.run();
			expect(code).toBe(0);
			const same = ({ usage: _usage, suite_work: _work, ...end }: typeof task) => ({
				...end,
				commit: "",
				merged_commit: "",
			});
			expect(same(task)).toEqual(same(expected.task));
			expect(set.merged("work.txt")).toBe(straight.merged("work.txt"));
			expect(set.agents.calls).toHaveLength(calls);
			const judged = (one: typeof set) => one.trace().then((trace) => dataOf(trace, "turn-judged"));
			expect((await judged(set)).map(({ effective }) => effective)).toEqual(
				(await judged(straight)).map(({ effective }) => effective),
			);
		},
	);

	test("once its question is stored, goes on with the answer that came meanwhile", async () => {
		const set = memoryRun({ human: true, steps: STEPS, task: { max_turns: 1 } });
		await set.killedAt(({ type }) => type === "item-opened");
		await set.answer({ directive: "Use a queue." });
		expect((await set.run()).task).toMatchObject({ status: "completed", turns: 2, merged: true });
		expect(dataOf(await set.trace(), "item-opened")).toHaveLength(1);
	});

	test("between a person's answer and its effect takes the answer once", async () => {
		const set = memoryRun({ human: true, steps: STEPS, task: { max_turns: 1 } });
		await set.run();
		await set.answer({ directive: "Use a queue." });
		await set.killedAt(({ type, turn }) => type === "agent-called" && turn === 2);
		expect((await set.run()).task).toMatchObject({ status: "completed", turns: 2, merged: true });
		expect(set.agents.prompts("player", 2).at(-1)).toContain("Use a queue.");
		expect(dataOf(await set.trace(), "item-opened")).toHaveLength(1);
	});
});

test("an agent that fails for a while is asked again in the same turn, and its fallback where it does not come back", async () => {
	const COMMAND = { adapter: "command", run: ["true"] };
	const set = memoryRun({
		steps: [
			{ agent: "dev", fails: "unavailable" },
			{ ...WORKS, agent: "spare" },
			{ role: "coach", call: 1, fails: "network" },
			{ role: "coach", report: APPROVAL },
		],
		workflow: { agents: { dev: { ...COMMAND, fallback: "spare" }, spare: COMMAND } },
	});
	const { code, task } = await set.run();
	expect({ code, turns: task.turns, merged: task.merged }).toEqual({
		code: 0,
		turns: 1,
		merged: true,
	});
	expect(dataOf(await set.trace(), "agent-replaced")).toMatchObject([
		{ role: "player", agent: "dev", fallback: "spare" },
	]);
	expect(set.agents.prompts("coach", 1)).toHaveLength(2);
});
