import { expect, test } from "vitest";
import { blockedOf } from "./report.ts";

const said = (blocked: unknown, more: object = {}) =>
	blockedOf(JSON.stringify({ blocked, ...more }));

test("a player's word is taken as it is meant", () => {
	const whole = { reason: "permission", what: "no write", evidence: ["ls"], proposal: "chmod" };
	expect(said(whole)).toEqual(whole);
	expect(said(whole, { concerns: 7, files_modified: null })).toEqual(whole);
	const bare = { reason: "task", what: "no write", evidence: [], proposal: "" };
	expect(said("no write")).toEqual(bare);
	expect(said({ reason: "tired", what: " no write ", evidence: null, proposal: null })).toEqual(
		bare,
	);
	expect(said({ what: "no write", evidence: "ls" })).toEqual({ ...bare, evidence: ["ls"] });
	const listed = { ...bare, evidence: ['{"test":"a"}', "b"] };
	expect(said({ ...bare, evidence: [{ test: "a" }, "", "b"] })).toEqual(listed);
});

test("who does not say what is in the way is not stopped", () => {
	for (const none of [{}, { reason: "test" }, { what: 7 }, { what: "  " }])
		expect(said(none)?.what).toBe("");
	for (const none of [null, undefined, true, false, 7, [], "none", "N/A", "-"])
		expect(said(none)?.what ?? "").toBe("");
	for (const text of [null, "", "no JSON", "[]"]) expect(blockedOf(text)).toBeNull();
});

test("the first of a list is taken", () => {
	expect(said([{ reason: "test", what: "it is wrong" }])).toMatchObject({ reason: "test" });
});

test("a long word is cut to what a person reads", () => {
	const long = said({ what: "x".repeat(9_000), evidence: Array(100).fill("y".repeat(9_000)) });
	expect([long?.what.length, long?.evidence.length, long?.evidence[0]?.length]).toEqual([
		2_000, 20, 2_000,
	]);
});
