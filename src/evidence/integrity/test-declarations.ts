import { withoutComments } from "./strip-comments.ts";

/** How a test is declared, in common languages and frameworks. */
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
 * Whether a test file declares fewer tests than it did, comments aside.
 *
 * @param path tells the language by its ending
 * @returns one clause, such as `"it declares fewer tests than before (2, now 1)"`, or none
 */
export function fewerDeclarations(base: string, head: string, path: string): string[] {
	const [had, has] = [declared(base, path), declared(head, path)];
	return has < had ? [`it declares fewer tests than before (${had}, now ${has})`] : [];
}

function declared(text: string, path: string): number {
	const code = withoutComments(text, path);
	return DECLARATIONS.reduce((sum, pattern) => sum + [...code.matchAll(pattern)].length, 0);
}
