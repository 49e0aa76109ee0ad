import { assertionNames } from "../reading/bound-names.ts";
import { withoutComments } from "../reading/strip-comments.ts";
import { type Disarmed, disarmedIn, type Extent } from "../test-shape/compare-shapes.ts";
import type { TestShape } from "../test-shape/test-shape.ts";

const SKIPS: readonly (readonly [string, RegExp])[] = [
	[".skip", /(?<!\b(?:mark|pytest|unittest))\.(?:skip|skipIf|runIf)\b/g],
	[".only", /\.only\b/g],
	[".todo", /\.todo\b/g],
	[".failing", /\.(?:failing|fails)\s*\(/g],
	["x-prefixed test", /\b(?:xit|xtest|xdescribe|xcontext|xspecify)\b/g],
	["focused test", /\b(?:fit|fdescribe|fcontext)\s*\(/g],
	["skip option", /\b(?:skip|only|todo)\s*:\s*(?!false\b)/g],
	["this.skip", /\bthis\.skip\s*\(/g],
	["pytest skip", /\bpytest\.(?:mark\.(?:skip|skipif|xfail)|skip|xfail|importorskip)\b/g],
	["unittest skip", /@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b/g],
	["skipTest", /\bskipTest\s*\(/g],
	["t.Skip", /\b[tb]\.(?:Skip|SkipNow|Skipf)\s*\(/g],
	["#[ignore]", /#\[ignore\b/g],
	["@Disabled", /@(?:Disabled|Ignore|EnabledIf|EnabledOn)\w*|\(\s*enabled\s*=\s*false/g],
	["markTestSkipped", /\bmarkTest(?:Skipped|Incomplete)\s*\(/g],
	["[Ignore]", /\[(?:Ignore|Explicit)\b|\bSkip\s*=/g],
	["pending", /\bpending\s*(?:\(|["'])/g],
	["@tag :skip", /@(?:module|describe)?tag\s+:?skip\b/g],
	["skip option", /[{,]\s*(?:skip|only)\s*[,}]/g],
	["XCTSkip", /\bXCTSkip\w*/g],
	["GTEST_SKIP", /\bGTEST_SKIP\b|\bDISABLED_\w+/g],
	["__test__ = False", /\b__test__\s*=\s*False\b/g],
	[
		"code that never runs",
		/\bif\s*\(\s*(?:false|0|!1)\s*\)|^[ \t]*if[ \t]+(?:False|0|false)[ \t]*(?::|$)/gm,
	],
	[
		"conditional compilation",
		/#\[cfg\((?:any\(\)|FALSE|false)\)\]|^[ \t]*#if[ \t]+(?:false|0)\b/gm,
	],
	["load_tests", /\bdef load_tests\b|\bdef pytest_\w+/g],
	[
		"skip by name",
		/\[\s*["'`](?:skip|only|todo)["'`]\s*\]|\braise\s+(?:unittest\s*\.\s*)?SkipTest\b/g,
	],
	["Assume", /\bassum(?:e|ption)(?:True|False|That)\s*\(|\bAssume\.\w+/g],
];

/** Only for Ruby; in other languages `skip` is a common function name. */
const RUBY_SKIPS: readonly (readonly [string, RegExp])[] = [
	["skip", /^[ \t]*skip\b(?!\s*[=.])/gm],
	["pending", /^[ \t]*pending\b(?!\s*[=.("'])/gm],
];

const DIRECTIVES: readonly (readonly [string, RegExp])[] = [
	["build constraint", /^\/\/(?:go:build| ?\+build)\b/gm],
];

const ASSERTIONS =
	/\b(?:expect(?:_\w+|[A-Z]\w*)?(?=\s*[({.!<])|assert\w*!?|refute\w*|verify|must_\w+|wont_\w+|pytest\.raises|XCTAssert\w*)\b|\.should\b|\bshould\.|\brequire\.[A-Z]\w*|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|not|equal|equals|notEqual|same|notSame|strictSame|deepEqual|notDeepEqual|deepEquals|like|true|false|truthy|falsy|ok|notOk|throws|throwsAsync|rejects|match|regex|snapshot|pass|fail)\s*\(/g;

const SILENT =
	/^[ \t]*(?:(?:import|from|use|using)\b[^;\n]*(?:;|$)|(?:const|let|var)\b[^=\n]*=\s*require\s*\([^)\n]*\)[^;\n]*(?:;|$))/gm;

/** A number of a test file before and after. */
export interface Tally {
	readonly had: number;
	readonly has: number;
}

export interface TestTallies {
	readonly skips: ReadonlyMap<string, Tally>;
	readonly assertions: Tally;
	/** Rows of tables, elements of lists and calls of helpers counted each; without a syntax tree the same as assertions. */
	readonly comparisons: Tally;
	/** Assertions and tests that cannot fail, by the way. Only a syntax tree shows them. */
	readonly disarmed: ReadonlyMap<Disarmed, Tally>;
}

export interface ShapePair {
	readonly base: TestShape;
	readonly head: TestShape;
	readonly had: Extent;
	readonly has: Extent;
	readonly isKnown: (test: string) => boolean;
}

/**
 * Counts skipped or focused tests and assertions of a file in two trees. Comments do not count.
 *
 * @param path its extension determines the language
 * @param shapes what the syntax trees say; without them assertions are counted by their names
 */
export function testTallies(
	base: string,
	head: string,
	path: string,
	shapes: ShapePair | null = null,
): TestTallies {
	const [before, after] = [withoutComments(base, path), withoutComments(head, path)];
	const markers = path.endsWith(".rb") ? [...SKIPS, ...RUBY_SKIPS] : SKIPS;
	const skips = new Map<string, Tally>();
	const add = (name: string, had: number, has: number): void => {
		skips.set(name, plus(skips.get(name), { had, has }));
	};
	for (const [name, pattern] of markers) add(name, count(before, pattern), count(after, pattern));
	for (const [name, pattern] of DIRECTIVES) add(name, count(base, pattern), count(head, pattern));
	if (shapes !== null) return { skips, ...shapeTallies(shapes) };
	const names = new Set([...assertionNames(base), ...assertionNames(head)]);
	const told = { had: assertions(before, names), has: assertions(after, names) };
	return { skips, assertions: told, comparisons: told, disarmed: new Map() };
}

function shapeTallies({ base, head, had, has, isKnown }: ShapePair): Omit<TestTallies, "skips"> {
	const [before, after] = [disarmedIn(base, isKnown), disarmedIn(head, isKnown)];
	const ways = new Set([...before.keys(), ...after.keys()]);
	return {
		assertions: { had: had.assertions, has: has.assertions },
		comparisons: { had: had.comparisons, has: has.comparisons },
		disarmed: new Map(
			[...ways].map((way) => {
				const [was, is] = [before.get(way) ?? 0, after.get(way) ?? 0];
				// What is always true does no harm beside what was there.
				const counts = way !== "constant" || soundIn(head) < soundIn(base);
				return [way, { had: was, has: counts ? is : Math.min(is, was) }];
			}),
		),
	};
}

function soundIn({ assertions: all }: TestShape): number {
	return all.filter(({ flaw }) => flaw === null).length;
}

/** A way in which tests are weaker: more of a way to skip, fewer assertions, or more of what cannot fail. */
export type Weakening =
	| { readonly change: "skip"; readonly marker: string; readonly more: number }
	| ({ readonly change: "weaken"; readonly by: "number" } & Tally)
	| { readonly change: "weaken"; readonly by: Disarmed; readonly more: number };

/** Lists how tests are weaker than before. Only numbers are compared, so rewritten tests pass. */
export function weakenings(tallies: TestTallies): Weakening[] {
	const { skips, assertions, disarmed } = tallies;
	const skipped = [...skips].flatMap(([marker, { had, has }]): Weakening[] =>
		has > had ? [{ change: "skip", marker, more: has - had }] : [],
	);
	const ways = [...disarmed].flatMap(
		([by, { had, has }]): {
			readonly by: Disarmed;
			readonly change: "weaken";
			readonly more: number;
		}[] => (has > had ? [{ change: "weaken", by, more: has - had }] : []),
	);
	const fewer: readonly Weakening[] = assertsLess(tallies)
		? [{ change: "weaken", by: "number", ...assertions }]
		: [];
	// One reason is enough: what cannot fail is no longer counted, and an empty test asserts nothing.
	const isExplained = ways.some(({ by }) => by !== "empty");
	return [...skipped, ...(isExplained || fewer.length === 0 ? ways : fewer)];
}

/** Tells whether there are fewer assertions, and also fewer comparisons: helpers and tables may take the place of assertions. */
export function assertsLess({ assertions, comparisons }: TestTallies): boolean {
	return assertions.has < assertions.had && comparisons.has < comparisons.had;
}

const WAYS: Readonly<Record<Disarmed, string>> = {
	unreached: "that stand behind a return or a throw",
	never: "under a condition that is never true, or in a function that nobody calls",
	swallowed: "whose failure is caught and dropped",
	unawaited: "that nobody waits for",
	constant: "that are always true",
	empty: "in the form of an empty test",
	shadowed: "that another definition replaces",
};

/** A clause such as `"it has 1 more .skip than before"`. */
export function weakeningText(found: Weakening): string {
	if (found.change === "skip") return `it has ${found.more} more ${found.marker} than before`;
	return found.by === "number"
		? `it has fewer assertions than before (${found.had}, now ${found.has})`
		: `it has ${found.more} more assertion(s) ${WAYS[found.by]}`;
}

export function sumOf(all: readonly TestTallies[]): TestTallies {
	return {
		skips: sumByName(all.map(({ skips }) => skips)),
		assertions: all.map((one) => one.assertions).reduce(plus, { had: 0, has: 0 }),
		comparisons: all.map((one) => one.comparisons).reduce(plus, { had: 0, has: 0 }),
		disarmed: sumByName(all.map(({ disarmed }) => disarmed)),
	};
}

function sumByName<T>(all: readonly ReadonlyMap<T, Tally>[]): ReadonlyMap<T, Tally> {
	const sums = new Map<T, Tally>();
	for (const [name, tally] of all.flatMap((one) => [...one]))
		sums.set(name, plus(sums.get(name), tally));
	return sums;
}

function plus(one: Tally = { had: 0, has: 0 }, other: Tally): Tally {
	return { had: one.had + other.had, has: one.has + other.has };
}

function assertions(text: string, names: ReadonlySet<string>): number {
	const body = text.replaceAll(SILENT, "");
	const usual = new Set([...body.matchAll(ASSERTIONS)].map(({ index }) => index));
	for (const name of names) {
		const escaped = name.replaceAll("$", "\\$");
		const calls = body.matchAll(new RegExp(`(?<![\\w$.])${escaped}\\s*[.(]`, "g"));
		for (const { index } of calls) usual.add(index);
	}
	return usual.size;
}

function count(text: string, pattern: RegExp): number {
	return [...text.matchAll(pattern)].length;
}
