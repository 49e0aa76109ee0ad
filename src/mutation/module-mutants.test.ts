import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { coarseFirst, spread } from "../formats/mutation/spread.ts";
import { loadModuleParser, type ModuleParser } from "../syntax/module-syntax.ts";
import { moduleMutants } from "./module-mutants.ts";

let parse: ModuleParser;

beforeAll(async () => {
	parse = await loadModuleParser();
});

const all = (text: string): number[] => text.split("\n").map((_line, index) => index + 1);
/** Mutants of a file, each as `operator: old -> new`. */
const mutants = (text: string, { path = "src/a.ts", lines = all(text), limit = 100 } = {}) =>
	moduleMutants([{ path, text, lines }], parse, limit).map(
		({ operator, old, fresh }) => `${operator}: ${old} -> ${fresh}`,
	);

describe("each operator", () => {
	test.each([
		["x < lo", ["boundary: x < lo -> x <= lo"]],
		["x >= lo", ["boundary: x >= lo -> x > lo"]],
		["a === b", ["equality: a === b -> a !== b"]],
		["a != b", ["equality: a != b -> a == b"]],
		["a + b", ["arithmetic: a + b -> a - b"]],
		["a % b", ["arithmetic: a % b -> a * b"]],
		["(a) /* + */ + (b)", ["arithmetic: (a) /* + */ + (b) -> (a) /* + */ - (b)"]],
		["a && b", ["logical: a && b -> a || b"]],
		["a ?? b", ["logical: a ?? b -> a && b"]],
		["!a", ["negation: !a -> (a)"]],
		["a ? b : c", ["negation: a -> !(a)"]],
		["a === b ? b : c", ["equality: a === b -> a !== b"]],
		["f(true)", ["boolean: f(true) -> f(false)"]],
		["f(41)", ["number: f(41) -> f(42)"]],
		["f('on')", ["string: f('on') -> f('')"]],
		["f(`on`)", ["string: f(`on`) -> f(``)"]],
	])("%s", (code, expected) => {
		expect(mutants(`const x0 = ${code};`)).toEqual(expected);
	});

	test.each([
		["if (a) b();", ["negation: a -> !(a)", "statement: b(); -> ;"]],
		["if (!a) c = d;", ["negation: !a -> (a)", "statement: c = d; -> ;"]],
		["count++;", ["statement: count++; -> ;"]],
		["await save();", ["statement: await save(); -> ;"]],
		["function f() { return a; }", ["return: return a; -> return undefined;"]],
		["function f() { return 1; }", ["number: return 1; -> return 2;"]],
		["function f() { return; }", []],
	])("of statements: %s", (code, expected) => {
		expect(mutants(code)).toEqual(expected);
	});
});

test.each([
	["names of modules", "import a from 'b'; export { c } from 'd'; const e = require('f');"],
	["loaded modules", "const a = import('b');"],
	["keys", "const a = { 'b': c, 1: d };"],
	["types", "type A = 'b' | 1 | true; let c: { d: 'e' }; declare function f(a: 1): true;"],
	["what is logged", "console.log(a + b, 'c'); logger.info(`d`); debug('f');"],
	["messages of errors", "throw new Error('no ' + a);"],
	["tagged templates", "const a = sql`select 1`;"],
	["empty texts", "const a = '';"],
	["joined texts", "const a = b + ``;"],
	["exports", "module.exports = a; exports.b = c;"],
	["numbers without a next one", "const a = 1e300;"],
	["values that are neutral", "function f() { return undefined; } function g() { return null; }"],
	["text that cannot be parsed", "const = 1 + 2;"],
])("nothing is learnt from %s", (_what, code) => {
	expect(mutants(code)).toEqual([]);
});

test("values within what TypeScript adds are mutated", () => {
	expect(mutants("enum A { b = 1 } const c = 2 as number; const d = e!;")).toEqual([
		"number: b = 1 -> b = 2",
		"number: 2 as number -> 3 as number",
	]);
});

test("attributes of elements are names", () => {
	expect(mutants('const a = <b c="d">{e && f}</b>;', { path: "src/a.tsx" })).toEqual([
		"logical: e && f -> e || f",
	]);
});

test("a mutant whose replacement cannot be parsed is none", () => {
	expect(mutants("const a = b ?? c;")).toHaveLength(1);
	expect(mutants("const a = b ?? c ?? d;")).toEqual([]);
});

test("only what lies within changed lines is mutated, a statement with all of its lines", () => {
	const text = "f(\n\ta + b,\n);\ng(c < d);\n";
	expect(mutants(text, { lines: [2] })).toEqual(["arithmetic: a + b -> a - b"]);
	expect(mutants(text, { lines: [4] })).toEqual([
		"statement: g(c < d); -> ;",
		"boundary: c < d -> c <= d",
	]);
	expect(mutants(text, { lines: [] })).toEqual([]);
	expect(mutants(text, { lines: [99] })).toEqual([]);
	expect(mutants(text, { lines: [1, 2, 3] })[0]).toBe("statement: f(\n\ta + b,\n); -> ;");
});

test("a mutant names its place and holds the whole file", () => {
	const text = "const a = 1;\nconst b = a < 2;\n";
	const [mutant] = moduleMutants([{ path: "src/a.js", text, lines: [2] }], parse, 1);
	expect(mutant).toEqual({
		file: "src/a.js",
		line: 2,
		operator: "boundary",
		old: "a < 2",
		fresh: "a <= 2",
		text: "const a = 1;\nconst b = a <= 2;\n",
	});
});

test.each([
	["larger than 200,000 characters", `const a = 1;${" ".repeat(200_000)}`],
	["not UTF-8", "const a = 1; // \uFFFD"],
])("a file that is %s has no mutants", (_what, text) => {
	expect(mutants(text)).toEqual([]);
});

test("of many mutants some are taken, spread over all files", () => {
	const text = "a(1);\n".repeat(50);
	const files = ["a.js", "b.js", "c.js"].map((path) => ({ path, text, lines: all(text) }));
	const found = moduleMutants(files, parse, 6);
	expect(found.map(({ file, line }) => `${file}:${line}`).join(" ")).toBe(
		"a.js:1 a.js:26 b.js:1 b.js:26 c.js:1 c.js:26",
	);
});

test("texts are emptied where there is room for it", () => {
	const text = "a('b');\n".repeat(4);
	expect(mutants(text, { limit: 6 }).map((said) => said.split(":")[0])).toEqual(
		"statement string statement statement string statement".split(" "),
	);
	expect(mutants(text, { limit: 4 }).join()).not.toContain("string");
});

test("of a literal within long code only the literal is shown", () => {
	expect(mutants(`const a = [1, ${"b, ".repeat(50)}];`)).toEqual(["number: 1 -> 2"]);
});

test("every mutant of any code can be parsed, and differs from it in one place", () => {
	const words =
		"a b 1 't' true ! && ?? || < === + - * ( ) f( return if( { } ; => await , `x` = const";
	const pieces = fc.constantFrom(...words.split(" "), "\n");
	const code = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(" "));
	fc.assert(
		fc.property(code, (text) => {
			for (const mutant of moduleMutants([{ path: "a.js", text, lines: all(text) }], parse, 50)) {
				expect(mutant.text).not.toBe(text);
				expect(parse(mutant.text, "a.js")).not.toBeNull();
				expect(text).toContain(mutant.old);
				expect(mutant.text).toContain(mutant.fresh);
			}
		}),
	);
});

test("some of a list are spread over it, and an order begins with what is spread", () => {
	expect(spread([1, 2, 3, 4, 5, 6], 3)).toEqual([1, 3, 5]);
	expect(coarseFirst([1, 2, 3, 4, 5])).toEqual([1, 3, 2, 4, 5]);
	fc.assert(
		fc.property(fc.uniqueArray(fc.integer()), (list) => {
			expect(coarseFirst(list)).toHaveLength(list.length);
			expect(new Set(coarseFirst(list))).toEqual(new Set(list));
		}),
	);
});
