import type { Evidence, TestCase } from "../../evidence/evidence.ts";
import { isWholeFile } from "../../formats/reports/empty-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import { hasValue } from "../../kernel/evidence-value.ts";
import type { AllowedKind } from "../../workflow/workflow.ts";
import type { EvidencePair } from "../reading/tree-pair.ts";
import { allowanceFor, final, type Violation } from "../reading/violation.ts";
import { moduleOf } from "./case-homes.ts";
import type { Moves } from "./test-moves.ts";

type Runs = Pick<EvidencePair, "baseline" | "now">;

const MAX_NAMED = 10;

/**
 * Tests that ran at the baseline, passing or failing, and no longer run.
 *
 * If both sides name cases: cases that ran and are now missing or skipped, except those that stand for a file that did
 * not load. Otherwise: whether fewer tests ran. Evidence without a value is not compared.
 */
export function caseChanges({ baseline, now }: Runs, known: CaseKnowledge): Violation[] {
	return baseline.flatMap((before) => {
		const after = now.find(({ check }) => check === before.check);
		if (after === undefined || !hasValue(before.status) || !hasValue(after.status)) return [];
		return before.cases !== null && after.cases !== null
			? lostCases(before.check, before.cases, after.cases, known)
			: fewerTests(before, after, known.mayLose).map((text) => final("", text));
	});
}

export interface CaseKnowledge {
	readonly moves: Moves;
	/** Tells whether a case may be missing, or be skipped while it is there. */
	readonly isForgiven: (caseId: string, isSkipped: boolean) => boolean;
	readonly homeOf: (caseId: string) => FileChange | undefined;
	readonly mayLose: number;
}

/**
 * Tells whether tests that no longer run were replaced by as many others, as when a table of cases takes the place of single
 * tests: some are lost, and at least as many passed as before. Without names of cases only the assertions tell.
 */
export function replacesTests({ baseline, now }: Runs): boolean {
	const pairs = baseline.flatMap((before) => {
		const after = now.find(({ check }) => check === before.check);
		return before.kind === "acceptance"
			? [{ before: before.cases, after: after?.cases ?? null }]
			: [];
	});
	let lost = 0;
	for (const { before, after } of pairs) {
		if (before === null || after === null) return false;
		const passed = new Set(passedIn(after));
		const had = passedIn(before);
		if (passed.size < had.length) return false;
		lost += had.filter((id) => !passed.has(id)).length;
	}
	return lost > 0;
}

function passedIn(cases: readonly TestCase[]): string[] {
	return cases.filter(({ status }) => status === "passed").map(({ id }) => id);
}

/**
 * Tells whether the acceptance checks name every test on both sides, so that each missing test is found. A file that did not
 * load at the baseline hides its tests.
 */
export function namesEveryCase({ baseline, now }: Runs): boolean {
	const acceptance = baseline.filter(({ kind }) => kind === "acceptance");
	return (
		acceptance.length > 0 &&
		acceptance.every((before) => {
			const after = now.find(({ check }) => check === before.check);
			if (after === undefined || !hasValue(before.status) || !hasValue(after.status)) return false;
			return after.cases !== null && before.cases?.every((one) => !isWholeFile(one)) === true;
		})
	);
}

function lostCases(
	check: string,
	before: readonly TestCase[],
	after: readonly TestCase[],
	{ moves, isForgiven, homeOf }: CaseKnowledge,
): Violation[] {
	const status = new Map(after.map((testCase) => [testCase.id, testCase.status]));
	const lost = before.filter((testCase) => {
		if (testCase.status === "skipped" || isWholeFile(testCase)) return false;
		const found = idsOf(testCase.id, moves).map((id) => status.get(id));
		if (isForgiven(testCase.id, found.includes("skipped"))) return false;
		return found.every((value) => value === undefined || value === "skipped");
	});
	const found = lost.map(({ id }): LostCase => {
		const home = homeOf(id);
		const kind: AllowedKind = status.get(id) === "skipped" ? "skip" : "weaken";
		return { id, home, change: home?.kind === "modified" ? kind : null };
	});
	// Each that one allowance lets go is let go by it, so none of them is told as more than it.
	const together = Map.groupBy(found, ({ home, change }) => `${home?.path ?? ""}\n${change}`);
	return [...together.values()].flatMap((same) => {
		const violation = ({ home, change }: LostCase, text: string): Violation =>
			home === undefined || change === null ? final("", text) : { path: home.path, change, text };
		const named = same.slice(0, MAX_NAMED).map((one) => violation(one, lostText(check, one)));
		const [next, ...more] = same.slice(MAX_NAMED);
		if (next === undefined) return named;
		const rest = `check ${check}: ${more.length + 1} more tests ran before but no longer run; restore them`;
		return [...named, violation(next, rest)];
	});
}

interface LostCase {
	readonly id: string;
	readonly home: FileChange | undefined;
	readonly change: AllowedKind | null;
}

function lostText(check: string, { id, home, change }: LostCase): string {
	const way =
		home === undefined
			? ""
			: `, or say in the task that it may go: ${entryFor(home, change ?? allowanceFor(home))}`;
	return `check ${check}: the test "${id}" ran before but no longer runs; restore it${way}`;
}

const entryFor = ({ path }: FileChange, change: AllowedKind | null): string =>
	`allow: [{ path: ${JSON.stringify(path)}, change: ${change}, reason: "..." }]`;

function idsOf(id: string, moves: Moves): string[] {
	const moved = [...moves].flatMap(([from, to]) => [
		[from, to] as const,
		[moduleOf(from), moduleOf(to)] as const,
	]);
	return [
		id,
		...moved
			.filter(([from]) => id.includes(from))
			.map(([from, to]) => id.replaceAll(from, () => to)),
	];
}

function fewerTests(before: Evidence, after: Evidence, mayLose: number): string[] {
	if (before.counts === null || after.counts === null) return [];
	const had = before.counts.total - before.counts.skipped;
	const has = after.counts.total - after.counts.skipped;
	return has < had - mayLose
		? [
				`check ${before.check}: fewer tests ran than before (${had}, now ${has}); restore the missing tests`,
			]
		: [];
}
