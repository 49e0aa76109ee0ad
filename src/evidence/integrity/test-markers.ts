import { withoutComments } from "./strip-comments.ts";

/** Ways to skip tests, each with the name to report. */
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
	["Assume", /\bassum(?:e|ption)(?:True|False|That)\s*\(|\bAssume\.\w+/g],
];

/** Only for Ruby; in other languages `skip` is a common function name. */
const RUBY_SKIPS: readonly (readonly [string, RegExp])[] = [
	["skip", /^[ \t]*skip\b(?!\s*[=.])/gm],
	["pending", /^[ \t]*pending\b(?!\s*[=.("'])/gm],
];

/** Comments that exclude a file from the build, searched in the whole text. */
const DIRECTIVES: readonly (readonly [string, RegExp])[] = [
	["build constraint", /^\/\/(?:go:build| ?\+build)\b/gm],
];

const ASSERTIONS =
	/\b(?:expect\w*|assert\w*!?|refute\w*|verify|must_\w+|wont_\w+|pytest\.raises|XCTAssert\w*)\b|\.should\b|\bshould\.|\brequire\.[A-Z]\w*|\bt\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow|is|not|equal|equals|notEqual|same|notSame|strictSame|deepEqual|notDeepEqual|deepEquals|like|true|false|truthy|falsy|ok|notOk|throws|throwsAsync|rejects|match|regex|snapshot|pass|fail)\s*\(/g;

/** Imports of an assertion library, which assert nothing. */
const SILENT =
	/^[ \t]*(?:(?:import|from|use|using)\b[^;\n]*(?:;|$)|(?:const|let|var)\b[^=\n]*=\s*require\s*\([^)\n]*\)[^;\n]*(?:;|$))/gm;

/**
 * How a test file is weaker than before: newly skipped or focused tests, or fewer assertions. Comments do not count.
 * Only numbers are compared, so rewritten tests pass.
 *
 * @param path its extension determines the language
 * @returns clauses such as `"it has 1 more .skip than before"`; empty when it is not weaker
 */
export function weakenings(base: string, head: string, path: string): string[] {
	const [before, after] = [withoutComments(base, path), withoutComments(head, path)];
	const skips = path.endsWith(".rb") ? [...SKIPS, ...RUBY_SKIPS] : SKIPS;
	const found = [...more(skips, before, after), ...more(DIRECTIVES, base, head)];
	const names = new Set([...assertionNames(base), ...assertionNames(head)]);
	const had = assertions(before, names);
	const has = assertions(after, names);
	if (has < had) found.push(`it has fewer assertions than before (${had}, now ${has})`);
	return found;
}

function more(
	markers: readonly (readonly [string, RegExp])[],
	before: string,
	after: string,
): string[] {
	return markers.flatMap(([name, pattern]) => {
		const added = count(after, pattern) - count(before, pattern);
		return added > 0 ? [`it has ${added} more ${name} than before`] : [];
	});
}

/** Counts assertions by common names, and calls of names that the file imports from an assertion library. */
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

/** Assertion libraries. */
const LIBRARIES =
	/^(?:node:assert(?:\/strict)?|assert(?:\/strict)?|chai|uvu\/assert|expect|should|power-assert|tape|@std\/assert|jsr:@std\/assert)$/;

const IMPORT = /\bimport\s+([^;"']*?)\s+from\s+["']([^"']+)["']/g;
const REQUIRE = /\b(?:const|let|var)\s+([^=;]+?)\s*=\s*require\s*\(\s*["']([^"']+)["']\s*\)/g;

/**
 * Local names of assertion functions in a JavaScript or TypeScript file, from default, namespace and named imports and
 * from `require`.
 *
 * @example `import a, { equal as eq } from "node:assert"` gives `["a", "eq"]`
 */
export function assertionNames(text: string): string[] {
	const names = new Set<string>();
	for (const pattern of [IMPORT, REQUIRE]) {
		for (const [, clause = "", module = ""] of text.matchAll(pattern)) {
			if (LIBRARIES.test(module)) for (const name of boundNames(clause)) names.add(name);
		}
	}
	return [...names];
}

/** `a, { b as c, d: e }` binds `a`, `c` and `e`; `* as n` binds `n`. */
function boundNames(clause: string): string[] {
	return clause
		.split(/[{},]/)
		.map(
			(part) =>
				part
					.trim()
					.split(/\s+as\s+|\s*:\s*/)
					.at(-1) ?? "",
		)
		.filter((name) => /^[\w$]+$/.test(name) && name !== "type");
}
