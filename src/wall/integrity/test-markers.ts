import { assertionNames } from "../language/bound-names.ts";
import { withoutComments } from "../reading/strip-comments.ts";

const SKIPS: readonly (readonly [string, RegExp])[] = [
	[".skip", /(?<!\b(?:mark|pytest|unittest))\.(?:skip|skipIf|runIf)\b/g],
	[".only", /\.only\b/g],
	[".todo", /\.todo\b/g],
	[".failing", /\.(?:failing|fails)\s*\(/g],
	["x-prefixed test", /\b(?:xit|xtest|xdescribe|xcontext|xspecify)\b/g],
	["focused test", /\b(?:fit|fdescribe|fcontext)\s*\(/g],
	["skip option", /\b(?:skip|only|todo)\s*:\s*(?!false\b)/g],
	["this.skip", /\bthis\.skip\s*\(/g],
	["pytest skip", /\bpytest\.(?:mark\.(?:skip|skipif)|skip|importorskip)\b/g],
	["pytest xfail", /\bpytest\.(?:mark\.)?xfail\b/g],
	["unittest skip", /@(?:unittest\.)?(?:skip|skipIf|skipUnless)\b/g],
	["expectedFailure", /@(?:unittest\.)?expectedFailure\b/g],
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
	["load_tests", /\bdef load_tests\b|\bdef pytest_(?!generate_tests\b)\w+/g],
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

/** Markers of tests that run and say nothing: a list of cases does not show them. */
const SILENCED: ReadonlySet<string> = new Set([
	".failing",
	"pytest xfail",
	"expectedFailure",
	"code that never runs",
	"conditional compilation",
	"build constraint",
	"load_tests",
]);

/** Tells whether a list of all cases shows what a marker skips. */
export function isListed(marker: string): boolean {
	return !SILENCED.has(marker);
}

const BUILD_CONSTRAINT = /^\/\/(?:go:build| ?\+build)\b/gm;

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
}

/**
 * Counts skipped or focused tests and assertions of a file in two trees. Comments do not count.
 *
 * @param path its extension determines the language
 * @param own the new text without what new cases carry; their skips do not count
 */
export function testTallies(
	base: string,
	head: string,
	path: string,
	own: string = head,
): TestTallies {
	const [before, after] = [withoutComments(base, path), withoutComments(head, path)];
	const kept = withoutComments(own, path);
	const markers = path.endsWith(".rb") ? [...SKIPS, ...RUBY_SKIPS] : SKIPS;
	const skips = new Map<string, Tally>();
	const add = (name: string, had: number, has: number): void => {
		skips.set(name, plus(skips.get(name), { had, has }));
	};
	for (const [name, pattern] of markers) add(name, count(before, pattern), count(kept, pattern));
	add("build constraint", count(base, BUILD_CONSTRAINT), count(head, BUILD_CONSTRAINT));
	const names = new Set([...assertionNames(base), ...assertionNames(head)]);
	return { skips, assertions: { had: assertions(before, names), has: assertions(after, names) } };
}

/** A way in which tests are weaker: more of a way to skip, or fewer assertions. */
export type Weakening =
	| { readonly change: "skip"; readonly marker: string; readonly more: number }
	| ({ readonly change: "weaken" } & Tally);

/** Lists how tests are weaker than before. Only numbers are compared, so rewritten tests pass. */
export function weakenings(tallies: TestTallies): Weakening[] {
	const skipped = [...tallies.skips].flatMap(([marker, { had, has }]): Weakening[] =>
		has > had ? [{ change: "skip", marker, more: has - had }] : [],
	);
	return assertsLess(tallies) ? [...skipped, { change: "weaken", ...tallies.assertions }] : skipped;
}

/** Tells whether there are fewer assertions. */
export function assertsLess({ assertions }: TestTallies): boolean {
	return assertions.has < assertions.had;
}

/** A clause such as `"it has 1 more .skip than before"`. */
export function weakeningText(found: Weakening): string {
	return found.change === "skip"
		? `it has ${found.more} more ${found.marker} than before`
		: `it has fewer assertions than before (${found.had}, now ${found.has})`;
}

export function sumOf(all: readonly TestTallies[]): TestTallies {
	const skips = new Map<string, Tally>();
	for (const [name, tally] of all.flatMap((one) => [...one.skips]))
		skips.set(name, plus(skips.get(name), tally));
	return {
		skips,
		assertions: all.map((one) => one.assertions).reduce(plus, { had: 0, has: 0 }),
	};
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
