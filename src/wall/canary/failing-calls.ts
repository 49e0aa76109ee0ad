/** Calls that must fail, by the name of the assertion that they make. */
type Calls = Readonly<Record<string, string | readonly string[]>>;

/** Functions of `assert`, of Node.js and of chai; `$` stands for the library. */
export const ASSERT_CALLS: Calls = {
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

/** Matchers of `expect` as in jest and vitest; `$` stands for `expect`. */
export const EXPECT_CALLS: Calls = {
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

/** Chains of chai's `expect`. */
export const CHAI_CALLS: Calls = {
	equal: "$(1).to.equal(2)",
	eql: "$({ a: 1 }).to.eql({ a: 2 })",
	deep: "$({ a: 1 }).to.deep.equal({ a: 2 })",
	throw: "$(() => {}).to.throw()",
	true: "$(false).to.be.true",
	false: "$(true).to.be.false",
	include: "$([1]).to.include(2)",
};

/** Methods of `unittest.TestCase`. */
export const UNITTEST_CALLS: Calls = {
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

/** The calls of those assertions that a text uses. */
export function callsIn(text: string, calls: Calls): string[] {
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
export function ownCalls(text: string, pattern: RegExp, call: string, known: Calls): string[] {
	const names = new Set([...text.matchAll(pattern)].map(([, name = ""]) => name));
	return [...names].filter((name) => !(name in known)).map((name) => call.replace("#", name));
}
