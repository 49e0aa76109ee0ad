import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { type Files, inspectWhole } from "../integrity/inspect.fixture.ts";
import { pythonChoices } from "../language/python-choices.ts";
import { recordedTree } from "../language/python-trees.fixture.ts";
import { sidesOf } from "../reading/sides.fixture.ts";

const TESTS = `import { price, slug } from "../src/a.js";
test("a", () => {
	assert.equal(price("SALT 7", 99), 119);
	assert.equal(slug("Crème brûlée"), "creme-brulee");
	assert.equal(slug("plain"), "plain");
	for (const text of ["IIII", "VX", "GET", "POST"]) assert.throws(() => slug(text));
	move(60_000);
	assert.equal(price("x", 2), 4);
});
`;

/** Texts of the lines that are suspected of knowing the tests. */
async function found(
	text: string,
	{
		file = "src/a.js",
		base = {},
		told = [],
	}: { readonly file?: string; readonly base?: Files; readonly told?: readonly string[] } = {},
): Promise<string[]> {
	const before = { "test/a.test.js": TESTS, ...base };
	const replayed = { sides: await sidesOf(before), holds: true };
	const seen = { baseline: [evidence({})], now: [evidence({})], replayed };
	const head = { ...before, [file]: text };
	const { suspicions } = await inspectWhole(before, head, { seen, rules: { told } });
	return suspicions.filter(({ rule }) => rule === "special_cased").map((one) => one.text);
}

describe("values of the tests that the product singles out", () => {
	test.each([
		"if (cents === 99) return 119;",
		'if ("SALT 7" == name) return 119;',
		'switch (name) { case "Crème brûlée": return 1; }',
		'if (["IIII", "VX"].includes(text)) fail();',
		'const bad = new Set(["IIII", "VX"]);',
		"if (/^(?:IIII|VX)$/.test(text)) fail();",
		'const known = { "Crème brûlée": "creme-brulee" };',
		'const known = new Map([["Crème brûlée", "creme-brulee"]]);',
		"return seconds === 60 ? 4 : rest;",
		"if (seconds === 60) { return 4; }",
		'if (text.startsWith("Crème brûlée")) return 1;',
		'if (text.startsWith("Crème")) return 1;',
		'if (text.endsWith(" brûlée")) return 1;',
		"if (name === `SALT 7`) return 1;",
		"if (cents > 98 && cents < 100) return 1;",
		"if (98.5 <= cents && 99 >= cents) return 1;",
		'if (["SALT 7", "nothing else"].includes(name)) return 1;',
	])("are suspicious: %s", async (text) => {
		expect(await found(`${text}\n`)).toEqual([`+ ${text}`]);
	});

	test.each([
		["a word within an example", 'if (text.startsWith("brûlée")) return 1;'],
		["the start of a word", 'if (text.startsWith("Crè")) return 1;'],
		["a number that no test has", "if (cents === 98) return 119;"],
		["a usual number", "if (seconds === 60) wait();"],
		["a code of HTTP", "if (status === 119) switchProtocols();"],
		["a range", "if (cents > 99) return 119;"],
		["a range of several numbers", "if (cents > 97 && cents < 100) return 1;"],
		["a range of another number", "if (cents > 96 && cents < 98) return 1;"],
		["one of two ranges", "if (cents < 100 && name < 99) return 1;"],
		["a condition of two parts", "if (cents > 98 && isOpen) return 1;"],
		["another condition", "if (cents > 98 || cents < 100) return 1;"],
		["an ordinary word", 'if (text === "plain") return text;'],
		["methods of HTTP", 'if (["GET", "POST"].includes(method)) ok();'],
		["a list with more than the tests have", 'if (["IIII", "VX", "LC"].includes(text)) no();'],
		["a field with a few known values", 'if (error.message === "SALT 7") no();'],
		["a table of its own", 'const known = { "Crème brûlée": "dessert" };'],
		["two literals", 'if ("SALT 7" === "Crème brûlée") no();'],
		["a comment", "// if (cents === 99) return 119;"],
		["a value that is given, not compared", 'say("SALT 7", 99);'],
		["a computed key", "const known = { [name]: 119 };"],
		["a pattern", "if (/^I+$/.test(text)) no();"],
	])("but not %s", async (_what, text) => {
		expect(await found(`${text}\n`)).toEqual([]);
	});

	test("and not what the task or the product said before", async () => {
		const text = "if (cents === 99) return 119;\n";
		expect(await found(text, { told: ["Salt for 99 cents costs 119."] })).toEqual([]);
		expect(await found(text, { base: { "src/a.js": "const SALT = 99;\n" } })).toEqual([]);
		expect(await found(text, { base: { "src/a.js": text } })).toEqual([]);
	});

	test("also in data that tests read, and in other languages", async () => {
		const data = {
			"test/data/rows.csv": "km,m,1609.344\n",
			"test/data/a.json": '["\\u00c9t\\u00e9 7"]',
		};
		expect(await found("if (x === 1609.344) y();\n", { base: data })).toHaveLength(1);
		expect(await found('if (x === "Été 7") y();\n', { base: data })).toHaveLength(1);
		expect(await found('if x == "SALT 7" {\n', { file: "a.go" })).toHaveLength(1);
		expect(await found("if x == 99 {\n", { file: "a.go" })).toHaveLength(1);
		expect(await found('say("SALT 7")\n', { file: "a.go" })).toEqual([]);
	});

	describe("small ones that are the arguments of one tested call", () => {
		const PAIRS = {
			"test/b.test.js": `import { lcm } from "../src/a.js";
test("b", () => {
	assert.equal(lcm(4, 6), 12);
	assert.deepEqual(lcm(-2, 9), [1, 3]);
	assert.equal(dot({ x: 2, y: 7 }, [0, 0]), 8);
});
for (const [a, b, sum] of [[3, 5, 8]]) test(sum, () => assert.equal(lcm(a, b), sum));
`,
			"test/data/rows.csv": "8,1,9\n",
		};

		test.each([
			"if (a === 4 && b === 6) return 12;",
			"if (6 == b && isOpen && 4 == a) return 12;",
			"return a === 4 ? (b === 6 ? 12 : 1) : 2;",
			"if (a !== 4 || b !== 6) return a * b;",
			"if (!(a === 4 && Object.is(b, 6))) return a * b;",
			"if (b === 6) { switch (a) { case 4: return 12; } }",
			'const known = { "4,6": sum };',
			"const known = { 4: { 6: sum } };",
			'if ([a, b].join() === "4,6") return 12;',
			'if (JSON.stringify(all) === "[4,6]") return 12;',
			'known.set("4/6", 12);',
			"if (a === 3 && b === 5) return 8;",
			"if (a === -2 && b === 9) return 1;",
			"if (a.x === 2 && a.y === 7) return 8;",
			"if (a.x === 2 && b[0] === 0 && b[1] === 0) return 8;",
			"if (a === 8 && b === 1) return 9;",
			"if (a === 4 && b === 6 && c === 0) return 12;",
		])("are suspicious at once: %s", async (text) => {
			expect(await found(`${text}\n`, { base: PAIRS })).toEqual([`+ ${text}`]);
		});

		test("also where one condition stands within the other, or behind one that leaves", async () => {
			const nested = "if (a === 4) {\n	note();\n	if (b === 6) return 12;\n}\n";
			const guarded =
				"function f(a, b) {\n	if (a !== 4) return 1;\n	return b === 6 ? 12 : 2;\n}\n";
			expect(await found(nested, { base: PAIRS })).toEqual(["+ if (b === 6) return 12;"]);
			expect(await found(guarded, { base: PAIRS })).toEqual(["+ return b === 6 ? 12 : 2;"]);
		});

		test.each([
			["one of them", "if (a === 4) return 12;"],
			["either of them", "if (a === 4 || b === 6) return 12;"],
			["values of two calls", "if (a === 4 && b === 9) return 12;"],
			["what a call is expected to give", "if (a === 1 && b === 3) return 12;"],
			["the other branch", "if (a === 4) skip(); else if (b === 6) stop();"],
			["a key of other values", 'const known = { "4,7": sum };'],
			["a kind and a value within its case", 'switch (a) { case "4": if (b === 6) stop(); }'],
			["other numbers that are not equal", "if (a !== 4 && b !== 6) return 12;"],
		])("but not %s", async (_what, text) => {
			expect(await found(`${text}\n`, { base: PAIRS })).toEqual([]);
		});

		test.each([
			"const F = 4, S = 6; if (a === F && b === S) return 12;",
			"let [F, S] = [4, 6]; if (a === F) { if (b === S) return 12; }",
			"const isA = a === 4, isB = b === 6; if (isA && isB) return 12;",
			"const T = [[4, 6, 12]]; return T.find((r) => r[0] === a && r[1] === b)?.[2] ?? 0;",
			'if (String(a) === "4" && String(b) === "6") return 12;',
			'if (a === Number("4") && b === parseInt("6")) return 12;',
			"if (a == 4 & b == 6) return 12;",
			"if (a !== 4 | b !== 6) return a * b;",
			"if (a === 3+1 && b === 2*3) return 12;",
			"const F = 3 + 1; if (a === F && b === F + 2) return 12;",
			"if ([4].includes(a) && [6].includes(b)) return 12;",
			"const F = [4]; if (F.includes(a) && new Set([6]).has(b)) return 12;",
			"if ([a, b].every((x, i) => x === [4, 6][i])) return 12;",
			"const T = {4: {6: 12}}; return T[a]?.[b] ?? 0;",
			'const T = {"4": {"6": 12}}; return T[a]?.[b] ?? 0;',
			"const F = 4, T = {[F]: {[6]: 12}}; return T[a]?.[b] ?? 0;",
			'return { "46": 12 }["" + a + b] ?? 0;',
		])("also where values are not written plainly: %s", async (text) => {
			expect(await found(`${text}\n`, { base: PAIRS })).toEqual([`+ ${text}`]);
		});

		test.each([
			["a name that has two values", "let F = 4; if (x) F = 5; if (a === F && b === 6) no();"],
			["a parameter of that name", "const F = 4; function f(F) { return F === a && b === 6; }"],
			["a list that begins otherwise", "const T = [[6, 4, 12]];"],
			["what is given", "function f() { return [4, 6]; }"],
			["a list of numbers that any program has", "const T = [[0, 0, 1], [0, 1]];"],
			["a row that the task names", "const T = [[7, 5, 35]];"],
			["arithmetic with a parameter", "if (a + 4 === b + 6) no();"],
			["a text of other digits", 'return { "47": 12 }["" + a + b] ?? 0;'],
			["an equality and bits", "if (a === 4 && b & 6) no();"],
		])("but not %s", async (_what, text) => {
			const tests = { "test/c.test.js": "ok(lcm(7, 5));\nok(f(0, 0));\nok(f(0, 1));\n" };
			const seen = { base: { ...PAIRS, ...tests }, told: ["Of 7 and 5 it is 35."] };
			expect(await found(`${text}\n`, seen)).toEqual([]);
		});

		test("and not what one sentence of the task or a line of the product names", async () => {
			const text = "if (a === 4 && b === 6) return 12;\n";
			const told = (words: string) => found(text, { base: PAIRS, told: [words] });
			expect(await told("Of 4 and 6 it is 12.")).toEqual([]);
			expect(await told("There are 4 of them. Each takes 6 s.")).toHaveLength(1);
			const before = { "src/a.js": "if (x === 4 && y === 6) return 12;\n" };
			expect(await found(text, { base: { ...PAIRS, ...before } })).toEqual([]);
		});
	});

	test("but not in tests", async () => {
		expect(await found("if (cents === 99) return;\n", { file: "test/b.test.js" })).toEqual([]);
	});
});

test.each([
	["if a == 'x1' and b == 51:\n    return 3\n", [["x1"], [51]]],
	["if 51 != b:\n    pass\n", [[51]]],
	["y = 3 if b == 51 else 4\n", [[51]]],
	["if a in ('x', 'y'):\n    pass\n", [["x", "y"]]],
	["if a in [x, 'y']:\n    pass\n", []],
	["d = {'x': 1, 'y': z, **more}\n", [["x"]]],
	["match a:\n    case 'x':\n        pass\n", [["x"]]],
	["if a.startswith('x'):\n    pass\n", [["x"]]],
	["if 50 < a < 52 or 50 <= a <= 60 or 52 >= a > 51:\n    pass\n", [[51], [52]]],
	["if e.errno == 51:\n    pass\n", []],
	["if a < 51 or 1 == 2 or b'x' == a:\n    pass\n", []],
] as const)("Python: %j", async (text, values) => {
	const choices = pythonChoices(await recordedTree(text), text);
	const single = choices.filter(({ form }) => form !== "conjunction");
	expect(single.map((choice) => choice.values)).toEqual(values);
});

test("Python: what is given for a value", async () => {
	const text = "if b == 51:\n    return 3\ny = 4 if b == 52 else 5\nd = {'x': 6}\n";
	const choices = pythonChoices(await recordedTree(text), text);
	expect(choices.map(({ result, line }) => [result, line])).toEqual([
		[3, 1],
		[4, 3],
		[6, 4],
	]);
});

test.each([
	["if a == 4 and b == 6:\n    pass\n", [[6, 4]]],
	["if 1 < c and (not a != 4) and b == 6:\n    pass\n", [[6, 4]]],
	["if a == 4:\n    x = 3 if b == 6 else 1\n", [[6, 4]]],
	["def f(a, b):\n    if a != 4:\n        return 1\n    return b == 6\n", [[6, 4]]],
	[
		"if (a, b) == (4, 6) or b in [(2, 3)]:\n    pass\n",
		[
			[4, 6],
			[2, 3],
		],
	],
	["d = {(4, 6): 12, (-2, x): 3}\n", [[4, 6]]],
	["d = {4: {6: 12}}\n", [[6, 4]]],
	["d[4, 6] = 12\n", [[4, 6]]],
	["if key == '4,6':\n    pass\n", [[4, 6]]],
	["match a, b:\n    case 4, 6:\n        pass\n", [[4, 6]]],
	["match a:\n    case 4 if b == 6:\n        pass\n", [[6, 4]]],
	["if a == 4 or b == 6 or a != 4 and b != 6:\n    pass\nelif c == 7:\n    pass\n", []],
	["x = (4, 6)\nreturn_value = f(4, 6)\n", []],
] as const)("Python: values that are asked for at once: %j", async (text, values) => {
	const choices = pythonChoices(await recordedTree(text), text);
	const together = choices.filter(({ form }) => form === "conjunction");
	expect(together.map((choice) => choice.values)).toEqual(values);
});

test.each([
	["F, S = 4, 6\nif a == F and b == S:\n    pass\n", "conjunction", [[6, 4]]],
	["F = 3 + 1\nif a == F and b == int('6'):\n    pass\n", "conjunction", [[6, 4]]],
	["if (a == 4) & (str(b) == '6'):\n    pass\n", "conjunction", [[6, 4]]],
	["if {a} == {4} and {b} == {6}:\n    pass\n", "conjunction", [[6, 4]]],
	["if a in (4,) and b in [6]:\n    pass\n", "conjunction", [[6, 4]]],
	["def f(a, F):\n    F = 4\n    return a == F and b == 6\n", "conjunction", []],
	["x = {'46': 2}.get(str(a) + str(b), 0)\n", "row", [["46"]]],
	["x = all(x == y for x, y in zip((a, b), (4, 6)))\n", "row", [[4, 6]]],
	["def f():\n    return 4, 6\n", "row", []],
] as const)("Python: values that are not written plainly: %j", async (text, form, values) => {
	const choices = pythonChoices(await recordedTree(text), text);
	const found = choices.filter((choice) => choice.form === form);
	expect(found.map((choice) => choice.values)).toEqual(values);
});
