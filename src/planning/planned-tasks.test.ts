import { expect, test } from "vitest";
import { type PlanGround, planNoteText, plannedTasks, planProblemText } from "./planned-tasks.ts";

const GROUND: PlanGround = { known: new Set(["old"]), defaultDecides: false };
const plan = (task: Readonly<Record<string, unknown>>, ground = GROUND) =>
	plannedTasks({ tasks: { a: { description: "x", ...task } } }, ground);

test("a planner's true is written with its name, and its reason", () => {
	const { tasks, notes } = plan({ requires_verification: true, verification_reason: "r" });
	expect(tasks["a"]).toEqual({
		description: "x",
		requires_verification: true,
		verification_by: "planner",
		verification_reason: "r",
	});
	expect(notes).toEqual([]);
});

test.each([
	["false", { requires_verification: false }, ["declined"]],
	["auto", { requires_verification: "auto" }, []],
	["nothing", {}, []],
	["null", { requires_verification: null, verification_reason: null }, []],
])("%s becomes auto, of which nobody's name is written", (_name, task, kinds) => {
	const { tasks, notes } = plan(task);
	expect(tasks["a"]).toEqual({ description: "x", requires_verification: "auto" });
	expect(notes.map(({ kind }) => kind)).toEqual(kinds);
});

test("a planner does not say who set a flag", () => {
	const { tasks } = plan({ requires_verification: "auto", verification_by: "person" });
	expect(tasks["a"]).toEqual({ description: "x", requires_verification: "auto" });
});

test("what is no flag is left for the loader to refuse", () => {
	expect(plan({ requires_verification: "yes" }).tasks["a"]).toMatchObject({
		requires_verification: "yes",
	});
});

test("where a person chose in defaults the flag is left out", () => {
	const { tasks, notes } = plan(
		{ requires_verification: true },
		{ ...GROUND, defaultDecides: true },
	);
	expect(tasks["a"]).toEqual({ description: "x" });
	expect(notes.map(planNoteText)).toEqual([
		"defaults of the file decide about the verification of a",
	]);
});

test("commands of a checklist are told to people", () => {
	const { notes } = plan({ checklist: [{ item: "i", run: "make x" }, 1, { item: "j" }] });
	expect(notes.map(planNoteText)).toEqual([
		"a has a checklist whose commands Sparring will run: make x",
	]);
	expect(plan({ checklist: "make x" }).notes).toEqual([]);
});

test("a known id and a guard that is switched off are problems", () => {
	const tasks = { old: { overlays: { hil: { enabled: false }, policy_gate: { enabled: true } } } };
	expect(plannedTasks({ tasks }, GROUND).problems.map(planProblemText)).toEqual([
		'the workflow has a task "old" already: choose another id; existing tasks are not changed',
		'task "old" switches overlays.hil off, which only a person may do: leave it out',
	]);
	const alone = {
		overlays: { paired_workflow: { enabled: false } },
		requires_human: false,
		coach: "none",
	};
	expect(plan(alone).problems).toEqual([
		{ kind: "guard_off", task: "a", key: "overlays.paired_workflow" },
		{ kind: "guard_off", task: "a", key: "requires_human" },
		{ kind: "guard_off", task: "a", key: "coach" },
	]);
	expect(plan({ overlays: null, requires_human: true }).problems).toEqual([]);
});

test("a note of a false says the reason that came with it", () => {
	const { notes } = plan({ requires_verification: false, verification_reason: "text only" });
	expect(notes.map(planNoteText)).toEqual([
		"the planner wants no verification of a (text only); that is yours to say, so the file has auto: spar approve --no-verify a",
	]);
});
