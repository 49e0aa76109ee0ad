import { shown } from "./path-match.ts";
import { withoutComments } from "./strip-comments.ts";
import { isTestFile } from "./test-files.ts";
import { weakenings } from "./test-markers.ts";
import type { Moves } from "./test-moves.ts";
import type { TreePair } from "./tree-pair.ts";

/**
 * Test files of the base that were deleted, replaced or weakened.
 *
 * @param everyCase the checks name each test on both sides; otherwise the declared tests of each file are counted
 */
export async function testChanges(
	pair: TreePair,
	moves: Moves,
	everyCase: boolean,
): Promise<string[]> {
	const violations: string[] = [];
	for (const { kind, path } of pair.changes) {
		if (!isTestFile(path) || kind === "added") continue;
		if (kind === "deleted") {
			if (!moves.has(path)) {
				violations.push(
					`${shown(path)}: this test file was deleted, or moved to a place where it may not run; restore it`,
				);
			}
			continue;
		}
		if (kind === "type-changed") {
			violations.push(`${shown(path)}: this test file was replaced by something else; restore it`);
			continue;
		}
		const base = (await pair.readBase(path)) ?? "";
		const head = (await pair.readHead(path)) ?? "";
		const weaker = weakenings(base, head, path);
		if (!everyCase) weaker.push(...fewerDeclarations(base, head, path));
		violations.push(
			...weaker.map(
				(how) => `${shown(path)}: this test file was weakened, ${how}; restore what was removed`,
			),
		);
	}
	return violations;
}

/** Test declarations in common languages and frameworks. */
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
 * Whether a test file declares fewer tests than before. Comments do not count.
 *
 * @param path its extension determines the language
 * @returns empty, or one clause such as `"it declares fewer tests than before (2, now 1)"`
 */
export function fewerDeclarations(base: string, head: string, path: string): string[] {
	const [had, has] = [declared(base, path), declared(head, path)];
	return has < had ? [`it declares fewer tests than before (${had}, now ${has})`] : [];
}

function declared(text: string, path: string): number {
	const code = withoutComments(text, path);
	return DECLARATIONS.reduce((sum, pattern) => sum + [...code.matchAll(pattern)].length, 0);
}
