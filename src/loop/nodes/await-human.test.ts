import { expect, test } from "vitest";
import type { Answer, HumanItem } from "../../human/human-item.ts";
import type { ItemPart } from "../../human/item-builder.contract.ts";
import type { Finding } from "../../review/finding.ts";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import { answer, item } from "../../store/record-builders.contract.ts";
import { eventsOf, ofKind, scene } from "../scene.contract.ts";
import { answered } from "./await-human.ts";

const asked = (part: ItemPart, said: Partial<Answer>) =>
	item({ id: "h1", status: "RESOLVED", answer: answer(said), ...part });

/** What the answer does in turn 2 of 2. */
async function after(given: HumanItem, parts: NonNullable<Parameters<typeof scene>[0]> = {}) {
	const state = { bound: 2, itemId: "h1", critical: true, ...parts.state };
	const read = { item: () => Promise.resolve(given), ...parts.read };
	const made = scene({ ...parts, state, read });
	return { ...made, result: await answered(made.input, "h1") };
}

test("a yes goes on where the task stopped, and the agents are no longer out of order", async () => {
	const { result, done } = await after(asked({ trigger: "sign_off" }, { choice: "continue" }));
	expect(result.update).toEqual({ next: "resume", critical: true, itemId: null });
	expect(done).toEqual(["forget"]);
	expect(result.writes).toMatchObject([
		{ kind: "item-consumed", itemId: "h1" },
		{ patch: { status: "running", humanItem: null } },
		{ kind: "turn", turn: { turn: 2, restarted: true } },
		{ kind: "score-outcome", patch: { human: "accepted" } },
	]);
});

const SIDES = ["take_developer", "take_reviewer", "directive"] as const;

test("a side or a directive grants one more turn at the limit, but taking the output needs none", async () => {
	const exhausted = { trigger: "loop_exhausted", choices: SIDES } as const;
	const of = async (choice: Answer["choice"]) =>
		(await after(asked(exhausted, { choice }))).result.update;
	expect(await of("take_developer")).toMatchObject({ next: "take", taken: true, bound: 2 });
	expect(await of("take_reviewer")).toMatchObject({ next: "rework", bound: 3 });
	expect(await of("directive")).toMatchObject({ next: "rework", bound: 3, directive: "h1" });
});

test("a rejection says why", async () => {
	const { result } = await after(
		asked({ status: "REJECTED" }, { choice: "reject", reason: "wrong way" }),
	);
	expect(result.update).toMatchObject({
		next: "reject",
		reason: { kind: "rejected", why: "wrong way" },
	});
});

test("a rebuilt session is stored and then written; another answer leaves it as it is", async () => {
	const rebuilt = () => Promise.resolve([{ kind: "item-consumed", itemId: "session" } as const]);
	const damaged = asked({ trigger: "corrupt_session" }, { choice: "continue" });
	const { result, done } = await after(damaged, { pair: { rebuilt } });
	expect(result.writes?.at(-1)).toMatchObject({ itemId: "session" });
	await result.afterCommit?.();
	expect(done).toContain("write session");
	const other = await after(asked({ trigger: "budget" }, { choice: "continue" }), {
		pair: { rebuilt },
	});
	expect(other.result.afterCommit).toBeUndefined();
});

/** What comes of a person's side on the conflict about F1, beside the other open findings. */
function sideTaken(choice: "take_developer" | "take_reviewer", ...others: readonly Finding[]) {
	const part = { choice, directive: null, notes: "so it is", answeredAt: "t" };
	const conflict = asked(
		{
			trigger: "conflict",
			choices: SIDES,
			context: { conflicts: [{ finding: "F1" }] },
			parts: { F1: part },
		},
		{ choice },
	);
	const open = [aFinding(), ...others];
	return after(conflict, {
		read: { open: () => Promise.resolve(open), findings: () => Promise.resolve(open) },
	});
}

test("an answer by finding overrules that finding, and what else blocks goes back to the player", async () => {
	const { result } = await sideTaken("take_developer", aFinding({ id: "F2" }));
	expect(result.update).toMatchObject({ next: "take", taken: false, bound: 3, critical: false });
	expect(eventsOf(result.writes)).toEqual(["finding-changed", "turn-judged"]);
	expect(ofKind(result.writes, "finding")).toMatchObject([
		{ finding: { id: "F1", state: "overruled" } },
	]);
});

test("an answer for the reviewer binds the player for good: it stays open, ruled against", async () => {
	const { result } = await sideTaken("take_reviewer");
	expect(eventsOf(result.writes)).toEqual(["finding-changed"]);
	const ruling = { by: "person", decision: "FAIL", rationale: "so it is" };
	expect(ofKind(result.writes, "finding")).toMatchObject([
		{ finding: { id: "F1", state: "open", ruling } },
	]);
});

test("an item without an answer is a bug", async () => {
	await expect(after(item({ answer: null }))).rejects.toThrow("resumed without an answer");
});

const FAILED_TEST = aFinding({ id: "F1", source: "verification", test: "works" });
const COACHS = aFinding({ id: "F2" });
const testsFailed = { trigger: "verification", choices: SIDES } as const;
const openTests = { read: { open: () => Promise.resolve([FAILED_TEST, COACHS]) } };

test("taking the work against a verifier's tests withdraws those, and goes back to where they run", async () => {
	const given = asked(testsFailed, { choice: "take_developer", notes: "too strict" });
	const { result } = await after(given, openTests);
	expect(result.update).toMatchObject({ next: "resume" });
	expect(result.update).not.toHaveProperty("taken");
	expect(ofKind(result.writes, "finding")).toMatchObject([
		{
			finding: {
				id: "F1",
				state: "overruled",
				ruling: { by: "person", decision: "PASS", rationale: "too strict" },
			},
		},
	]);
});

test("taking the tests binds the player, which can dispute them no more, in one more turn", async () => {
	const { result } = await after(asked(testsFailed, { choice: "take_reviewer" }), openTests);
	expect(result.update).toMatchObject({ next: "rework", bound: 3 });
	expect(ofKind(result.writes, "finding")).toMatchObject([
		{ finding: { id: "F1", state: "open", ruling: { by: "person", decision: "FAIL" } } },
	]);
});

test("a directive leaves the tests as they are: it makes a new specification", async () => {
	const { result } = await after(asked(testsFailed, { choice: "directive" }), openTests);
	expect(result.update).toMatchObject({ next: "rework", bound: 3, directive: "h1" });
	expect(ofKind(result.writes, "finding")).toEqual([]);
});
