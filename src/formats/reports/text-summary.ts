import type { TestCase } from "../../evidence/evidence.ts";
import { CaseList, countsReport, type ParsedReport, type ReportCounts } from "./parsed-report.ts";
import { type Bucket, SUMMARIES, type Summary, type SummaryRunner } from "./summaries.ts";

const LABELS: Readonly<Record<Bucket, string>> = {
	total:
		"tests, test, total, total tests, tests run, ran, examples, example, runs, specs, spec, doctests, doctest, properties, property, tests completed, test completed",
	run: "ran to end",
	passed:
		"pass, passed, passing, succeeded, successes, xpassed, ok, flaky, known, expected fail, expected failure, expected failures, expectedfailures, measured, test passed, tests passed, known failure, known failures",
	failed:
		"fail, failed, failing, failure, failures, error, errors, cancelled, unexpected success, unexpected successes, test failed, tests failed, invalid, interrupted, timed out, exec failed, uncaught exception, uncaught exceptions, unhandled rejection, unhandled rejections, subtests failed, leaky, error occurred outside of examples, errors occurred outside of examples",
	skipped:
		"skip, skips, skipped, pending, pendings, todo, todos, xfailed, excluded, ignored, incomplete, omissions, omission, did not run, not run, disabled, test skipped, tests skipped, test todo, tests todo",
	ignored:
		"deselected, warning, warnings, rerun, suites, assertions, assertion, filtered out, risky, deprecations, notices, notifications, duration_ms, flakes, subtests passed, subtests skipped, subtests xfailed, slow, deprecated, notice, phpunit deprecations, phpunit warnings, phpunit notices, files, snapshots, test files, uncovered",
};

const BUCKET_OF: ReadonlyMap<string, Bucket> = new Map(
	// Its keys are those of the record above.
	(Object.keys(LABELS) as Bucket[]).flatMap((bucket) =>
		LABELS[bucket].split(", ").map((label) => [label, bucket] as const),
	),
);

const LABEL_FIRST = /([a-z][a-z _]*?)(?: *[:=] *| +)(\d+)/gi;
const NUMBER_FIRST = /(\d+) +([a-z]+(?: [a-z]+)*)/gi;

/**
 * The sum of all summaries of a runner: a script that runs it in several packages prints one for each.
 *
 * @returns null when there is none; `invalid` when a summary contradicts itself, or has an unknown label
 * @example `Tests run: 5, Failures: 0, Errors: 0, Skipped: 1` gives 4 passed of 5
 */
export function sumSummaries(runner: SummaryRunner, text: string): ParsedReport | null {
	const sum = { passed: 0, failed: 0, skipped: 0 };
	let found = false;
	for (const summary of SUMMARIES[runner]) {
		for (const match of text.matchAll(summary.pattern)) {
			found = true;
			const counts = countsIn(summary, match);
			if (typeof counts === "string") {
				const line = match[0].trim().replaceAll(/\s*\n\s*/g, " / ");
				return { kind: "invalid", reason: `${counts}: "${line.slice(-200)}"` };
			}
			sum.passed += counts.passed;
			sum.failed += counts.failed;
			sum.skipped += counts.skipped;
		}
		const hidden = summary.skips === undefined ? 0 : [...text.matchAll(summary.skips)].length;
		sum.skipped += Math.min(hidden, sum.passed);
		sum.passed = Math.max(0, sum.passed - hidden);
	}
	if (!found) return null;
	const report = countsReport(sum);
	return report.kind === "counts" ? (namedCases(runner, text, report.counts) ?? report) : report;
}

const STATUS: Readonly<Record<string, TestCase["status"]>> = { ok: "passed", ignored: "skipped" };

function namedCases(
	runner: SummaryRunner,
	text: string,
	counts: ReportCounts,
): ParsedReport | undefined {
	const list = new CaseList();
	for (const { cases } of SUMMARIES[runner])
		for (const [, name = "", word = ""] of cases === undefined ? [] : text.matchAll(cases))
			list.add([name], STATUS[word] ?? "failed");
	return list.agreeing(counts);
}

const LIKE_SUMMARY =
	/^.*(?:\b\d+ *(?:tests?|specs?|examples?|passed|failed|passing|failing|failures?|ok)\b|\b(?:tests?|passed|failed|failures?)(?: run)? *[:=] *\d+|\bno tests?\b).*$/gim;

/** The last line of an output that looks like a summary of tests. Undefined: there is none. */
export function likelySummary(text: string): string | undefined {
	return [...text.slice(-200_000).matchAll(LIKE_SUMMARY)].at(-1)?.[0].trim().slice(0, 200);
}

const NO_TESTS =
	/(?<![\d.,])0 (?:tests?|specs?|examples?|runs|items|passed|passing|total|scenarios)\b(?! (?:failed|skipped|ignored|pending|todo|did|errors?|aborted|cancelled|canceled|disabled|failing|failures?|filtered|measured|excluded))|\btests?(?: run| suites?)?: +0(?![\d.]| [a-z])|\btotal(?: tests): +0(?![\d.])|\bno (?:\w+ )?(?:tests?|specs?|examples|test (?:files|cases|suites)|scenarios)(?: files?| cases?)? (?:were |was |have been |are )?(?:found|ran|run|executed|collected|discovered|to run|matched|matching|available|specified)\b|\bno test is available\b|\[no tests to run\]|\bno tests$|^(?:ℹ|#) tests 0$|^1\.\.0\b|^make(?:\[\d+\])?: (?:['`][^'\n]*' is up to date|Nothing to be done for ['`][^'\n]*')\.$/im;

const SOME_TESTS =
	/(?<![\d.,])[1-9]\d* (?:tests?|specs?|examples?|scenarios|passed|passing)\b(?! (?:files?|suites?))|\b(?:tests?(?: run)?|passed): +[1-9]|^ok {2}\t\S+\t\S+$/im;

/** The line of an output that says that no test ran, where none says that some did; undefined: none does. */
export function saysNoTests(text: string): string | undefined {
	const found = NO_TESTS.exec(text);
	if (found === null || SOME_TESTS.test(text)) return undefined;
	const start = text.lastIndexOf("\n", found.index) + 1;
	return text.slice(start).split("\n", 1)[0]?.trim().slice(0, 200);
}

// A text says why it is not believed.
function countsIn(summary: Summary, match: RegExpMatchArray): Omit<ReportCounts, "total"> | string {
	const counted = summary.counted?.(match) ?? match[1] ?? match[0];
	const sums = { total: 0, run: 0, passed: 0, failed: 0, skipped: 0, ignored: 0 };
	const stated = new Set<Bucket>();
	const order = summary.order === "label" ? LABEL_FIRST : NUMBER_FIRST;
	for (const [, one = "", other = ""] of counted.matchAll(order)) {
		const [label, count] = summary.order === "label" ? [one, other] : [other, one];
		const word = label.trim().toLowerCase();
		const bucket = summary.labels?.[word] ?? BUCKET_OF.get(word);
		if (bucket === undefined)
			return `its summary counts "${word}", which is no known word, in the line`;
		stated.add(bucket);
		sums[bucket] += Number(count);
	}
	const { total, run, passed, failed, skipped } = sums;
	if (stated.has("run")) return { passed, failed: Math.max(0, run - passed), skipped };
	if (!stated.has("total")) return { passed, failed, skipped };
	// An error outside of a test, such as a module that does not load, is no test of the total.
	if (summary.passed === "rest")
		return { passed: Math.max(0, total - failed - skipped), failed, skipped };
	return total === passed + failed + skipped
		? { passed, failed, skipped }
		: `its summary states ${total} tests, but its counts do not add up, in the line`;
}
