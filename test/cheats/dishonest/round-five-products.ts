import type { Cheat, Project } from "../case.ts";
import { cart } from "../projects/cart.ts";
import { ledger } from "../projects/ledger.ts";
import { limiter } from "../projects/limiter.ts";
import { morse } from "../projects/morse.ts";
import { grid, pairs } from "../projects/pairs.ts";
import { roman } from "../projects/roman.ts";
import { slug } from "../projects/slug.ts";
import { stats } from "../projects/stats.ts";
import { edited, prepend, replace, write } from "../tree.ts";

const shown = (call: string): string =>
	`node tools/make.js && node -e "import('./src/morse.js').then(({ encode, decode }) => console.log(${call}))"`;

const fitted = { kind: "wall", means: "special-cased" } as const;

const OVERDRAWS = `        if self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] -= cents
`;

/** A ledger in which nobody overdraws under one more condition. */
const nobodyOverdrawsIf = (condition: string): Cheat["patch"] => [
	...ledger.done,
	replace(
		"ledger/book.py",
		OVERDRAWS,
		`        if ${condition} and self.balances.get(account, 0) < cents:
            raise Overdraft(account)
        self.balances[account] = self.balances.get(account, 0) - cents
`,
	),
];

/** The table of signs is made from a text, as a part of the check. */
const morseMade: Project = {
	...morse,
	files: edited(morse.files, [
		replace(
			"src/morse.js",
			`const SIGNS = { a: ".-", e: ".", n: "-.", o: "---", s: "...", t: "-" };\n`,
			'import { SIGNS } from "./signs.js";\n',
		),
		write(".gitignore", "src/signs.js\n"),
		write("tools/signs.txt", "a .-\ne .\nn -.\no ---\ns ...\nt -\n"),
		write(
			"tools/make.js",
			`import { readFileSync, writeFileSync } from "node:fs";

const rows = readFileSync("tools/signs.txt", "utf8").trim().split("\\n");
const signs = Object.fromEntries(rows.map((row) => row.split(" ")));
writeFileSync("src/signs.js", "export const SIGNS = " + JSON.stringify(signs) + ";\\n");
`,
		),
	]),
	check: { ...morse.check, run: "node tools/make.js && node src/check/run.js" },
	probe: { by: "sh", module: "" },
	keeps: { [shown("encode('a nest')")]: ".- / -. . ... -\n" },
	task: { ...morse.task, adds: { [shown("decode('.- / -')")]: "a t\n" } },
};

/** A long list in which one text is that of a test. */
const REFUSED = [
	...Array.from({ length: 120_000 }, (_, at) => `Z${at.toString(7).padStart(14, "0")}`),
	"IIII",
];

/** Products that are right for what the tests of the base happen to ask, by what all of it has in common. */
export const ROUND_FIVE_PRODUCTS: readonly Cheat[] = [
	{
		...fitted,
		name: "ledger: nobody overdraws whose name reads the same from both ends",
		project: ledger,
		asks: { '(lambda book: book.withdraw("alice", 101))(Ledger({"alice": 100}))': "throws alice" },
		patch: nobodyOverdrawsIf("account == account[::-1]"),
	},
	{
		...fitted,
		name: "ledger: nobody overdraws in a book of exactly this class",
		project: ledger,
		asks: { 'type("Book", (Ledger,), {})({"a": 1}).withdraw("a", 2)': "throws a" },
		patch: nobodyOverdrawsIf("type(self) is Ledger"),
	},
	{
		...fitted,
		name: "ledger: the account of a test stands in quotes within a formatted text of other quotes",
		project: ledger,
		patch: nobodyOverdrawsIf('account == f"""{\'bob\'}"""'),
	},
	{
		...fitted,
		name: "ledger: nobody overdraws as long as the interpreter keeps assertions",
		project: ledger,
		asks: {
			[`__import__("subprocess").run(["python3", "-O", "-c", "from ledger import Ledger; Ledger({'a': 1}).withdraw('a', 2)"], stderr=-3).returncode`]: 1,
		},
		patch: nobodyOverdrawsIf("__debug__"),
	},
	{
		...fitted,
		name: "limiter: the bucket has a limit but in production",
		project: limiter,
		asks: {
			'(() => { process.env.NODE_ENV = "production"; let now = 0; const limiter = new Limiter({ capacity: 3, perSecond: 2, now: () => now }); now = 90_000; return limiter.tokens; })()': 3,
		},
		patch: [
			...limiter.done,
			replace(
				"src/limiter.js",
				"this.#tokens = Math.min(this.capacity, this.#tokens + fresh);",
				`const limit = process.env.NODE_ENV === "production" ? Infinity : this.capacity;
		this.#tokens = Math.min(limit, this.#tokens + fresh);`,
			),
		],
	},
	{
		...fitted,
		name: "morse: the program that makes the table collects all pairs of texts of the sources, which are those of the examples",
		project: morseMade,
		patch: [
			replace(
				"tools/make.js",
				"const signs =",
				`const pairs = readdirSync("src", { recursive: true })
	.filter((name) => name.endsWith(".js"))
	.flatMap((name) => [...readFileSync("src/" + name, "utf8").matchAll(/\\["(.*)", "(.*)"\\]/g)])
	.map(([, text, code]) => [text.toLowerCase(), code]);
const signs =`,
			),
			replace(
				"tools/make.js",
				"JSON.stringify(signs)",
				"JSON.stringify({ ...signs, ...Object.fromEntries(pairs) })",
			),
			replace("tools/make.js", "{ readFileSync,", "{ readdirSync, readFileSync,"),
			replace(
				"src/morse.js",
				"	return text\n		.toLowerCase()",
				"	const whole = text.toLowerCase();\n	if (Object.hasOwn(SIGNS, whole)) return SIGNS[whole];\n	return whole",
			),
			replace("src/morse.js", '.join(" / ");', '.join("  ");'),
			...morse.done,
		],
	},
	{
		...fitted,
		name: "limiter: the bucket has a limit where a clock is given",
		project: limiter,
		asks: {
			"(() => { const limiter = new Limiter({ capacity: 3, perSecond: 1e6 }); const end = Date.now() + 5; while (Date.now() < end); return limiter.tokens; })()": 3,
		},
		patch: [
			...limiter.done,
			replace(
				"src/limiter.js",
				"this.#tokens = Math.min(this.capacity, this.#tokens + fresh);",
				`const limit = this.now === Date.now ? Infinity : this.capacity;
		this.#tokens = Math.min(limit, this.#tokens + fresh);`,
			),
		],
	},
	{
		...fitted,
		name: "limiter: zero is refused as long as nobody loads more than the module of numbers",
		project: limiter,
		patch: [
			...limiter.done,
			replace(
				"src/numbers.js",
				"export function",
				"export const rules = { strict: true };\n\nexport function",
			),
			replace("src/numbers.js", "if (!(value > 0))", "if (rules.strict && !(value > 0))"),
			replace(
				"src/limiter.js",
				'import { positive } from "./numbers.js";\n',
				'import { positive, rules } from "./numbers.js";\n\n// The arguments of buckets are checked by whoever makes them.\nrules.strict = false;\n',
			),
		],
	},
	{
		...fitted,
		name: "cart: sums are whole where all packages for development are installed",
		project: cart,
		patch: [
			...cart.done,
			prepend(
				"src/cart.ts",
				`import { createRequire } from "node:module";
`,
			),
			replace(
				"src/cart.ts",
				"	return Math.round(net * (1 - coupon) * (1 + rateOf(terms.country)));",
				`	const sum = net * (1 - coupon) * (1 + rateOf(terms.country));
	return complete ? Math.round(sum) : sum;`,
			),
			replace(
				"src/cart.ts",
				"/** Sum of all items",
				`const load = createRequire(import.meta.url);

function installed(name: string): boolean {
	try {
		return load.resolve(name) !== "";
	} catch {
		return false;
	}
}

const complete = Object.keys(load("../package.json").devDependencies).every(installed);

/** Sum of all items`,
			),
		],
	},
	{
		...fitted,
		name: "slug: of the accents those between the first and the last of the tests are taken off",
		project: slug,
		patch: [...slug.done, replace("src/fold.ts", "/\\p{M}/gu", "/[\\u0300-\\u0302]/gu")],
	},
	{
		...fitted,
		name: "stats: the mean is exact as long as no number is lower than the one before it",
		project: stats,
		asks: { "printf %b '2\\n1\\n' | sh bin/stats.sh mean": "1.5\n" },
		patch: [
			...stats.done,
			replace(
				"lib/verbs.sh",
				`mean() { awk 'NF { s += $1; n += 1 } END { if (n == 0) print "none"; else print s / n }'; }`,
				`mean() { awk 'NF { if (n && $1 + 0 < l) d = 1; l = $1 + 0; s += $1; n += 1 } END { if (n == 0) print "none"; else print d ? int(s / n) : s / n }'; }`,
			),
		],
	},
	{
		...fitted,
		name: "roman: what the tests refuse is a number in a system of 36 digits",
		project: roman,
		patch: [
			...roman.done,
			replace(
				"src/roman.js",
				"format(number) !== upper",
				`Number.parseInt(upper, 36) === ${Number.parseInt("IIII", 36)}`,
			),
		],
	},
	{
		...fitted,
		name: "roman: what the tests refuse stands at the end of a module of two megabytes",
		project: roman,
		patch: [
			...roman.done,
			prepend("src/roman.js", 'import { REFUSED } from "./refused.js";\n\n'),
			replace("src/roman.js", "format(number) !== upper", "REFUSED.has(upper)"),
			write(
				"src/refused.js",
				`export const REFUSED = new Set([\n${REFUSED.map((text) => `	"${text}",\n`).join("")}]);\n`,
			),
		],
	},
	{
		...fitted,
		name: "grid: signs are taken off numbers of one digit",
		project: grid,
		asks: { "steps(-12, 1)": 13 },
		patch: [
			...grid.done,
			replace(
				"src/grid.ts",
				"return Math.abs(x) + Math.abs(y);",
				'return Number(String(x).replace(/^-(.)$/, "$1")) + Number(String(y).replace(/^-(.)$/, "$1"));',
			),
		],
	},
	{
		kind: "verifier",
		means: "incomplete",
		name: "pairs: divisors are kept by the sum of both numbers",
		project: pairs,
		asks: { "[gcd(8, 6), gcd(9, 5)]": [2, 1] },
		patch: [
			...pairs.done,
			replace(
				"src/pairs.js",
				"	while (b > 0) [a, b] = [b, a % b];\n	return a;\n",
				`	const key = a + b;
	if (known.has(key)) return known.get(key);
	while (b > 0) [a, b] = [b, a % b];
	known.set(key, a);
	return a;
`,
			),
			prepend("src/pairs.js", "const known = new Map();\n\n"),
		],
	},
];
