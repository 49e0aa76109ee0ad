import type { Honest } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { units } from "../projects/units.ts";
import { move, prepend, remove, replace, replaceAll, textAt, write } from "../tree.ts";

const EUROS = `function euros(cents: number): string {
	return (cents / 100).toFixed(2) + " EUR";
}
`;

/** The product's files change their shape; what it does stays. */
export const PRODUCT_RESHAPED: readonly Honest[] = [
	{
		name: "limiter: a module of the product and its test file get another name",
		project: limiter,
		task: {
			description: "Rename numbers.js to checks.js, its test file too.",
			allow: [{ path: "test/numbers.test.js", change: "rename", reason: "its subject is renamed" }],
		},
		patch: [
			move("src/numbers.js", "src/checks.js"),
			move("test/numbers.test.js", "test/checks.test.js"),
			replace("src/limiter.js", "./numbers.js", "./checks.js"),
			replace("test/checks.test.js", "numbers.js", "checks.js"),
		],
	},
	{
		name: "limiter: the product moves, and the tests import it from there",
		project: limiter,
		task: {
			description: "Move the sources from src to lib.",
			allow: [{ path: "test/*.test.js", change: "edit", reason: "the tests import from lib" }],
		},
		probe: { by: "node", module: "lib/limiter.js" },
		patch: [
			move("src/limiter.js", "lib/limiter.js"),
			move("src/numbers.js", "lib/numbers.js"),
			replace("test/limiter.test.js", "../src/", "../lib/"),
			replace("test/numbers.test.js", "../src/", "../lib/"),
		],
	},
	{
		name: "limiter: a private function of its own",
		project: limiter,
		task: { description: "Give the computation of fresh tokens a function of its own." },
		patch: [
			replace(
				"src/limiter.js",
				"		const fresh = ((now - this.#at) / 1000) * this.perSecond;\n",
				"		const fresh = tokensIn(now - this.#at, this.perSecond);\n",
			),
			replace(
				"src/limiter.js",
				"/** A token bucket. */",
				"function tokensIn(ms, perSecond) {\n	return (ms / 1000) * perSecond;\n}\n\n/** A token bucket. */",
			),
		],
	},
	{
		name: "slug: a module moves into a folder",
		project: slug,
		task: { description: "Put fold.ts into src/text." },
		patch: [
			move("src/fold.ts", "src/text/fold.ts"),
			replace("src/slug.ts", "./fold.ts", "./text/fold.ts"),
		],
	},
	{
		name: "cart: money has a module of its own",
		project: cart,
		task: { description: "Extract euros() into src/money.ts." },
		patch: [
			replace("src/cart.ts", `\n${EUROS}`, ""),
			prepend("src/cart.ts", 'import { euros } from "./money.ts";\n'),
			write("src/money.ts", `/** An amount for a reader. */\nexport ${EUROS}`),
		],
	},
	{
		name: "roman: the table of signs has a module of its own",
		project: roman,
		task: { description: "Put the signs into src/signs.js." },
		patch: [
			(tree) => {
				const text = textAt(tree, "src/roman.js");
				const end = text.indexOf("];\n") + 3;
				return {
					...tree,
					"src/signs.js": `export ${text.slice(0, end)}`,
					"src/roman.js": `import { SIGNS } from "./signs.js";\n${text.slice(end)}`,
				};
			},
		],
	},
	{
		name: "ledger: errors have a module of their own",
		project: ledger,
		task: { description: "Put Overdraft into ledger/errors.py." },
		patch: [
			replace(
				"ledger/book.py",
				"class Overdraft(Exception):\n    pass\n",
				"from ledger.errors import Overdraft\n",
			),
			write("ledger/errors.py", "class Overdraft(Exception):\n    pass\n"),
		],
	},
	{
		name: "units: the factors have a module of their own",
		project: units,
		task: { description: "Put the factors into units/factors.py." },
		patch: [
			replace(
				"units/convert.py",
				'FACTORS = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048}\n',
				"from units.factors import FACTORS\n",
			),
			write(
				"units/factors.py",
				'"""Metres of each unit."""\n\nFACTORS = {"m": 1.0, "km": 1000.0, "mi": 1609.344, "ft": 0.3048}\n',
			),
		],
	},
	{
		name: "stats: verbs are one file each",
		project: stats,
		task: { description: "One file a verb, below lib/verbs." },
		patch: [
			...textAt(stats.files, "lib/verbs.sh")
				.trim()
				.split("\n")
				.map((line) => write(`lib/verbs/${line.slice(0, line.indexOf("("))}.sh`, `${line}\n`)),
			remove("lib/verbs.sh"),
			replace("bin/stats.sh", '. "$(dirname "$0")/../lib/verbs.sh"\n', ""),
			replace(
				"bin/stats.sh",
				'count | sum | mean | max) "$verb" ;;',
				'count | sum | mean | max)\n	. "$(dirname "$0")/../lib/verbs/$verb.sh"\n	"$verb"\n	;;',
			),
		],
	},
	{
		name: "units: a parameter gets another name",
		project: units,
		task: { description: "Call the parameters of convert() value, unit and other." },
		patch: [
			replaceAll("units/convert.py", "source", "unit"),
			replaceAll("units/convert.py", "target", "other"),
		],
		mutants: [["* FACTORS[unit]", "* FACTORS[other]"]],
	},
];
