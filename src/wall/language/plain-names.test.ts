import { beforeAll, describe, expect, test } from "vitest";
import { spread, thorough } from "../../../test/support/amount.ts";
import { loadModuleParser, type ModuleParser } from "../../syntax/module-syntax.ts";
import { plainNames } from "./plain-names.ts";

let parse: ModuleParser;
beforeAll(async () => {
	parse = await loadModuleParser();
});

const read = (text: string) => plainNames(parse(text, "a.ts") ?? expect.unreachable(text), text);

describe("names that are put together are written plainly", () => {
	test.each([
		["a['eq' + 'ual'] = f;", "a.equal = f;"],
		[`a[\`eq\${"ual"}\`](1);`, "a.equal(1);"],
		["a[['eq', 'ual'].join('')];", "a.equal;"],
		["a['eq'.concat('ual')];", "a.equal;"],
		["a['not' + '-a-name'];", 'a["not-a-name"];'],
		["const k = 'eq' + 'ual'; a[k](1);", "const k = 'eq' + 'ual'; a.equal(1);"],
		["let k = 'equal'; a?.[k as string];", "let k = 'equal'; a.equal;"],
		[
			"const k = 'a'; function f() { const k = 'b'; x[k]; } x[k];",
			"const k = 'a'; function f() { const k = 'b'; x.b; } x.a;",
		],
		["const k = 'a'; for (const k of all) x[k];", "const k = 'a'; for (const k of all) x[k];"],
		["const k = 'a'; const f = ({ b: [k] = [] }) => x[k];", null],
		["let k = 'a'; k = g(); x[k];", null],
		["const k = k + 'a'; x[k];", null],
		["let k = 'a'; for (k of all) x[k];", null],
		["let k = 'a'; for (k in all) x[k];", null],
		["let k = 'a'; (k as any) = 'b'; x[k];", null],
		["let k = 'a'; k! = 'b'; x[k];", null],
		["var k = 'a'; if (y) { var k = 'b'; } x[k];", null],
		[
			"let k = 'a'; function f() { { var k = 'b'; } x[k]; }",
			"let k = 'a'; function f() { { var k = 'b'; } x.b; }",
		],
		["x[a ? 'b' + 'c' : 'd'];", `x[a ? "bc" : 'd'];`],
		["require('node:as' + 'sert');", 'require("node:assert");'],
		[
			`const m = 'assert'; await import(\`node:\${m}\`);`,
			`const m = 'assert'; await import("node:assert");`,
		],
		["Reflect.get(x, 'a' + 'b');", 'Reflect.get(x, "ab");'],
		["const { ['a' + 'b']: c } = x;", 'const { ["ab"]: c } = x;'],
		["process['bin' + 'ding'];", "process.binding;"],
		[
			"const p = globalThis['pro' + 'cess']; p['binding'];",
			"const p = globalThis.process; process.binding;",
		],
		['import p from "process"; p["binding"];', 'import p from "process"; process.binding;'],
		[
			'const p = require("node:process"); p["binding"];',
			'const p = require("node:process"); process.binding;',
		],
		["a['eq' +\n'ual'];\nb;", "a.equal\n;\nb;"],
		["a['x']; f('a' + 'b'); a[i]; a[0];", null],
	])("%s", (text, plain) => {
		expect(read(text).text).toBe(plain ?? text);
	});

	thorough(
		"a name at the end of 9,000 others is read, and one that is declared before them ends nothing",
		() => {
			const names = Array.from({ length: 9_000 }, (_, at) => `const a${at + 1} = a${at};`);
			const forth = ["const a0 = 'exit';", ...names, "x[a9000];"].join("\n");
			expect(read(forth).text.endsWith("x.exit;")).toBe(true);
			const back = ["var a0 = 'exit';", ...names.toReversed(), "process[a9000]();"].join("\n");
			expect(read(back).unknown.size).toBe(1);
		},
	);

	test("text that doubles with each name is given up", () => {
		const names = Array.from({ length: 60 }, (_, at) => `const k${at + 1} = k${at} + k${at};`);
		const text = `const k0 = 'ab';\n${names.join("\n")}\nx[k60]; x[k2];`;
		expect(read(text).text.endsWith("x[k60]; x.abababab;")).toBe(true);
	});
});

describe("a name that only the running program knows", () => {
	test.each([
		"process[name]('v8');",
		"\n\nconst get = process[name];".trim(),
		"process[name].call(process, 'v8');",
		"const p = process; p?.[names[0]]('v8');",
		"global.process[a ? 'env' : name];",
		"let k = 'title'; for (k of names) process[k](0);",
		"const { [name]: f } = process;",
		"let f; ({ a, [name]: f } = globalThis.process);",
		"Reflect.get(process, name)(0);",
		"Reflect.apply(process.on, process, []); Reflect.get(process, 'a');",
		"Object.getOwnPropertyDescriptors(process);",
		"process.getBuiltinModule('node:process')[name]();",
	])("takes something from process: %s", (text) => {
		expect([...read(text).unknown]).toEqual([1]);
	});

	test.each([
		"process[stream].write(text);",
		"process[isError ? 'stderr' : 'stdout'];",
		"const k = 'env'; process[k];",
		"process.env[name];",
		"function f(process) { return process[name](); }",
		"other[name]();",
		"const { env, argv: [first] } = process;",
		"const { [name]: f } = other;",
		"const { a = process, b: { [name]: c } } = other;",
		"Reflect.get(other, name);",
		"Object.keys(process);",
	])("not: %s", (text) => {
		expect([...read(text).unknown]).toEqual([]);
	});
});

thorough(
	"lines are counted once: the places of 8,000 names cost little more than those of one",
	() => {
		const text = Array.from({ length: 8_000 }, (_, nth) => `process[k${nth}](0);`).join("\n");
		expect(read(text).unknown.size).toBe(8_000);
	},
);

test.each(spread(["['a']", ".a()", "[k]"], 1))(
	"a chain of 8,000 links %s costs no square of them",
	(link) => {
		const text = `const k = 'b';\nprocess${link.repeat(8_000)};`;
		expect(read(text).text).toContain("process");
	},
);
