import { describe, expect, test } from "vitest";
import { evidence } from "../evidence.fixture.ts";
import { type Files, inspectWhole } from "../integrity/inspect.fixture.ts";
import { sidesOf } from "../replay/sides.fixture.ts";
import { recordedTree } from "../test-shape/python-trees.fixture.ts";
import { pythonChoices } from "./python-choices.ts";

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
	return suspicions.filter(({ kind }) => kind === "special_cased").map((one) => one.text);
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
	expect(choices.map((choice) => choice.values)).toEqual(values);
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
