/** Calls that must fail, by the name of the assertion that they make. */
type Calls = Readonly<Record<string, string | readonly string[]>>;

const ASSERT_CALLS: Calls = {
	ok: "$.ok(0)",
	equal: ["$.equal(1, 2)", '$.equal("a", "b")', "$.equal(true, false)"],
	strictEqual: ["$.strictEqual(1, 2)", '$.strictEqual("a", "b")'],
	notEqual: "$.notEqual(1, 1)",
	notStrictEqual: "$.notStrictEqual(1, 1)",
	deepEqual: ["$.deepEqual({ a: 1 }, { a: 2 })", '$.deepEqual(["a"], ["b"])'],
	deepStrictEqual: "$.deepStrictEqual({ a: 1 }, { a: 2 })",
	notDeepEqual: "$.notDeepEqual({ a: 1 }, { a: 1 })",
	notDeepStrictEqual: "$.notDeepStrictEqual({ a: 1 }, { a: 1 })",
	throws: "$.throws(() => {})",
	doesNotThrow: '$.doesNotThrow(() => { throw new Error("x"); })',
	match: '$.match("a", /b/)',
	doesNotMatch: '$.doesNotMatch("a", /a/)',
	isTrue: "$.isTrue(false)",
	isFalse: "$.isFalse(true)",
	include: "$.include([1], 2)",
};

const EXPECT_CALLS: Calls = {
	toBe: ["$(1).toBe(2)", '$("a").toBe("b")', "$(true).toBe(false)"],
	toEqual: ["$({ a: 1 }).toEqual({ a: 2 })", '$(["a"]).toEqual(["b"])', '$("a").toEqual("b")'],
	toStrictEqual: "$({ a: 1 }).toStrictEqual({ a: 2 })",
	toMatchObject: "$({ a: 1 }).toMatchObject({ a: 2 })",
	toThrow: "$(() => {}).toThrow()",
	toThrowError: "$(() => {}).toThrowError()",
	toBeNull: "$(1).toBeNull()",
	toBeUndefined: "$(1).toBeUndefined()",
	toBeDefined: "$(undefined).toBeDefined()",
	toBeTruthy: "$(0).toBeTruthy()",
	toBeFalsy: "$(1).toBeFalsy()",
	toBeNaN: "$(1).toBeNaN()",
	toContain: "$([1]).toContain(2)",
	toContainEqual: "$([1]).toContainEqual(2)",
	toHaveLength: "$([1]).toHaveLength(2)",
	toHaveProperty: '$({ a: 1 }).toHaveProperty("b")',
	toMatch: '$("a").toMatch(/b/)',
	toBeCloseTo: "$(1).toBeCloseTo(2)",
	toBeGreaterThan: "$(1).toBeGreaterThan(2)",
	toBeGreaterThanOrEqual: "$(1).toBeGreaterThanOrEqual(2)",
	toBeLessThan: "$(2).toBeLessThan(1)",
	toBeLessThanOrEqual: "$(2).toBeLessThanOrEqual(1)",
	toBeInstanceOf: "$({}).toBeInstanceOf(Date)",
};

const CHAI_CALLS: Calls = {
	equal: "$(1).to.equal(2)",
	eql: "$({ a: 1 }).to.eql({ a: 2 })",
	deep: "$({ a: 1 }).to.deep.equal({ a: 2 })",
	throw: "$(() => {}).to.throw()",
	true: "$(false).to.be.true",
	false: "$(true).to.be.false",
	include: "$([1]).to.include(2)",
};

/** Methods of `unittest.TestCase`. */
const UNITTEST_CALLS: Calls = {
	assertEqual: [
		"self.assertEqual(1, 2)",
		'self.assertEqual("a", "b")',
		"self.assertEqual([1], [2])",
	],
	assertNotEqual: "self.assertNotEqual(1, 1)",
	assertTrue: "self.assertTrue(False)",
	assertFalse: "self.assertFalse(True)",
	assertIs: "self.assertIs(None, self)",
	assertIsNone: "self.assertIsNone(1)",
	assertIsNotNone: "self.assertIsNotNone(None)",
	assertIn: "self.assertIn(1, [])",
	assertNotIn: "self.assertNotIn(1, [1])",
	assertRaises: "self.assertRaises(ValueError, int, 1)",
	assertRaisesRegex: 'self.assertRaisesRegex(ValueError, "x", int, 1)',
	assertAlmostEqual: "self.assertAlmostEqual(1, 2)",
	assertGreater: "self.assertGreater(1, 2)",
	assertGreaterEqual: "self.assertGreaterEqual(1, 2)",
	assertLess: "self.assertLess(2, 1)",
	assertLessEqual: "self.assertLessEqual(2, 1)",
	assertListEqual: "self.assertListEqual([1], [2])",
	assertDictEqual: "self.assertDictEqual({1: 1}, {1: 2})",
	assertCountEqual: "self.assertCountEqual([1], [2])",
	assertRegex: 'self.assertRegex("a", "b")',
};

function callsIn(text: string, calls: Calls): string[] {
	return Object.entries(calls).flatMap(([name, call]) =>
		new RegExp(`\\b${name}\\b`).test(text) ? call : [],
	);
}

/**
 * Calls of assertions that the project defines itself, with values that nothing should be content with.
 *
 * @param pattern its first group is the name
 * @param call `#` stands for the name
 */
function ownCalls(text: string, pattern: RegExp, call: string, known: Calls): string[] {
	const names = new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));
	return [...names].filter((name) => !(name in known)).map((name) => call.replace("#", name));
}

/** A test file with canaries: tests that must fail, in the same process and with the same assertions as its own. */
export interface Planted {
	readonly text: string;
	readonly names: readonly string[];
}

export interface Runners {
	readonly words: ReadonlySet<string>;
}

const MAX = 30;

/**
 * Adds canaries to a test file of a known runner: node:test, vitest, jest, mocha, pytest or unittest.
 *
 * @param token part of each name; random, so that no product can know it
 * @returns null for a file of no known runner
 */
export function plant(file: string, text: string, token: string, runners: Runners): Planted | null {
	if (/\.py$/.test(file)) return plantPython(text, token);
	return /\.[cm]?[jt]sx?$/.test(file) ? plantScript(text, token, runners) : null;
}

const importedIn = (text: string, name: string): boolean =>
	new RegExp(`["']${name.replaceAll("/", "\\/")}["']`).test(text);

const SCRIPTED = [
	{ module: "node:test", program: null, declare: "test", own: null },
	{ module: "vitest", program: "vitest", declare: "test", own: "expect" },
	{ module: "@jest/globals", program: "jest", declare: "test", own: "expect" },
	{ module: "mocha", program: "mocha", declare: "it", own: null },
] as const;

const ASSERT_MODULES = ["node:assert/strict", "node:assert", "assert/strict", "assert"];

function plantScript(text: string, token: string, { words }: Runners): Planted | null {
	const runner =
		SCRIPTED.find(({ module }) => importedIn(text, module)) ??
		SCRIPTED.find(({ program }) => program !== null && words.has(program));
	if (runner === undefined) return null;
	const isModule = /^[ \t]*(?:import|export)\b/m.test(text);
	const bind = (name: string, module: string, member: string): string => {
		const from = JSON.stringify(module);
		if (!isModule)
			return `const ${name} = require(${from})${member === "default" ? "" : `.${member}`};`;
		const what = member === "default" ? name : `{ ${member} as ${name} }`;
		return `import ${what} from ${from};`;
	};
	const { bindings, calls } = assertionsOf(text, runner, token, bind);
	if (calls.length === 0) return null;
	const declare = `declare_${token}`;
	bindings.push(
		importedIn(text, runner.module)
			? bind(declare, runner.module, runner.declare)
			: `const ${declare} = globalThis.${runner.declare};`,
	);
	const names = calls.slice(0, MAX).map((_call, index) => `canary ${token} ${index}`);
	const tests = names.map(
		(name, index) => `${declare}(${JSON.stringify(name)}, () => { ${calls[index] ?? ""}; });`,
	);
	return { text: `${text}\n${[...bindings, ...tests].join("\n")}\n`, names };
}

function assertionsOf(
	text: string,
	runner: (typeof SCRIPTED)[number],
	token: string,
	bind: (name: string, module: string, member: string) => string,
): { readonly bindings: string[]; readonly calls: string[] } {
	const bindings: string[] = [];
	const calls: string[] = [];
	const use = (name: string, binding: string, found: readonly string[], usual: string): void => {
		bindings.push(binding);
		const written = found.length === 0 ? [usual] : found;
		calls.push(...written.map((call) => call.replace("$", name)));
	};
	if (runner.own !== null && /\bexpect\b/.test(text)) {
		const name = `expect_${token}`;
		const binding = importedIn(text, runner.module)
			? bind(name, runner.module, "expect")
			: `const ${name} = globalThis.expect;`;
		const own = ownCalls(
			text,
			/\.(to[A-Z]\w*)\(/g,
			"$({ canary: 1 }).#({ canary: 2 })",
			EXPECT_CALLS,
		);
		use(name, binding, [...callsIn(text, EXPECT_CALLS), ...own], "$(1).toBe(2)");
	}
	for (const [index, module] of ASSERT_MODULES.entries()) {
		if (!importedIn(text, module)) continue;
		const name = `assert${index}_${token}`;
		use(name, bind(name, module, "default"), callsIn(text, ASSERT_CALLS), "$.equal(1, 2)");
	}
	if (importedIn(text, "chai")) {
		const [name, member] = /\bexpect\b/.test(text) ? ["expect", "expect"] : ["assert", "assert"];
		const own = `chai_${name}_${token}`;
		const table = member === "expect" ? CHAI_CALLS : ASSERT_CALLS;
		const usual = member === "expect" ? "$(1).to.equal(2)" : "$.equal(1, 2)";
		use(own, bind(own, "chai", member), callsIn(text, table), usual);
	}
	return { bindings, calls };
}

/** A class of tests; the first base that is one decides. */
const TEST_CLASS = /^class[ \t]+\w+\(([\w.]*(?:TestCase|Case))\)[ \t]*:/m;
const MAIN = /^if[ \t]+__name__[ \t]*==/m;

function plantPython(text: string, token: string): Planted | null {
	const base = TEST_CLASS.exec(text)?.[1];
	const isPlain = /^(?:async )?def test/m.test(text) || /^class Test\w*[ \t]*:/m.test(text);
	if (base === undefined && !isPlain) return null;
	const own = ownCalls(
		text,
		/\bself\.(assert\w*)\(/g,
		"self.#(object(), object())",
		UNITTEST_CALLS,
	);
	const calls = base === undefined ? [] : [...callsIn(text, UNITTEST_CALLS), ...own].slice(0, MAX);
	const names: string[] = [];
	const nameOf = (): string => {
		const name = `test_canary_${token}_${names.length}`;
		names.push(name);
		return name;
	};
	const lines: string[] = [];
	if (base !== undefined) {
		lines.push("", "", `class Canary_${token}(${base}):`);
		for (const call of calls.length === 0 ? ["self.assertEqual(1, 2)"] : calls)
			lines.push(`    def ${nameOf()}(self):`, `        ${call}`, "");
	} else {
		lines.push("", "", `def ${nameOf()}():`, "    assert 1 == 2", "");
		if (/\bpytest\.raises\b/.test(text))
			lines.push("", `def ${nameOf()}():`, "    pytest.raises(ValueError, int, 1)", "");
	}
	const at = MAIN.exec(text)?.index ?? text.length;
	return { text: `${text.slice(0, at)}${lines.join("\n")}\n${text.slice(at)}`, names };
}
