import { expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { eventsOf, NO_SIDES, ofKind, scene, theFacts } from "../scene.contract.ts";
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

test("what would be approved is replayed first; a replay that fails sends the turn back", async () => {
	const stored = await green.evidence();
	const asked: unknown[] = [];
	const red = evidence({
		tree: "t-c2",
		check: "replay:tests",
		kind: "replay",
		status: "fail",
		reason: "1 of 1 tests of the base do not pass on this product",
	});
	const evidenceNow = () => Promise.resolve(asked.length === 0 ? stored : [...stored, red]);
	const { input } = scene({
		read: { evidence: evidenceNow },
		checks: {
			replayCold: (commit) => {
				asked.push(commit);
				return Promise.resolve([red]);
			},
		},
	});
	const { update, writes } = await policyGate(input);
	expect(asked).toEqual(["c2"]);
	expect(update).toMatchObject({ next: "feedback" });
	expect(ofKind(writes, "event")).toMatchObject([
		{ event: { type: "turn-routed", data: { route: "feedback" } } },
	]);
});

test("where the merge needs runs of its own they tell, unless a person signs off before", async () => {
	const asked: unknown[] = [];
	const gateOf = (task: { readonly requiresHuman?: boolean; readonly human?: boolean }) =>
		scene({
			facts: theFacts({ task }),
			read: green,
			checks: {
				replay: ({ commit, start, early }) => {
					asked.push({ commit, start, early });
					return Promise.resolve({ evidence: [], sides: NO_SIDES, holds: true });
				},
			},
		}).input;
	expect((await policyGate(gateOf({}))).update).toMatchObject({ next: "approve" });
	expect(asked).toEqual([]);
	await policyGate(gateOf({ requiresHuman: true, human: true }));
	expect(asked).toEqual([{ commit: "c2", start: "c0", early: false }]);
});

test("a replay that the environment spoilt stops for a person; one that is stored is not run again", async () => {
	const stored = await green.evidence();
	const spoilt = evidence({
		tree: "t-c2",
		check: "replay:tests",
		kind: "replay",
		status: "error",
		reason: "npm is missing",
		started: false,
	});
	const { input } = scene({
		read: green,
		checks: { replayCold: () => Promise.resolve([spoilt]) },
	});
	expect((await policyGate(input)).update).toMatchObject({ next: "halt", trigger: "environment" });
	const passed = evidence({ tree: "t-c2", check: "replay:tests", kind: "replay" });
	const again = scene({
		read: { evidence: () => Promise.resolve([...stored, passed]) },
		checks: { replayCold: () => Promise.reject(new Error("asked again")) },
	});
	expect((await policyGate(again.input)).update).toMatchObject({ next: "approve" });
});
