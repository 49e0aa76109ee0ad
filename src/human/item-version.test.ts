import { expect, test } from "vitest";
import { anItem } from "./item-builder.contract.ts";
import { itemVersion } from "./item-version.ts";

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
