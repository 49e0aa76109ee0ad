import { beforeAll, describe, expect, test } from "vitest";
import { linesIn, loadModuleParser, type ModuleParser, nodesOf } from "./module-syntax.ts";

let parse: ModuleParser;

beforeAll(async () => {
	parse = await loadModuleParser();
});

const kinds = (text: string, path: string): string[] => {
	const tree = parse(text, path);
	if (tree === null) throw new Error(`no tree: ${text}`);
	return [...nodesOf(tree)].map(({ node }) => node.type);
};

describe("parsing", () => {
	test.each([
		["modules", "a.js", "export const a = await b();"],
		["scripts", "a.cjs", "const a = require('b'); return;"],
		["types", "a.ts", "const a = <T,>(b: T): T => <T>b;"],
		["types with elements", "a.tsx", "const a: string = <b>c</b>;"],
		["elements", "a.jsx", "const a = <b c={1}>d</b>;"],
		["decorators", "a.mts", "@a class B { @c() d = 1; }"],
		["a hashbang", "a.mjs", "#!/usr/bin/env node\na();"],
	])("%s have a tree", (_what, path, text) => {
		expect(parse(text, path)?.type).toBe("File");
	});

	test.each([
		["broken text", "a.js", "const = ;"],
		["another language", "a.py", "a = 1"],
		["text nested too deeply", "a.js", `${"(".repeat(100_000)}1${")".repeat(100_000)}`],
		["conflict marks", "a.ts", "<<<<<<< a\nb\n=======\nc\n>>>>>>> d\n"],
	])("%s has none", (_what, path, text) => {
		expect(parse(text, path)).toBeNull();
	});
});

describe("walking", () => {
	test("comes to each node before what is in it, in the order of the text", () => {
		expect(kinds("a(1); 'b'.c", "a.js")).toEqual([
			"File",
			"Program",
			"ExpressionStatement",
			"CallExpression",
			"Identifier",
			"NumericLiteral",
			"ExpressionStatement",
			"MemberExpression",
			"StringLiteral",
			"Identifier",
		]);
	});

	test("comments are no nodes", () => {
		expect(kinds("/* a */ // b", "a.js")).toEqual(["File", "Program"]);
	});

	test("a node knows what it stands in", () => {
		const tree = parse("if (a) { b(); }", "a.js");
		const call = [...nodesOf(tree ?? expect.unreachable())].find(
			({ node }) => node.type === "CallExpression",
		);
		const above = [];
		for (let at = call?.above; at != null; at = at.above) above.push(at.node.type);
		expect(above).toEqual([
			"ExpressionStatement",
			"BlockStatement",
			"IfStatement",
			"Program",
			"File",
		]);
	});

	test("long chains are walked without the stack", () => {
		expect(kinds(Array.from({ length: 2_000 }, () => "a;").join(""), "a.js")).toHaveLength(4_002);
	});
});

test.each([
	["a\nb", 0, 1],
	["a\nb", 1, 1],
	["a\nb", 2, 2],
	["a\nb\n\nc", 5, 4],
])("the line of an offset: %j at %i is %i", (text, offset, line) => {
	expect(linesIn(text)(offset)).toBe(line);
});
