import { hasValue } from "../../kernel/evidence-value.ts";
import type { Evidence, TestCase } from "../evidence.ts";
import type { Moves } from "./test-changes.ts";
import type { EvidencePair } from "./tree-pair.ts";

const MAX_NAMED = 10;

/**
 * Tests that ran at the baseline and do not run any more.
 *
 * By case where both sides name cases: one that passed and is now missing or skipped. By number
 * where they do not: fewer tests ran. Evidence without a value says nothing here.
 */
export function caseChanges({ baseline, now }: EvidencePair, moves: Moves): string[] {
	return baseline.flatMap((before) => {
		const after = now.find(({ check }) => check === before.check);
		if (after === undefined || !hasValue(before.status) || !hasValue(after.status)) return [];
		return before.cases !== null && after.cases !== null
			? lostCases(before.check, before.cases, after.cases, moves)
			: fewerTests(before, after);
	});
}

function lostCases(
	check: string,
	before: readonly TestCase[],
	after: readonly TestCase[],
	moves: Moves,
): string[] {
	const status = new Map(after.map((testCase) => [testCase.id, testCase.status]));
	const lost = before.filter((testCase) => {
		if (testCase.status !== "passed") return false;
		const found = idsOf(testCase.id, moves).map((id) => status.get(id));
		return found.every((value) => value === undefined || value === "skipped");
	});
	const named = lost
		.slice(0, MAX_NAMED)
		.map(
			({ id }) =>
				`check ${check}: the test "${id}" passed before and does not run any more; restore it`,
		);
	const more = lost.length - named.length;
	return more > 0
		? [
				...named,
				`check ${check}: ${more} more tests passed before and do not run any more; restore them`,
			]
		: named;
}

/** The id, and the ids that it has if its file moved. */
function idsOf(id: string, moves: Moves): string[] {
	const moved = [...moves].filter(([from]) => id.includes(from));
	return [id, ...moved.map(([from, to]) => id.replaceAll(from, () => to))];
}

function fewerTests(before: Evidence, after: Evidence): string[] {
	if (before.counts === null || after.counts === null) return [];
	const had = before.counts.total - before.counts.skipped;
	const has = after.counts.total - after.counts.skipped;
	return has < had
		? [
				`check ${before.check}: fewer tests ran than before (${had}, now ${has}); restore those that are missing`,
			]
		: [];
}
