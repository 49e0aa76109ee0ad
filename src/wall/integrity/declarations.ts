import { withoutComments } from "../reading/strip-comments.ts";

const DECLARATIONS: readonly RegExp[] = [
	/(?<![\w.$])(?:(?:Deno|QUnit|t)\.)?(?:x?it|x?test|specify|testWidgets|fit)(?:\.\w+)*\s*[(`]/g,
	/^[ \t]*(?:async\s+)?def test\w*/gm,
	/#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b/g,
	/@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b/g,
	/^func (?:\([^)\n]*\) )?(?:Test|Fuzz|Example)\w*\s*\(/gm,
	/\b[tb]\.Run\s*\(/g,
	/\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod|InlineData|DataRow)\b/g,
	/^[ \t]*(?:it|specify|scenario|example|should|test|property)\s*["']/gm,
	/\bfunction test\w*\s*\(|\bfunc test\w*\s*\(\s*\)/g,
	/#\[Test\b/g,
	/\b(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE)\s*\(/g,
];

/**
 * Tells whether a test file declares fewer tests than before. Comments do not count.
 *
 * @param path its extension determines the language
 * @returns empty, or one clause such as `"it declares fewer tests than before (2, now 1)"`
 */
export function fewerDeclarations(base: string, head: string, path: string): string[] {
	const [had, has] = [declared(base, path), declared(head, path)];
	return has < had ? [`it declares fewer tests than before (${had}, now ${has})`] : [];
}

/** The number of tests that a text declares. */
export function declared(text: string, path: string): number {
	const code = withoutComments(text, path);
	return DECLARATIONS.reduce((sum, pattern) => sum + [...code.matchAll(pattern)].length, 0);
}
