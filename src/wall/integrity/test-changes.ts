import { shown } from "../../evidence/path-match.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { AllowedKind } from "../../workflow/workflow.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { final, type Violation } from "../reading/violation.ts";
import { fewerDeclarations } from "./declarations.ts";
import { withoutNewCases } from "./new-cases.ts";
import {
	assertsLess,
	isListed,
	sumOf,
	type TestTallies,
	testTallies,
	type Weakening,
	weakenings,
	weakeningText,
} from "./test-markers.ts";
import type { Moves } from "./test-moves.ts";

/** A changed test file with its texts; an added one has an empty base, a deleted one an empty head. */
interface ChangedTest {
	readonly change: FileChange;
	readonly base: string;
	readonly head: string;
	readonly tallies: TestTallies;
}

async function changedTests(pair: TreePair): Promise<readonly ChangedTest[]> {
	const found: ChangedTest[] = [];
	for (const change of pair.changes) {
		const { kind, path } = change;
		if (!isTestFile(path)) continue;
		const base = kind === "added" ? "" : ((await pair.readBase(path)) ?? "");
		const head = kind === "deleted" ? "" : ((await pair.readHead(path)) ?? "");
		const own = withoutNewCases(base, head, path);
		found.push({ change, base, head, tallies: testTallies(base, head, path, own) });
	}
	return found;
}

/** Changed tests, and whether all of them together assert as much as before. */
export interface TestChanges {
	readonly violations: readonly Violation[];
	readonly assertsAsMuch: boolean;
	/** Files of the base that declare tests without an assertion that can be counted, so numbers say nothing of them. */
	readonly uncounted: ReadonlySet<string>;
}

export interface TestKnowledge {
	readonly moves: Moves;
	/** The checks name each test on both sides; otherwise the declared tests of each file are counted. */
	readonly everyCase: boolean;
	/** The base's own tests pass on the product, so a file's tests may stand elsewhere, in another form. */
	readonly replayed: boolean;
	/** Tells of a file of the base whether the checks name cases of it. */
	readonly isListed: (path: string, text: string) => boolean;
	/** Tests that no longer run were replaced by as many others. */
	readonly replaced: boolean;
	/** Files that were measured, and lost nothing. */
	readonly kept: ReadonlySet<string>;
	/** Files whose tests expect something else now; one that is gone went with what it tested. */
	readonly otherwise: ReadonlyMap<string, readonly string[]>;
}

/**
 * Test files of the base that were deleted, replaced or cut.
 *
 * Once a replay showed that the base's own tests hold, tests may be moved, split, merged or given as a table: then a file
 * may go where all tests together assert as much, or others replaced its tests; one whose assertions cannot be counted only
 * where others did. Changed tests are measured then, and their assertions are not counted.
 */
export async function testChanges(pair: TreePair, known: TestKnowledge): Promise<TestChanges> {
	const tests = await changedTests(pair);
	const whole = sumOf(tests.map(({ tallies }) => tallies));
	const assertsAsMuch = !assertsLess(whole);
	const stillMore = new Set(
		weakenings(whole).flatMap((found) => (found.change === "skip" ? [found.marker] : [])),
	);
	const isKept = known.replayed && (assertsAsMuch || known.replaced);
	const isOffset = (found: Weakening, { base, change: { path } }: ChangedTest): boolean =>
		(known.replayed && (found.change === "weaken" || !stillMore.has(found.marker))) ||
		// The list of cases says which of the base's are skipped; what a new one carries is its own.
		(found.change === "skip" && isListed(found.marker) && known.isListed(path, base));
	const uncounted = new Set(tests.filter(isUncounted).map(({ change }) => change.path));
	const violations = tests.flatMap((test) => {
		if (known.kept.has(test.change.path) && test.change.kind !== "type-changed") return [];
		if (test.change.kind === "deleted" && known.otherwise.has(test.change.path)) return [];
		const isShown = known.replaced || !uncounted.has(test.change.path);
		if (test.change.kind === "deleted" && isKept && isShown) return [];
		const { moves, everyCase } = known;
		return violationsOf(test, { moves, countsDeclared: !everyCase && !isKept, isOffset });
	});
	return { violations, assertsAsMuch, uncounted };
}

function isUncounted({ base, change: { path }, tallies }: ChangedTest): boolean {
	return tallies.assertions.had === 0 && fewerDeclarations(base, "", path).length > 0;
}

function weaker(path: string, how: string, change: AllowedKind = "weaken"): Violation {
	const text = `${shown(path)}: this test file was weakened, ${how}; restore what was removed`;
	return { path, change, text };
}

interface Judging {
	readonly moves: Moves;
	readonly countsDeclared: boolean;
	readonly isOffset: (found: Weakening, test: ChangedTest) => boolean;
}

function violationsOf(
	test: ChangedTest,
	{ moves, countsDeclared, isOffset }: Judging,
): Violation[] {
	const {
		change: { kind, path },
		base,
		head,
		tallies,
	} = test;
	switch (kind) {
		case "added":
			return [];
		case "deleted":
			if (moves.has(path)) return [];
			return [
				{
					path,
					change: "delete",
					text: `${shown(path)}: this test file was deleted, or moved to a place where it may not run; restore it`,
				},
			];
		case "type-changed":
			return [
				final(path, `${shown(path)}: this test file was replaced by something else; restore it`),
			];
		case "modified": {
			const lost = weakenings(tallies).filter((found) => !isOffset(found, test));
			const declared = countsDeclared ? fewerDeclarations(base, head, path) : [];
			return [
				...lost.map((one) => weaker(path, weakeningText(one), one.change)),
				...declared.map((how) => weaker(path, how)),
			];
		}
	}
}
