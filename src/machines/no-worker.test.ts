import { describe, expect, test } from "vitest";
import type { HumanItem } from "../human/human-item.ts";
import { task } from "../store/record-builders.contract.ts";
import type { Write } from "../store/records.ts";
import { aloneAnswered, aloneWrites, type Wanted } from "./no-worker.ts";

const BEGAN = Date.parse("2026-11-23T10:00:00.000Z");
const since = new Date(BEGAN).toISOString();
const minutes = (count: number): number => BEGAN + count * 60_000;

function wanted(human: boolean, status: "pending" | "running" = "pending"): Wanted {
	const definition = {
		id: "limiter",
		description: "limit",
		acceptanceCriteria: ["it limits"],
		player: "p",
		human,
	};
	return { task: task({ status }), definition, tags: ["gpu"] };
}

/** What the writes make of the task, in order. */
const statuses = (writes: readonly Write[]) =>
	writes.flatMap((write) => (write.kind === "task" ? [write.patch.status] : []));

const itemIn = (writes: readonly Write[]): HumanItem | undefined =>
	writes.flatMap((write) => (write.kind === "item" ? [write.item] : []))[0];

describe("a task that is ready", () => {
	test("is noted once when no worker is there, and again when one came", () => {
		const alone = { since: null, now: BEGAN, served: false };
		expect(aloneWrites(wanted(true), alone)).toMatchObject([{ kind: "step", result: since }]);
		expect(aloneWrites(wanted(true), { ...alone, served: true })).toEqual([]);
		const back = { since, now: minutes(3), served: true };
		expect(aloneWrites(wanted(true), back)).toMatchObject([{ kind: "step", result: null }]);
	});

	test("becomes a question after 10 minutes, not before", () => {
		const before = { since, now: minutes(10) - 1, served: false };
		expect(aloneWrites(wanted(true), before)).toEqual([]);
		const writes = aloneWrites(wanted(true), { ...before, now: minutes(10) });
		expect(statuses(writes)).toEqual(["running", "paused_for_human"]);
		expect(itemIn(writes)).toMatchObject({
			trigger: "no_worker",
			choices: ["continue"],
			reason: "no worker with the tags gpu has been there for 10 minutes",
		});
		const begun = aloneWrites(wanted(true, "running"), { ...before, now: minutes(10) });
		expect(statuses(begun)).toEqual(["paused_for_human"]);
	});

	test("fails after 10 minutes where nobody is asked", () => {
		const writes = aloneWrites(wanted(false), { since, now: minutes(12), served: false });
		expect(statuses(writes)).toEqual(["running", "failed"]);
		expect(writes).toContainEqual(
			expect.objectContaining({
				patch: expect.objectContaining({
					flags: ["no_worker"],
					failureReason:
						"No machine can take the task: no worker with the tags gpu has been there for 12 minutes",
				}) as unknown,
			}),
		);
		expect(itemIn(writes)).toBeUndefined();
	});
});

describe("the answer to the question", () => {
	const asked = itemIn(aloneWrites(wanted(true), { since, now: minutes(10), served: false }));
	if (asked === undefined) throw new Error("nobody was asked");
	const answer = { directive: null, notes: null, reason: "no", answeredAt: since } as const;
	const paused = task({ status: "paused_for_human", humanItem: asked.id });

	test("lets the task wait for a worker again", () => {
		const item: HumanItem = {
			...asked,
			status: "RESOLVED",
			answer: { ...answer, choice: "continue" },
		};
		const writes = aloneAnswered(paused, item, minutes(11));
		expect(statuses(writes)).toEqual(["running"]);
		expect(writes[0]).toEqual({ kind: "item-consumed", itemId: asked.id });
		expect(writes[1]).toMatchObject({ patch: { phase: "initializing", humanItem: null } });
	});

	test("fails it with the reason that was given", () => {
		const item: HumanItem = {
			...asked,
			status: "REJECTED",
			answer: { ...answer, choice: "reject" },
		};
		const writes = aloneAnswered(paused, item, minutes(11));
		expect(statuses(writes)).toEqual(["running", "failed"]);
		expect(writes.at(-1)).toMatchObject({
			event: { type: "task-ended", data: { reason: "rejected by a person: no" } },
		});
	});
});
