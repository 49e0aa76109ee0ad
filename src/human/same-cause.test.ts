import { expect, test } from "vitest";
import { anItem } from "./item-builder.contract.ts";
import { asked, sameCause, spokesItem } from "./same-cause.ts";

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
