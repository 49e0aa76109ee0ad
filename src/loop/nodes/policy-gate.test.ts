import { expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { eventsOf, ofKind, scene, theFacts } from "../scene.contract.ts";
import { policyGate } from "./policy-gate.ts";

const green = {
	evidence: () =>
		Promise.resolve([
			evidence({ tree: "t-c2" }),
			evidence({ tree: "t-c2", check: "integrity", kind: "integrity" }),
		]),
};

test("without a gate the decision alone is stored, and the session's files follow the records", async () => {
	const { input, done } = scene({ read: green });
	const result = await policyGate(input);
	expect(result).toMatchObject({
		update: { next: "approve", taken: false },
		passedThrough: "no gate applies",
	});
	expect(eventsOf(result.writes)).toEqual(["turn-routed"]);
	expect(done).toEqual([]);
	await result.afterCommit?.();
	expect(done).toEqual(["write session"]);
});

test("the gate's report is a file before its records are stored", async () => {
	const { input, done } = scene({ facts: theFacts({ task: { gate: true } }), read: green });
	const { writes, passedThrough } = await policyGate(input);
	expect(done).toEqual(["gate report"]);
	expect(eventsOf(writes)).toEqual(["gate-evaluated", "turn-routed"]);
	expect(passedThrough).toBeUndefined();
});

test("a session that was changed during the turn is found before anything is written over it", async () => {
	const pair = { trouble: () => Promise.resolve("it was edited") };
	const { input, done } = scene({ facts: theFacts({ task: { gate: true } }), pair });
	expect(await policyGate(input)).toEqual({
		update: {
			next: "halt",
			trigger: "corrupt_session",
			reason: { kind: "session_corrupt", why: "it was edited" },
		},
	});
	expect(done).toEqual([]);
});

test("an approved subtask makes way for the next one", async () => {
	const subtask = { id: "core", index: 0, isLast: false };
	const { input } = scene({ facts: theFacts({ subtask }), read: green });
	const { update, writes } = await policyGate(input);
	expect(update).toMatchObject({ next: "feedback", round: 0, reviewed: "", bound: 7 });
	expect(eventsOf(writes)).toEqual(["subtask-completed", "turn-routed"]);
	expect(ofKind(writes, "task")).toMatchObject([{ patch: { subtask: 1, subtaskStart: 2 } }]);
});
