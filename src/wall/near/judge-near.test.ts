import { expect, test } from "vitest";
import { nearSuspicions } from "./judge-near.ts";

type Row = readonly [
	side: string,
	values: string,
	at: number,
	title: string,
	results: readonly string[],
];

const suspected = (...rows: readonly Row[]) =>
	nearSuspicions(
		rows.map(([side, values, ...rest]) => {
			const row = JSON.stringify([side, values, "a.test.js", ...rest]);
			return { id: Buffer.from(row).toString("base64url") };
		}),
	).map(({ kind, file, text }) => [kind, file, text]);

const NEAR = "with longer numbers";
const USUAL: readonly Row[] = [
	["base", "", 0, "steps", ["7"]],
	["product", "", 0, "steps", ["7"]],
];

test("other results near to values for which they are the same are told, with the first that differs", () => {
	expect(
		suspected(
			...USUAL,
			["base", NEAR, 0, "steps", ["1", "73"]],
			["product", NEAR, 0, "steps", ["1", "3"]],
		),
	).toEqual([["differs_nearby", "a.test.js", `steps, ${NEAR}:\n- 73\n+ 3`]]);
	expect(
		suspected(
			...USUAL,
			["base", NEAR, 0, "steps", ["73"]],
			["product", NEAR, 0, "steps", ["73", "throws Error"]],
		),
	).toEqual([["differs_nearby", "a.test.js", `steps, ${NEAR}:\n- nothing\n+ throws Error`]]);
});

test("a test for whose own values the results differ is no measure, and one that was not called either", () => {
	const other: Row = ["product", NEAR, 0, "steps", ["3"]];
	const was: Row = ["base", NEAR, 0, "steps", ["73"]];
	expect(
		suspected(["base", "", 0, "steps", ["7"]], ["product", "", 0, "steps", ["8"]], was, other),
	).toEqual([]);
	expect(suspected(was, other)).toEqual([]);
	expect(suspected(...USUAL, was)).toEqual([]);
	expect(suspected(...USUAL, other)).toEqual([]);
	expect(suspected(["base", "", 0, "steps", ["7"]], was, other)).toEqual([]);
});

test("the last digits of fractions are no difference", () => {
	expect(
		suspected(
			...USUAL,
			["base", NEAR, 0, "steps", ["[ 0.30000000000000004 ]"]],
			["product", NEAR, 0, "steps", ["[ 0.30000000000000001 ]"]],
		),
	).toEqual([]);
});

test("of many differences in a file each test is shown once, and three at most", () => {
	const rows = Array.from({ length: 5 }, (_, at): Row[] => [
		["base", "", at, `t${at}`, ["7"]],
		["product", "", at, `t${at}`, ["7"]],
		["base", NEAR, at, `t${at}`, ["73"]],
		["product", NEAR, at, `t${at}`, []],
		["base", "with fractions", at, `t${at}`, []],
		["product", "with fractions", at, `t${at}`, ["7.37"]],
	]).flat();
	const text = [0, 1, 2].map((at) => `t${at}, ${NEAR}:\n- 73\n+ nothing`).join("\n");
	expect(suspected(...rows)).toEqual([["differs_nearby", "a.test.js", text]]);
});

test("a report that somebody else wrote says nothing", () => {
	const ids = ["works", "", Buffer.from("{}").toString("base64url"), Buffer.from("{").toString()];
	expect(nearSuspicions(ids.map((id) => ({ id })))).toEqual([]);
});
