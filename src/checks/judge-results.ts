import type { TestCase, TestCounts } from "../evidence/evidence.ts";
import type { ReportCounts } from "../formats/reports/parsed-report.ts";
import type { BaselineView, Judgement } from "./judgement.ts";
import { idsOf } from "./uncounted.ts";

/** A case that failed at the baseline and still fails is known and does not count. */
export function judgeResults(
	results: { readonly counts: ReportCounts; readonly cases: readonly TestCase[] | null },
	exitCode: number,
	baseline: BaselineView | undefined,
): Judgement {
	const { newly, known } = splitFailing(results.cases, baseline);
	const counts: TestCounts = {
		...results.counts,
		failed: results.counts.failed - known.length,
		knownFailing: known.length,
	};
	const details = [...newly.map(described), ...known.map(({ id }) => `known failing: ${id}`)];
	const judged = (status: Judgement["status"], reason: string | null): Judgement => {
		return { status, reason, counts, details, started: true };
	};
	const ran = counts.total - counts.skipped;
	if (ran === 0) return judged("absent", `no tests ran (exit code ${exitCode})`);
	const unnamed = results.cases === null ? "; their names are not known" : "";
	if (counts.failed > 0) return judged("fail", `${counts.failed} of ${ran} tests failed${unnamed}`);
	if (counts.passed === 0) {
		return judged("absent", "only tests ran that also failed at the baseline");
	}
	if (exitCode === 0) return judged("pass", null);
	const unexplained = whyUnexplained(counts, baseline);
	return unexplained === undefined
		? judged("pass", null)
		: judged("fail", `exit code ${exitCode}, although ${unexplained}`);
}

export function failsNewly(judgement: Judgement, baseline: BaselineView, named: boolean): boolean {
	if (judgement.results !== undefined) {
		return baseline.results !== undefined && judgement.results.fresh > 0;
	}
	return named && baseline.cases !== null && (judgement.counts?.failed ?? 0) > 0;
}

function described({ id, message }: TestCase): string {
	return message === undefined ? id : `${id}: ${message}`;
}

export function failedIds(cases: readonly TestCase[] | null | undefined): ReadonlySet<string> {
	return new Set(idsOf(cases ?? null, "failed"));
}

/** The cases that failed: those of this work, and those that also failed at the baseline. */
export function splitFailing(
	cases: readonly TestCase[] | null,
	baseline: Pick<BaselineView, "cases"> | undefined,
): { newly: readonly TestCase[]; known: readonly TestCase[] } {
	const failing = (cases ?? []).filter(({ status }) => status === "failed");
	const before = failedIds(baseline?.cases);
	return {
		newly: failing.filter(({ id }) => !before.has(id)),
		known: failing.filter(({ id }) => before.has(id)),
	};
}

function whyUnexplained(
	counts: TestCounts,
	baseline: BaselineView | undefined,
): string | undefined {
	if (counts.knownFailing === 0) return "no test failed";
	if (baseline?.exitCode === 0) {
		return "the baseline exited with 0 despite the same failing tests";
	}
	if (counts.total < (baseline?.counts?.total ?? 0)) {
		return `only known tests failed, but ${counts.total} tests are reported and ${baseline?.counts?.total} at the baseline`;
	}
	return undefined;
}
