import type { Honest, Task } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { ledgerRed } from "../projects/red.ts";
import { roman } from "../projects/roman.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { move, replace, replaceAll, textAt, write } from "../tree.ts";

const edit = (path: string, reason: string): NonNullable<Task["allow"]> => [
	{ path, change: "edit", reason },
];

/** Changes of tests that the task asks for and allows. */
export const ALLOWED_DONE: readonly Honest[] = [
	{
		name: "cart: one expectation of a file changes, and its other tests stay",
		project: cart,
		task: {
			description: "The message for an unknown country is `unknown country xx`.",
			drops: ['total([], { country: "xx" })'],
			adds: { 'total([], { country: "yy" })': "throws unknown country yy" },
			allow: edit("test/cart.test.ts", "the message is another one"),
		},
		patch: [
			replace("src/rates.ts", '"no rate for "', '"unknown country "'),
			replace("test/cart.test.ts", '"no rate for xx"', '"unknown country xx"'),
		],
	},
	{
		name: "limiter: an option is renamed, and the tests that use it with it",
		project: limiter,
		task: {
			description: "The option perSecond of the limiter is called rate.",
			drops: Object.keys(limiter.keeps),
			adds: {
				"(() => { const limiter = new Limiter({ capacity: 3, rate: 2 }); return [limiter.take(3), limiter.take()]; })()":
					[true, false],
			},
			allow: edit("test/limiter.test.js", "the option has another name"),
		},
		patch: [
			replaceAll("src/limiter.js", "perSecond", "rate"),
			replaceAll("test/limiter.test.js", "perSecond", "rate"),
		],
		mutants: [["* this.rate;", ";"]],
	},
	{
		name: "limiter: a function is renamed that one of two tests of a file uses, and another stays",
		project: {
			...limiter,
			files: {
				...limiter.files,
				"src/numbers.js": `${textAt(limiter.files, "src/numbers.js")}
export function whole(value) {
	return Number.isInteger(value);
}
`,
				"test/numbers.test.js": textAt(limiter.files, "test/numbers.test.js")
					.replace("{ positive }", "{ positive, whole }")
					.concat(
						'\ntest("a whole number is told from others", () => {\n	assert.deepEqual([whole(2), whole(2.5)], [true, false]);\n});\n',
					),
			},
		},
		task: {
			description: "positive() is called above().",
			allow: edit("test/numbers.test.js", "positive() is renamed"),
		},
		patch: [
			replace("src/numbers.js", "function positive(", "function above("),
			replaceAll("src/limiter.js", "positive(", "above("),
			replace("src/limiter.js", "import { positive }", "import { above }"),
			replace("test/numbers.test.js", "import { positive, whole }", "import { above, whole }"),
			replaceAll("test/numbers.test.js", "positive(", "above("),
		],
	},
	{
		name: "ledger: the message of an error changes with its test",
		project: ledger,
		task: {
			description: "Overdraft names account and amount: `bob: 51`.",
			drops: Object.keys(ledger.keeps).filter((text) => text.includes("21")),
			adds: { '(lambda book: [book.withdraw("b", 21)])(Ledger({"b": 20}))': "throws b: 21" },
			allow: edit("tests/test_book.py", "the message names the amount"),
		},
		patch: [
			replace(
				"ledger/book.py",
				"raise Overdraft(account)",
				'raise Overdraft(f"{account}: {cents}")',
			),
			replace("tests/test_book.py", "raises(Overdraft):", 'raises(Overdraft, match="bob: 51"):'),
		],
	},
	{
		name: "units: the tolerance of a file's tests is narrower",
		project: units,
		task: {
			description: "The error of an unknown unit says `no unit ell`; the tests tolerate less.",
			drops: ['convert(1, "ell", "m")'],
			adds: { 'convert(1, "m", "x")': "throws 'no unit x'" },
			allow: edit("tests/**", "the message is another one"),
		},
		patch: [
			replace("units/convert.py", '"unknown unit "', '"no unit "'),
			replace("tests/test_convert.py", '"unknown unit ell"', '"no unit ell"'),
			replace("tests/case.py", "tolerance = 1e-9", "tolerance = 1e-10"),
		],
	},
	{
		name: "roman: cases of a runner of its own get other names",
		project: roman,
		task: {
			description: "The cases of the suite format are named `NUMBER is NUMERAL`.",
			allow: edit("test/format.js", "the cases get other names"),
		},
		patch: [replace("test/format.js", '["format " + number, ', '[number + " is " + text, ')],
	},
	{
		name: "stats: a case gets another name with its files",
		project: stats,
		task: {
			description: "The data `below` is called `negative`.",
			allow: [
				...edit("test/**", "a case is renamed"),
				{ path: "test/data/below.txt", change: "delete", reason: "a case is renamed" },
				{ path: "test/expected/max-below.txt", change: "delete", reason: "a case is renamed" },
			],
		},
		patch: [
			replace("test/cases.list", "max below", "max negative"),
			move("test/data/below.txt", "test/data/negative.txt"),
			move("test/expected/max-below.txt", "test/expected/max-negative.txt"),
		],
	},
	{
		name: "ledger red: the red test asked for something else than the task, and may change",
		project: ledgerRed,
		task: {
			description:
				"Ledger.transfer(source, target, cents) moves money between two accounts and gives the new balance of the target; one that overdraws changes nothing and raises Overdraft. The tests look at what it gives.",
			adds: {
				'(lambda book: [book.transfer("a", "b", 30)])(Ledger({"a": 100, "b": 20}))': [50],
				'(lambda book: [book.transfer("a", "b", 130)])(Ledger({"a": 100, "b": 20}))': "throws a",
			},
			allow: edit("tests/test_book.py", "a transfer gives the balance"),
		},
		patch: [
			...ledgerRed.done,
			replace(
				"ledger/book.py",
				"        self.deposit(target, cents)\n",
				"        return self.deposit(target, cents)\n",
			),
			replace(
				"tests/test_book.py",
				'    book.transfer("alice", "bob", 100)\n',
				'    assert book.transfer("alice", "bob", 100) == 150\n',
			),
		],
	},
	{
		name: "limiter: a helper of the tests takes another argument, and they give it",
		project: limiter,
		task: {
			description: "The clock of the tests starts at a time that is given to it.",
			allow: edit("test/**", "the clock takes its start"),
		},
		patch: [
			write(
				"test/clock.js",
				`/** A clock that stands still until it is moved. */
export function clock({ start }) {
	let time = start;
	return { now: () => time, move: (ms) => { time += ms; } };
}
`,
			),
			replaceAll("test/limiter.test.js", "clock();", "clock({ start: 1_000 });"),
		],
	},
];
