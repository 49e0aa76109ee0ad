import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { slug } from "../projects/slug.ts";
import { units } from "../projects/units.ts";
import { replace } from "../tree.ts";

/** Changes of behaviour with their tests that a task of one line asks for, and that it allows in no list. */
export const ASKED_DONE: readonly Honest[] = [
	{
		name: "slug: the default of an argument is another one, in one line of the task",
		project: {
			...slug,
			files: {
				...slug.files,
				"src/first.ts": `/** The first letters of a text. */
export function first(text: string, count = 3): string {
	return text.slice(0, count);
}
`,
				"test/first.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { first } from "../src/first.ts";

test("the first letters are three, or as many as are asked for", () => {
	assert.equal(first("incomprehensible"), "inc");
	assert.equal(first("incomprehensible", 5), "incom");
});
`,
			},
		},
		task: { description: "first() gives four letters by default, not three." },
		quotes: "first() gives four letters by default",
		patch: [
			replace("src/first.ts", "count = 3", "count = 4"),
			replace("test/first.test.ts", "letters are three", "letters are four"),
			replace("test/first.test.ts", '"inc")', '"inco")'),
		],
		mutants: [],
	},
	{
		name: "cart: a message is another one, in one line of the task",
		project: cart,
		task: {
			description: "The message for an unknown country is `unknown country xx`.",
			drops: ['total([], { country: "xx" })'],
			adds: { 'total([], { country: "yy" })': "throws unknown country yy" },
		},
		quotes: "message for an unknown country is `unknown country xx`",
		patch: [
			replace("src/rates.ts", '"no rate for "', '"unknown country "'),
			replace("test/cart.test.ts", '"no rate for xx"', '"unknown country xx"'),
		],
	},
	{
		name: "ledger: amounts are shown otherwise, in one line of the task",
		project: ledger,
		task: {
			description: "show_cents puts the minus behind the amount: `0.50-`.",
			drops: Object.keys(ledger.keeps).filter((text) => /show_cents\(-/.test(text)),
			adds: { "show_cents(-1205)": "12.05-" },
		},
		quotes: "show_cents puts the minus behind the amount",
		patch: [
			replace(
				"ledger/money.py",
				`    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"`,
				`    sign = "-" if cents < 0 else ""
    return f"{abs(cents) // 100}.{abs(cents) % 100:02}{sign}"`,
			),
			replace("tests/test_money.py", '"-0.50"', '"0.50-"'),
		],
	},
	{
		name: "units: the words of an error are others, in one line of the task",
		project: units,
		task: {
			description: "The error of an unknown unit says `no unit ell`.",
			drops: ['convert(1, "ell", "m")'],
			adds: { 'convert(1, "m", "x")': "throws 'no unit x'" },
		},
		quotes: "The error of an unknown unit says `no unit ell`",
		patch: [
			replace("units/convert.py", '"unknown unit "', '"no unit "'),
			replace("tests/test_convert.py", '"unknown unit ell"', '"no unit ell"'),
		],
	},
];
