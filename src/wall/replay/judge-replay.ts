import type { Evidence, TestCase } from "../../evidence/evidence.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import { isNamedAsFile, isWholeFile } from "../../formats/reports/empty-files.ts";
import { hasValue } from "../../kernel/evidence-value.ts";
import { ALL_EXCUSED, NOTHING_PASSED } from "./void-replay.ts";

/** Grounds of a replay's verdict. */
export interface ReplayInput {
	/** Evidence of the check on the base commit. */
	readonly before: Evidence | undefined;
	/** The check's run on the product as it is, with the player's own tests. */
	readonly own: Evidence;
	/** The check's run on the replayed tree, judged like any run. */
	readonly now: Evidence;
	/** Every test of the base has to pass, also one that was red (`baseline: strict`). */
	readonly strict: boolean;
	/** Tells whether the task allows that a case of the base is lost. */
	readonly isExcused: (caseId: string) => boolean;
	/** Number of tests that the task allows to be lost, for runs without names. */
	readonly excused: number;
	/** Tells whether the file that stands for a case, as it could not be loaded, declares tests. */
	readonly declaresTests: (caseId: string) => boolean;
}

export type ReplayVerdict = Pick<Evidence, "status" | "reason" | "details">;

/** Tells whether something passed on the base. */
export function canCompare(before: Evidence | undefined): before is Evidence {
	if (before === undefined || !hasValue(before.status)) return false;
	return before.cases === null
		? before.status === "pass"
		: before.cases.some(({ status }) => status === "passed");
}

/**
 * Judges a run of the base's own tests on the player's product. What passed on the base must pass again; what the turn
 * says is green must be green here, also where the base was red; and what ran must run. Only the task's `allow` lifts it.
 *
 * Where tests are named or counted the exit code does not matter: a threshold of coverage, say, is for the player's tests
 * as well, and the check itself is judged by it. Where the base said nothing and its tests say nothing now, the replay is
 * absent.
 *
 * @example a base with `a+ b-`, a turn with `a+ b+` and a replay with `a+ b-` give `fail`: `b` is green in the turn only
 */
export function judgeReplay(input: ReplayInput): ReplayVerdict {
	const { before, own, now } = input;
	if (!canCompare(before) && own.status !== "pass") return { ...NOTHING, details: [] };
	const verdict =
		before?.cases != null && now.cases !== null
			? judgeCases(before.cases, { ...now, cases: now.cases }, input)
			: judgeNumbers(input);
	const isSilent = !hasValue(verdict.status) && !hasValue(before?.status ?? "absent");
	if (!isSilent || !now.started) return verdict;
	return { ...NOTHING, details: verdict.reason === null ? [] : [verdict.reason] };
}

const PASSED = { status: "pass", reason: null } as const;
const NOTHING = { status: "absent", reason: NOTHING_PASSED } as const;
const EXCUSED = { status: "absent", reason: ALL_EXCUSED, details: [] } as const;

function judgeNumbers({ before, own, now, strict, excused }: ReplayInput): ReplayVerdict {
	const { reason, details, counts } = now;
	const status = now.status === "fail" && counts?.failed === 0 ? "pass" : now.status;
	const had = before?.counts ?? null;
	const red = strict || own.status === "pass" ? (had?.failed ?? 0) : 0;
	const all = (had?.passed ?? 0) + red;
	const expected = Math.max(0, all - excused);
	if (all > 0 && expected === 0 && status === "absent") return EXCUSED;
	const lost = expected - (counts?.passed ?? 0);
	if (lost <= 0 || !hasValue(status))
		return status === "pass" ? { ...PASSED, details: [] } : { status, reason, details };
	return {
		status: "fail",
		reason: `${lost} of ${all} tests of the base did not pass${red > 0 ? "" : " again"}`,
		details,
	};
}

type Named = Evidence & { readonly cases: readonly TestCase[] };

function judgeCases(before: readonly TestCase[], now: Named, input: ReplayInput): ReplayVerdict {
	const { isExcused } = input;
	const after = new Map(now.cases.map((one) => [one.id, one]));
	const known = new Set(before.map(({ id }) => id));
	const runs = { after, known, turn: statusesIn(input.own) };
	const bound = before.filter(({ id }) => !isExcused(id));
	const judged = bound.map((one) => ({ one, stand: standOf(one, runs, input) }));
	const lost = judged.filter(({ stand }) => stand === "lost").map(({ one }) => one);
	const owed = judged.filter(({ stand }) => stand !== "free").length;
	const failing = now.cases.filter(({ status }) => status === "failed");
	const fresh = failing.filter(({ id }) => !known.has(id) && !isExcused(id));
	const details = [
		...lost.map((one) => lostText(one, after.get(one.id))),
		...fresh.map((one) => [one.id, one.message ?? []].flat().join(": ")),
	];
	if (lost.length > 0) {
		const reason = `${lost.length} of ${owed} tests of the base do not pass on this product`;
		return { status: "fail", reason, details };
	}
	if (fresh.length > 0) {
		return { status: "fail", reason: "the tests of the base fail on this product", details };
	}
	const { status, reason } = now;
	if (hasValue(status)) return { ...PASSED, details: [] };
	const hadPassed = (cases: readonly TestCase[]): boolean => cases.some(isPassed);
	return hadPassed(before) && !hadPassed(bound)
		? EXCUSED
		: { status, reason, details: now.details };
}

const isPassed = ({ status }: TestCase): boolean => status === "passed";

interface Replayed {
	readonly after: ReadonlyMap<string, TestCase>;
	readonly known: ReadonlySet<string>;
	readonly turn: (id: string) => TestCase["status"] | undefined;
}

function standOf(
	one: TestCase,
	runs: Replayed,
	{ strict, declaresTests }: Pick<ReplayInput, "strict" | "declaresTests">,
): "kept" | "free" | "lost" {
	const found = runs.after.get(one.id)?.status;
	if (found === "passed") return "kept";
	const turn = runs.turn(one.id);
	const isOpen = one.status === "failed" && turn === "failed" && !strict;
	if (isOpen && found === "failed") return "free";
	if (found === undefined && isOfFile(one)) {
		if (isPassed(one) || !declaresTests(one.id)) return "free";
		return hasLoaded(one.id, runs) ? "kept" : "lost";
	}
	// So it may be with the base's tests.
	const isStillOut = found === "skipped" || (found === undefined && turn !== "passed");
	return one.status === "skipped" && isStillOut ? "free" : "lost";
}

/** Tells whether a case stands for a file: one that could not be loaded, or one without tests, such as a helper. */
function isOfFile(one: TestCase): boolean {
	const name = one.id.split(" > ").at(-1) ?? one.id;
	return isWholeFile(one) || (isPassed(one) && isNamedAsFile(name));
}

/** A green run without names says of all that they passed. */
function statusesIn({ cases, status }: Evidence): Replayed["turn"] {
	if (cases === null) return () => (status === "pass" ? "passed" : "failed");
	const found = new Map(cases.map((one) => [one.id, one.status]));
	return (id) => found.get(id);
}

/**
 * Tells whether a file that the base could not load has brought tests that pass. Where ids name no files, any new one may be
 * its: what the player added is not part of a replay.
 */
function hasLoaded(id: string, { after, known }: Pick<Replayed, "after" | "known">): boolean {
	const parts = id.split(" > ").filter((part) => !/^\(\w+\)$/.test(part));
	const file = parts.at(-1) ?? id;
	const fresh = [...after.values()].filter((one) => isPassed(one) && !known.has(one.id));
	const namesFiles = [...after.keys()].some((other) => {
		const [first = ""] = other.split(" > ");
		// So node:test calls them all.
		if (other === first || first === "test") return false;
		return [first, `${first.replaceAll(".", "/")}.py`].some(isTestFile);
	});
	return fresh.some((one) => one.id.includes(file) || !namesFiles);
}

function lostText({ id, status }: TestCase, found: TestCase | undefined): string {
	if (found === undefined) return `${id}: did not run`;
	if (found.status !== "failed")
		return `${id}: ${found.status === "skipped" ? "was skipped" : "brought no test that passes"}`;
	const where = status === "failed" ? "with the base's tests it is still red" : "";
	return [id, where, found.message ?? ""].filter((part) => part !== "").join(": ");
}
