import { expect, test } from "vitest";
import { task } from "../../store/record-builders.contract.ts";
import { scene, theFacts } from "../scene.contract.ts";
import { finalizeEscalation, finalizeFailure, finalizeSuccess } from "./finalize.ts";

const merged = { task: () => Promise.resolve(task({ merged: true })) };

test("success is stored with whether the work merged, and the session's files catch up", async () => {
	const { input, done } = scene({ read: merged });
	const { writes, afterCommit } = await finalizeSuccess(input);
	expect(writes).toMatchObject([
		{ patch: { status: "completed", success: true, failureReason: null, flags: [] } },
		{ event: { type: "task-ended", data: { status: "completed", merged: true, turns: 2 } } },
	]);
	await afterCommit?.();
	expect(done).toEqual(["catch up"]);
});

test("a task that nothing tested is flagged, also where the workflow declines the gate", async () => {
	const none = { workflow: { checks: [] } };
	const { writes } = await finalizeSuccess(scene({ facts: theFacts(none) }).input);
	expect(writes?.[0]).toMatchObject({ patch: { flags: ["unchecked"] } });
	const declined = theFacts({ ...none, task: { gateDeclined: true } });
	const other = await finalizeSuccess(scene({ facts: declined }).input);
	expect(other.writes?.[0]).toMatchObject({ patch: { flags: ["unchecked"] } });
	const tested = await finalizeSuccess(scene().input);
	expect(tested.writes?.[0]).toMatchObject({ patch: { flags: [] } });
});

const reason = { kind: "max_turns", bound: 2 } as const;

test("a failure names its reason in words, with the trigger as its flag", async () => {
	const state = { next: "max_turns", trigger: "loop_exhausted" as const, reason };
	const facts = theFacts({ task: { pair: { challenger: "eve" } } });
	const { writes } = await finalizeFailure(scene({ facts, state }).input);
	expect(writes?.[0]).toMatchObject({
		patch: {
			status: "failed",
			failureReason: "Max turns (2) reached without approval",
			flags: ["loop_exhausted", "max_iterations_exceeded"],
		},
	});
});

test("a rejection is a person's word and has no flag", async () => {
	const said = { kind: "rejected", why: "wrong way" } as const;
	const state = { next: "reject", trigger: "conflict" as const, reason: said };
	const { writes } = await finalizeFailure(scene({ state }).input);
	expect(writes?.[0]).toMatchObject({
		patch: { failureReason: "rejected by a person: wrong way", flags: [] },
	});
});

test("a question is stored with its choices and where the diff is, before anybody is told", async () => {
	const state = { trigger: "loop_exhausted" as const, reason, items: 1 };
	const { update, writes } = await finalizeEscalation(scene({ state }).input);
	expect(update).toEqual({ next: "go", itemId: "h1", items: 2 });
	expect(writes).toMatchObject([
		{
			kind: "item",
			item: {
				id: "h1",
				status: "PENDING",
				choices: ["take_developer", "take_reviewer", "directive"],
				context: { diff_path: ".sparring/turn-2.patch", turns: 2, bound: 5 },
			},
		},
		{ patch: { status: "paused_for_human", humanItem: "h1" } },
		{ event: { type: "item-opened", data: { reason: "Max turns (2) reached without approval" } } },
	]);
});

test("conflicts stand in the event as a value beside their words", async () => {
	const conflicts = {
		kind: "conflicts",
		conflicts: [{ finding: "F1", attempt: 3, why: "enough" }],
		critical: [],
	} as const;
	const state = { trigger: "conflict" as const, reason: conflicts };
	const { writes } = await finalizeEscalation(scene({ state }).input);
	expect(writes?.at(-1)).toMatchObject({
		event: { data: { reason: "Conflict about F1 (attempt 3): enough", conflicts } },
	});
});

test("a stop without a reason is a bug", async () => {
	await expect(finalizeEscalation(scene().input)).rejects.toThrow("nobody said why");
});
