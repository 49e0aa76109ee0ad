import { expect, test } from "vitest";
import { run, task } from "../../store/record-builders.contract.ts";
import type { Action } from "../protocol.ts";
import { type ActionFacts, actionPreviews } from "./ground-screens.ts";

const facts = (part: Partial<ActionFacts> = {}): ActionFacts => ({
	run: run(),
	tasks: [task({ status: "running" })],
	holder: undefined,
	waiting: 0,
	answered: 0,
	pruneObstacle: "it has not ended",
	...part,
});

const holder = { host: "here", pid: 7 };

/** Why an action is refused; null: it is not. */
function refusal(action: Action, part: Partial<ActionFacts> = {}): string | null | undefined {
	return actionPreviews(facts(part)).find((preview) => preview.action === action)?.refused;
}

const effects = (action: Action, part: Partial<ActionFacts> = {}): string =>
	actionPreviews(facts(part))
		.filter((preview) => preview.action === action)
		.flatMap((preview) => preview.effects)
		.join(" ");

const paused = run({ status: "paused_for_user_escalation" });
const completed = run({ status: "completed" });

test("each action is told once, with the command that does the same", () => {
	expect(actionPreviews(facts()).map(({ command }) => command)).toEqual([
		`spar resume ${run().runId}`,
		`spar land ${run().runId}`,
		`spar cancel ${run().runId}`,
		"spar prune",
	]);
});

test("a run is resumed that nobody holds, and that can go on", () => {
	expect(refusal("resume")).toBeNull();
	expect(refusal("resume", { holder })).toBe("here:7 works on it");
	expect(refusal("resume", { run: run({ status: "cancelled" }) })).toContain("cancelled");
	expect(refusal("resume", { run: completed })).toBe("it has completed");
	expect(refusal("resume", { run: run({ status: "failed", pruned: true }) })).toContain("pruned");
	expect(refusal("resume", { run: run({ status: "failed" }) })).toBeNull();
});

test("a run that waits is resumed once a question is answered", () => {
	expect(refusal("resume", { run: paused, waiting: 2 })).toBe(
		"it waits for an answer: see the inbox (2 questions)",
	);
	expect(refusal("resume", { run: paused, waiting: 1, answered: 1 })).toBeNull();
	expect(refusal("resume", { run: paused })).toBeNull();
});

test("a run that owes its landing is resumed for that", () => {
	const workflow = { ...run().workflow, merge: { ...run().workflow.merge, into: "base" as const } };
	const owing = run({ status: "completed", workflow });
	expect(refusal("resume", { run: owing })).toBeNull();
	expect(effects("resume", { run: owing })).toContain("brought into main");
	expect(refusal("resume", { run: { ...owing, landedCommit: "c" } })).toBe("it has completed");
});

test("what resuming does follows from the tasks and answers", () => {
	const tasks = [task(), task({ status: "failed" }), task({ status: "completed" })];
	const said = effects("resume", { tasks, answered: 3 });
	expect(said).toContain("go on from their last step: 1.");
	expect(said).toContain("acted on: 3.");
	expect(said).toContain("if they get more turns: 1.");
	expect(effects("resume", { tasks: [] })).toMatch(/^It runs as a process of its own/);
});

test("what has merged is landed once, while nobody holds the run", () => {
	const tasks = [task({ merged: true }), task()];
	expect(refusal("land")).toBe("no task of it has merged anything");
	expect(refusal("land", { tasks })).toBeNull();
	expect(refusal("land", { tasks, holder })).toBe("here:7 works on it");
	expect(refusal("land", { tasks, run: run({ landedCommit: "c" }) })).toContain("main has it");
	expect(refusal("land", { tasks, run: run({ pruned: true }) })).toContain("branches are gone");
	expect(effects("land", { tasks })).toContain("main gets what 1 task merged");
});

test("what has not ended is cancelled, by its holder where there is one", () => {
	expect(refusal("cancel")).toBeNull();
	expect(refusal("cancel", { run: completed })).toBe("it has ended as completed");
	expect(effects("cancel")).toContain("Nobody works on it");
	expect(effects("cancel", { holder, waiting: 2 })).toContain("here:7 is asked to stop");
	expect(effects("cancel", { waiting: 2 })).toContain("without an answer: 2.");
	expect(effects("cancel")).not.toContain("without an answer");
});

test("what has ended is pruned once, unless something is in the way", () => {
	expect(refusal("prune")).toBe("it has not ended");
	expect(refusal("prune", { pruneObstacle: null })).toBeNull();
	expect(refusal("prune", { pruneObstacle: null, holder })).toBe("here:7 works on it");
	expect(refusal("prune", { run: run({ pruned: true }) })).toBe("it was pruned");
});
