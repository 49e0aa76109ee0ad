import { expect, test } from "vitest";
import { asked, itemVersion, sameCause, spokesItem } from "./human-item.ts";
import { anItem } from "./item-builder.contract.ts";

const STAND = { commit: "c1", turns: 2, status: "paused_for_human" } as const;

test("a version is the same for the same question on the same work", () => {
	expect(itemVersion(anItem(), STAND)).toMatch(/^[0-9a-f]{32}$/);
	expect(itemVersion(anItem(), STAND)).toBe(itemVersion(anItem(), { ...STAND }));
});

test("neither an acknowledgement nor an answer changes it", () => {
	const answer = {
		...({ choice: "take_developer", directive: null, notes: null, reason: null } as const),
		answeredAt: "2026-11-22T05:00:00.000Z",
	};
	const parts = { F1: answer };
	const version = itemVersion(anItem(), STAND);
	expect(itemVersion(anItem({ status: "ACKED" }), STAND)).toBe(version);
	expect(itemVersion(anItem({ status: "RESOLVED", answer, parts, consumed: true }), STAND)).toBe(
		version,
	);
});

test("whatever is shown changes it, and so does the work", () => {
	const versions = [
		itemVersion(anItem(), STAND),
		itemVersion(anItem({ id: "h2" }), STAND),
		itemVersion(anItem({ reason: "another" }), STAND),
		itemVersion(anItem({ trigger: "escalation" }), STAND),
		itemVersion(anItem({ choices: ["continue"] }), STAND),
		itemVersion(anItem({ context: { turns: 3 } }), STAND),
		itemVersion(anItem(), { ...STAND, commit: "c2" }),
		itemVersion(anItem(), { ...STAND, commit: null }),
		itemVersion(anItem(), { ...STAND, turns: 3 }),
		itemVersion(anItem(), { ...STAND, status: "cancelled" }),
	];
	expect(new Set(versions).size).toBe(versions.length);
});

const quota = (id: string, agent: string | null, createdAt = "2026-11-25T05:00:00.000Z") =>
	anItem({
		id,
		createdAt,
		trigger: "quota",
		context: { quota: agent === null ? null : { agent, resets_at: null } },
	});

const ANSWER = {
	...({ choice: "continue", directive: null, notes: null, reason: null } as const),
	answeredAt: "2026-11-25T06:00:00.000Z",
};

test("the items that wait for one account are asked as the first of them", () => {
	const [b, a] = [quota("b", "dev"), quota("a", "dev")];
	const early = quota("c", "dev", "2026-11-25T04:00:00.000Z");
	expect(asked([b, a, early])).toEqual([early]);
	expect(asked([b, a])).toEqual([a]);
	expect(asked([a, b])).toEqual([a]);
	expect(spokesItem(b, [b, a, early])).toBe(early);
	expect(sameCause(a, [b, a, early])).toEqual([b, a, early]);
});

test("an item of another agent, of no agent, of another trigger or with an answer stands for itself", () => {
	const dev = quota("a", "dev");
	const others = [
		quota("b", "coach"),
		quota("c", null),
		anItem({ id: "d", trigger: "sign_off" }),
		{ ...quota("e", "dev"), answer: ANSWER },
	];
	expect(asked([dev, ...others])).toEqual([dev, ...others]);
	for (const other of others) expect(sameCause(other, [dev, ...others])).toEqual([other]);
});
