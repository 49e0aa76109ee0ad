import { expect, test } from "vitest";
import { startSession } from "../review/pair-session.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { TaskContext } from "./context.ts";
import { planOf, presentFacts } from "./present-task.ts";

const BASE: TaskDefinition = {
	id: "one",
	description: "Build it.",
	acceptanceCriteria: ["all of it works"],
	contextFiles: [],
	dependsOn: [],
	player: "dev",
	requiresVerification: "auto",
	requiresHuman: false,
	maxTurns: 10,
	bound: 5,
	gate: false,
	gateDeclined: false,
	human: false,
};
const SUBTASKS = [
	{ id: "core", description: "The core.", acceptanceCriteria: ["the core works"] },
	{ id: "edge", description: "The edges.", acceptanceCriteria: ["the edges work"] },
];

/** @param driver who plays by the stored session; left out: none is stored */
function contextOf(
	task: TaskDefinition,
	{ subtask, driver }: { readonly subtask?: number; readonly driver?: string } = {},
): TaskContext {
	const context = {
		run: { runId: "r" },
		task: { ...task, bound: 9, player: "dev" },
		workflow: { tasks: [task] },
		records: {
			task: () => Promise.resolve(subtask === undefined ? undefined : { subtask }),
			pairSession: () => {
				const plan = planOf(context);
				if (driver === undefined || plan === null) return Promise.resolve(undefined);
				const session = startSession({ runId: "r", taskId: task.id }, plan);
				return Promise.resolve({ session: { ...session, currentDriver: driver } });
			},
		},
	} as unknown as TaskContext; // Only what the present task is read from; the rest has no part in it.
	return context;
}

test("the plan of a pair is what the file says, whatever a person added to the bound", () => {
	const pair = { challenger: "coach", roleSwitch: "checkpoint", checkpoints: [2] } as const;
	expect(planOf(contextOf({ ...BASE, pair }))).toEqual({
		driver: "dev",
		challenger: "coach",
		roleSwitch: "checkpoint",
		checkpoints: [2],
		maxIterations: 5,
	});
	expect(planOf(contextOf({ ...BASE, pair: { challenger: "coach" } }))).toMatchObject({
		roleSwitch: "session",
		checkpoints: [],
	});
	expect(planOf(contextOf(BASE))).toBeNull();
});

test("a task in one piece with fixed seats is its own", async () => {
	const context = contextOf(BASE);
	expect(await presentFacts(context)).toMatchObject({ task: context.task, subtask: null });
});

test.each([
	[undefined, "core", ["the core works"], false],
	[0, "core", ["the core works"], false],
	[1, "edge", ["the edges work", "all of it works"], true],
	// Past the last one, as after it was completed.
	[2, "edge", ["the edges work", "all of it works"], true],
] as const)(
	"with %s subtasks done, %s is judged by its criteria",
	async (done, id, criteria, isLast) => {
		const made = contextOf(
			{ ...BASE, subtasks: SUBTASKS },
			done === undefined ? {} : { subtask: done },
		);
		const { task, subtask } = await presentFacts(made);
		expect(subtask).toEqual({ id, index: isLast ? 1 : 0, isLast });
		expect(task.acceptanceCriteria).toEqual(criteria);
		expect(task.description).toMatch(/^Build it\./);
		expect(task.description).toContain(`## Subtask ${id} (${isLast ? 2 : 1} of 2)`);
	},
);

test("who sits where follows from the stored session, and before it from the file", async () => {
	const pair = { challenger: "coach", roleSwitch: "subtask" } as const;
	const seats = async (driver?: string) => {
		const { task } = await presentFacts(
			contextOf({ ...BASE, pair }, driver === undefined ? {} : { driver }),
		);
		return [task.player, task.pair?.challenger];
	};
	expect(await seats()).toEqual(["dev", "coach"]);
	expect(await seats("dev")).toEqual(["dev", "coach"]);
	expect(await seats("coach")).toEqual(["coach", "dev"]);
});
