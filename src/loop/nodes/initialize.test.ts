import { expect, test } from "vitest";
import { task } from "../../store/record-builders.contract.ts";
import { eventsOf, scene, theFacts } from "../scene.contract.ts";
import { initialize } from "./initialize.ts";

const unbegun = { task: () => Promise.resolve(task({ taskId: "limiter" })) };
const before = { turn: 0, start: "", commit: "" };

test("a new task begins on the integration branch, which is stored before anything is built on it", async () => {
	const { input, kept, done } = scene({ state: before, read: unbegun });
	const { update } = await initialize(input);
	expect(update).toEqual({ start: "c0", commit: "c0", next: "go" });
	expect(kept).toMatchObject([
		{ kind: "task", patch: { startCommit: "c0", status: "running" } },
		{ event: { type: "task-started", data: { player: "dev", coach: null, bound: 5 } } },
	]);
	expect(done).toEqual(["prepare c0", "baseline c0", "preflight"]);
});

test("a task that is reopened keeps its start and goes on from its last commit", async () => {
	const { input, kept, done } = scene();
	expect((await initialize(input)).update).toMatchObject({ start: "c0", commit: "c2" });
	expect(kept).toEqual([]);
	expect(done).toEqual(["prepare c2", "baseline c0"]);
});

test("a setup that fails before the first turn needs a person, and no baseline is taken", async () => {
	const failure = { why: "npm ci exited with 1", said: ["no network"] };
	const checks = { preparePlayer: () => Promise.resolve(failure) };
	const { input, done } = scene({ state: before, read: unbegun, checks });
	expect((await initialize(input)).update).toEqual({
		next: "halt",
		trigger: "environment",
		reason: { kind: "setup_failed", ...failure },
		start: "c0",
		commit: "c0",
	});
	expect(done).toEqual(["preflight setup"]);
});

test("a setup that the player broke itself is the player's to fix", async () => {
	const checks = { preparePlayer: () => Promise.resolve({ why: "broken", said: [] }) };
	expect((await initialize(scene({ checks }).input)).update).toMatchObject({ next: "go" });
});

test("a formal review looks at all that the run has merged, and sets nothing up", async () => {
	const facts = theFacts({ task: { formalReview: true } });
	const { input, done, kept } = scene({ facts, state: before, read: unbegun });
	const { update } = await initialize(input);
	expect(update).toEqual({ start: facts.run.baseCommit, commit: "c0", next: "go" });
	expect(eventsOf(kept)).toEqual(["task-started"]);
	expect(done).toEqual([]);
});
