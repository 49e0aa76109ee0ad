/** Ways to keep tests from running, each with the name under which it is reported. */
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
	["@Disabled", /@(?:Disabled|Ignore)\w*/g],
	["markTestSkipped", /\bmarkTest(?:Skipped|Incomplete)\s*\(/g],
	["[Ignore]", /\[(?:Ignore|Explicit)\b|\bSkip\s*=\s*"/g],
	["pending", /\bpending\s*(?:\(|["'])/g],
	["@tag :skip", /@tag\s+:?skip\b/g],
];

const ASSERTIONS =
	/\b(?:expect\w*|assert\w*!?|refute\w*|verify|must_\w+|wont_\w+|pytest\.raises|XCTAssert\w*)\b|\.should\b|\bshould\.|\brequire\.[A-Z]\w*|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|not|equal|equals|notEqual|same|notSame|strictSame|deepEqual|notDeepEqual|deepEquals|like|true|false|truthy|falsy|ok|notOk|throws|throwsAsync|rejects|match|regex|snapshot|pass|fail)\s*\(/g;

/** Lines that are nothing but a comment, in whatever language. */
const COMMENT = /^\s*(?:\/\/|#(?!\[))/;

/** Further lines that assert nothing: block comments, and imports of an assertion library. */
const SILENT =
	/^\s*(?:\/?\*|import\b|from\b|use\b|using\b|(?:const|let|var)\b[^=]*=\s*require\s*\()/;

/**
 * How a test file is weaker than it was: newly skipped or focused tests, or fewer assertions.
 * Comments do not count. What it compares are numbers: tests that were rewritten pass.
 *
 * @returns one clause each, such as `"1 more .skip than before"`; empty when it is not weaker
 */
export function weakenings(base: string, head: string): string[] {
	const [before, after] = [without(base, COMMENT), without(head, COMMENT)];
	const found = SKIPS.flatMap(([name, pattern]) => {
		const more = count(after, pattern) - count(before, pattern);
		return more > 0 ? [`it has ${more} more ${name} than before`] : [];
	});
	const had = count(without(before, SILENT), ASSERTIONS);
	const has = count(without(after, SILENT), ASSERTIONS);
	return has < had ? [...found, `it has fewer assertions than before (${had}, now ${has})`] : found;
}

function without(text: string, lines: RegExp): string {
	const kept = text.split("\n").filter((line) => !lines.test(line));
	return kept.join("\n");
}

function count(text: string, pattern: RegExp): number {
	return [...text.matchAll(pattern)].length;
}
