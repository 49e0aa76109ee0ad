import { hasValue } from "../../kernel/evidence-value.ts";
import type { Evidence, TestCase } from "../evidence.ts";

/** What a replay is judged by. */
export interface ReplayInput {
	/** Evidence of the check on the base commit. */
	readonly before: Evidence | undefined;
	/** The check's run on the replayed tree, judged like any run. */
	readonly now: Evidence;
	/** Whether the task allows that a case of the base is lost. */
	readonly isExcused: (caseId: string) => boolean;
	/** Number of tests that the task allows to be lost, for runs without names. */
	readonly excused: number;
}

/** What a replay shows of the player's product. */
export type ReplayVerdict = Pick<Evidence, "status" | "reason" | "details">;

/** Whether the base has results that a replay could be compared with. */
export function canCompare(before: Evidence | undefined): before is Evidence {
	if (before === undefined || !hasValue(before.status)) return false;
	return before.cases === null
		? before.status === "pass"
		: before.cases.some(({ status }) => status === "passed");
}

/**
 * Judges a run of the base's own tests on the player's product: what passed on the base must pass again, unless the task
 * allows otherwise. A case that did not run again is missing, not passed. Where tests are named or counted the exit code
 * does not matter: a threshold of coverage, say, is for the player's tests as well, and the check itself is judged by it.
 *
 * @example a base with `a+ b-` and a replay with `a-` gives `fail`; one with `a+ b-` gives `pass`
 */
export function judgeReplay({ before, now, isExcused, excused }: ReplayInput): ReplayVerdict {
	if (!canCompare(before)) return { ...PASSED, details: [NOTHING] };
	if (before.cases !== null && now.cases !== null) {
		return judgeCases(before.cases, { ...now, cases: now.cases }, isExcused);
	}
	const { reason, details, counts } = now;
	const status = now.status === "fail" && counts?.failed === 0 ? "pass" : now.status;
	const expected = Math.max(0, (before.counts?.passed ?? 0) - excused);
	if (before.counts !== null && expected === 0 && status === "absent")
		return { ...PASSED, details: [EXCUSED] };
	const lost = expected - (counts?.passed ?? 0);
	if (before.counts === null || lost <= 0 || !hasValue(status))
		return status === "pass" ? { ...PASSED, details: [] } : { status, reason, details };
	return {
		status: "fail",
		reason: `${lost} of ${before.counts.passed} tests of the base did not pass again`,
		details,
	};
}

const PASSED = { status: "pass", reason: null } as const;
const EXCUSED = "the task allows that every test of the base is lost";
const NOTHING = "nothing passed on the base, so there is nothing to compare";

type Named = Evidence & { readonly cases: readonly TestCase[] };

function judgeCases(
	before: readonly TestCase[],
	now: Named,
	isExcused: ReplayInput["isExcused"],
): ReplayVerdict {
	const after = new Map(now.cases.map((one) => [one.id, one]));
	const known = new Set(before.map(({ id }) => id));
	const passed = before.filter(({ id, status }) => status === "passed" && !isExcused(id));
	const lost = passed.filter(({ id }) => after.get(id)?.status !== "passed");
	const failing = now.cases.filter(({ status }) => status === "failed");
	const fresh = failing.filter(({ id }) => !known.has(id) && !isExcused(id));
	const details = [
		...lost.map(({ id }) => lostText(id, after.get(id))),
		...fresh.map((one) => lostText(one.id, one)),
	];
	if (lost.length > 0) {
		const reason = `${lost.length} of ${passed.length} tests of the base do not pass on this product`;
		return { status: "fail", reason, details };
	}
	if (fresh.length > 0) {
		return { status: "fail", reason: "the tests of the base fail on this product", details };
	}
	if (passed.length === 0) return { ...PASSED, details: [EXCUSED] };
	const { status, reason } = now;
	if (hasValue(status)) return { ...PASSED, details: [] };
	return { status, reason, details: now.details };
}

function lostText(id: string, found: TestCase | undefined): string {
	if (found === undefined) return `${id}: did not run`;
	if (found.status === "skipped") return `${id}: was skipped`;
	return found.message === undefined ? id : `${id}: ${found.message}`;
}
