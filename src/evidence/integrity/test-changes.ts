import type { FileChange } from "../../git/changes.ts";
import type { AllowedKind } from "../../workflow/workflow.ts";
import { shown } from "./path-match.ts";
import { withoutComments } from "./strip-comments.ts";
import { isTestFile } from "./test-files.ts";
import {
	sumOf,
	type TestTallies,
	testTallies,
	type Weakening,
	weakenings,
	weakeningText,
} from "./test-markers.ts";
import type { Moves } from "./test-moves.ts";
import type { TreePair } from "./tree-pair.ts";
import { final, type Violation } from "./violation.ts";

/** A changed test file with its texts; an added one has an empty base, a deleted one an empty head. */
interface ChangedTest {
	readonly change: FileChange;
	readonly base: string;
	readonly head: string;
	readonly tallies: TestTallies;
}

/** Changed tests, and whether all of them together assert as much as before. */
export interface TestChanges {
	readonly violations: readonly Violation[];
	readonly assertsAsMuch: boolean;
}

/** What is known of the tests of both trees besides their texts. */
export interface TestKnowledge {
	readonly moves: Moves;
	/** The checks name each test on both sides; otherwise the declared tests of each file are counted. */
	readonly everyCase: boolean;
	/** The base's own tests pass on the product, so a file's tests may stand elsewhere, in another form. */
	readonly replayed: boolean;
	/** Tests that no longer run were replaced by as many others. */
	readonly replaced: boolean;
}

/**
 * Test files of the base that were deleted, replaced or weakened.
 *
 * Once a replay showed that the base's own tests hold, tests may be moved, split, merged or given as a table: then all
 * tests together are compared, and fewer assertions block unless others replaced the tests that are gone.
 */
export async function testChanges(pair: TreePair, known: TestKnowledge): Promise<TestChanges> {
	const tests: ChangedTest[] = [];
	for (const change of pair.changes) {
		if (!isTestFile(change.path)) continue;
		const base = change.kind === "added" ? "" : ((await pair.readBase(change.path)) ?? "");
		const head = change.kind === "deleted" ? "" : ((await pair.readHead(change.path)) ?? "");
		const tallies = testTallies(base, head, change.path);
		tests.push({ change, base, head, tallies });
	}
	const whole = sumOf(tests.map(({ tallies }) => tallies));
	const assertsAsMuch = whole.assertions.has >= whole.assertions.had;
	const stillMore = new Set(
		weakenings(whole).map((found) => (found.change === "skip" ? found.marker : "")),
	);
	const isKept = known.replayed && (assertsAsMuch || known.replaced);
	const isOffset = (found: Weakening): boolean =>
		known.replayed && (found.change === "skip" ? !stillMore.has(found.marker) : isKept);
	const violations = tests.flatMap((test) => {
		if (test.change.kind === "deleted" && isKept) return [];
		const { moves, everyCase } = known;
		return violationsOf(test, { moves, countsDeclared: !everyCase && !isKept, isOffset });
	});
	return { violations, assertsAsMuch };
}

interface Judging {
	readonly moves: Moves;
	readonly countsDeclared: boolean;
	/** Whether the other tests make up for it. */
	readonly isOffset: (found: Weakening) => boolean;
}

function violationsOf(
	{ change: { kind, path }, base, head, tallies }: ChangedTest,
	{ moves, countsDeclared, isOffset }: Judging,
): Violation[] {
	const because = (change: AllowedKind, what: string): Violation => {
		return { path, change, text: `${shown(path)}: this test file was ${what}` };
	};
	switch (kind) {
		case "added":
			return [];
		case "deleted":
			if (moves.has(path)) return [];
			return [because("delete", "deleted, or moved to a place where it may not run; restore it")];
		case "type-changed":
			return [
				final(path, `${shown(path)}: this test file was replaced by something else; restore it`),
			];
		case "modified": {
			const weaker = weakenings(tallies).filter((found) => !isOffset(found));
			const declared = countsDeclared ? fewerDeclarations(base, head, path) : [];
			const found = [
				...weaker.map((one) => ({ change: one.change, how: weakeningText(one) })),
				...declared.map((how) => ({ change: "weaken" as const, how })),
			];
			return found.map(({ change, how }) =>
				because(change, `weakened, ${how}; restore what was removed`),
			);
		}
	}
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

/** The number of tests that a text declares. */
export function declared(text: string, path: string): number {
	const code = withoutComments(text, path);
	return DECLARATIONS.reduce((sum, pattern) => sum + [...code.matchAll(pattern)].length, 0);
}
