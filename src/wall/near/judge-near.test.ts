import { expect, test } from "vitest";
import { nearSuspicions } from "./judge-near.ts";

type Row = readonly [
	side: string,
	values: string,
	at: number,
	title: string,
	results: readonly string[] | null,
];

const ASKED = ["a.test.js"];

const suspected = (...rows: readonly Row[]) =>
	nearSuspicions(
		rows.map(([side, values, ...rest]) => {
			const row = JSON.stringify([side, values, "a.test.js", ...rest]);
			return { id: Buffer.from(row).toString("base64url") };
		}),
		ASKED,
	).map(({ rule, file, text }) => [rule, file, text]);

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

test("of a file the first difference is told, however far the run got", () => {
	const rows = [0, 1].flatMap((at): Row[] => [
		["base", "", at, `t${at}`, ["7"]],
		["product", "", at, `t${at}`, ["7"]],
		["base", NEAR, at, `t${at}`, ["73"]],
		["product", NEAR, at, `t${at}`, []],
		["base", "with fractions", at, `t${at}`, []],
		["product", "with fractions", at, `t${at}`, ["7.37"]],
	]);
	const told = [["differs_nearby", "a.test.js", `t0, ${NEAR}:\n- 73\n+ nothing`]];
	expect([suspected(...rows), suspected(...rows.slice(0, 4))]).toEqual([told, told]);
});

test("a call that never ends is a difference", () => {
	const was: Row = ["base", NEAR, 0, "steps", ["73"]];
	expect(suspected(...USUAL, was, ["product", NEAR, 0, "steps", null])).toEqual([
		["differs_nearby", "a.test.js", `steps, ${NEAR}:\n- 73\n+ no end`],
	]);
});

test("rows about other files and values, of which lines are many, say nothing", () => {
	const other = "with approval";
	expect(
		suspected(...USUAL, ["base", other, 0, "steps", ["73"]], ["product", other, 0, "steps", ["3"]]),
	).toEqual([]);
	expect(
		suspected(...USUAL, ["base", NEAR, 0, "a\nb", ["1"]], ["product", NEAR, 0, "a\nb", ["2\n3"]]),
	).toEqual([["differs_nearby", "a.test.js", `a b, ${NEAR}:\n- 1\n+ 2 3`]]);
});

test("a report that somebody else wrote says nothing", () => {
	const ids = ["works", "", Buffer.from("{}").toString("base64url"), Buffer.from("{").toString()];
	expect(
		nearSuspicions(
			ids.map((id) => ({ id })),
			ASKED,
		),
	).toEqual([]);
});
