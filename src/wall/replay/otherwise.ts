import type { Evidence } from "../../evidence/evidence.ts";
import { counted } from "../../kernel/counted.ts";
import { checkBehind } from "../../kernel/replayed.ts";
import { declared } from "../integrity/declarations.ts";
import {
	type EmptyFinder,
	excusesIn,
	excusesOf,
	homesAmong,
	isOwnCase,
	joinedExcuses,
} from "../integrity/excuses.ts";
import { isCode } from "../reading/test-places.ts";
import type { Otherwise } from "../reading/tree-pair.ts";
import { type Suspicion, suspicion } from "../suspicion.ts";
import type { ReplayInput } from "./judge-replay.ts";
import { redIn } from "./unsteady.ts";
import { ALL_EXCUSED, ALL_OTHERWISE } from "./void-replay.ts";

const OTHERWISE = "of the base left out: the work changed what they expect, or has them no longer";
const ALLOWED = "of the base left out, as the task allows";
const EACH = ": expects something else now";

/** A file of the base's tests that the work changed or deleted. */
export interface ChangedTest {
	readonly path: string;
	/** Its text on the base. */
	readonly text: string;
	/** Names of its cases that are gone, each with something of the product that it names. */
	readonly gone: readonly string[];
	/** Set where the file is. */
	readonly isGone: boolean;
}

/**
 * Cases for which a replay is red, where they were green on the base and the work's own tests are green: the product may do
 * something else than before, and the tests along with it. Empty where something else makes it red.
 */
export function redForOtherTests(
	sides: Pick<ReplayInput, "before" | "own" | "isExcused">,
	found: Evidence,
): readonly string[] {
	const { before, own } = sides;
	if (found.status !== "fail" || own.status !== "pass") return [];
	if (before?.cases == null || found.cases === null) return [];
	const was = new Map(before.cases.map((one) => [one.id, one.status]));
	const red = redIn(sides, found);
	// What was red before is no other expectation.
	if (red.some((id) => was.has(id) && was.get(id) !== "passed")) return [];
	return red.filter((id) => was.has(id));
}

/** Tells whether a replay without names of cases may be red for changed tests: all were green on the base, and the work's are. */
export function mayBeOfOthers(
	{ before, own }: Pick<ReplayInput, "before" | "own">,
	found: Evidence,
): boolean {
	const isNumbered = before?.cases === null || found.cases === null;
	const wasGreen = before?.status === "pass" && before.counts?.failed === 0;
	return found.status === "fail" && own.status === "pass" && isNumbered && wasGreen;
}

/** Of the changed files those that may explain red cases: those whose cases they are, and helpers and data, which bring none. */
export function otherwiseFiles(
	red: readonly string[],
	changed: readonly ChangedTest[],
): readonly ChangedTest[] {
	if (red.length === 0) return [];
	const among = homesAmong(changed);
	const isOf = (id: string, file: ChangedTest): boolean => isOwnCase(id, file, among);
	const homes = changed.filter((file) => {
		const isHome = isCode(file.path) && declared(file.text, file.path) > 0;
		return isHome && red.some((id) => isOf(id, file));
	});
	const isBeside = ({ path, text }: ChangedTest): boolean =>
		!isCode(path) || declared(text, path) === 0;
	const told = red.every((id) => homes.some((file) => isOf(id, file)));
	return told ? homes : [...homes, ...changed.filter(isBeside)];
}

/** Counts without so many that passed. */
const less = (counts: Evidence["counts"], passed: number): Evidence["counts"] =>
	counts && { ...counts, total: counts.total - passed, passed: counts.passed - passed };

/** A replay without the cases that stand empty in it: they passed by saying nothing. */
export function withoutEmpty(found: Evidence, emptyIn: EmptyFinder): Evidence {
	const empty = emptyIn(found.cases);
	const count = Math.min(empty.count, found.counts?.passed ?? empty.count);
	if (count === 0) return found;
	const cases = found.cases?.filter((one) => !empty.cases.has(one)) ?? null;
	const reason = found.reason ?? `${counted(count, "test")} ${ALLOWED}`;
	return { ...found, cases, counts: less(found.counts, count), reason };
}

/** A replay without changed tests, as the result of one that was red for them; null where it is red still. */
export function asOtherwise(
	again: Evidence,
	red: readonly string[],
	emptyIn: EmptyFinder,
): Evidence | null {
	const details = [...red.map((id) => `${id}${EACH}`), ...again.details];
	if (again.reason === ALL_EXCUSED) return { ...again, reason: ALL_OTHERWISE, details };
	if (again.status !== "pass") return null;
	// What kept a file from loading was in none of its cases.
	if (red.length === 0) return again;
	const isRed = new Set(red);
	const all = again.cases ?? [];
	const empty = emptyIn(all).cases;
	const left = all.filter((one) => !isRed.has(one.id) && !empty.has(one));
	const passed = all.filter((one) => one.status === "passed" && !left.includes(one)).length;
	const absent = red.filter((id) => !all.some((one) => one.id === id)).length;
	const reason = `${counted(all.length - left.length + absent, "test")} ${OTHERWISE}`;
	// Without names those are meant that were red.
	const counts = less(again.counts, again.cases === null ? red.length : passed);
	return { ...again, cases: again.cases === null ? null : left, counts, reason, details };
}

/** Cases of the base that expect something else in the work. */
export function otherwiseIn(evidence: readonly Evidence[]): readonly string[] {
	return evidence.flatMap(({ kind, reason, details }) => {
		const isOther = reason?.endsWith(OTHERWISE) === true || reason === ALL_OTHERWISE;
		const told = kind === "replay" && isOther ? details : [];
		return told.flatMap((line) => (line.endsWith(EACH) ? [line.slice(0, -EACH.length)] : []));
	});
}

/**
 * Suspicion of cases that a later replay leaves out, and an earlier one did not: nobody was asked about them. Empty without
 * such a case.
 */
export function lateOtherwise(
	later: readonly Evidence[],
	earlier: readonly Evidence[],
): Suspicion[] {
	const known = new Set(otherwiseIn(earlier));
	const late = otherwiseIn(later).filter((id) => !known.has(id));
	if (late.length === 0) return [];
	const text = late.map((id) => `= ${id}`).join("\n");
	const file = later.filter(({ kind }) => kind === "replay").map(checkBehind)[0] ?? "";
	return [suspicion({ rule: "other_expected", file, line: null, text }, late)];
}

/** Changed tests of which the pieces of a replay tell. */
export function otherwiseOf(
	evidence: readonly Evidence[],
	changed: readonly ChangedTest[],
): Otherwise {
	const red = new Set(otherwiseIn(evidence));
	const found = otherwiseFiles([...red], changed);
	// Nothing is left out in silence.
	const files = red.size > 0 && found.length === 0 ? changed : found;
	const homes = homesAmong(changed);
	const { isExcused, excused } = joinedExcuses(
		excusesOf(
			files.map(({ path, gone }) => ({ path, names: gone, others: [] })),
			homes,
		),
		excusesIn(
			files.filter(({ isGone }) => isGone),
			homes,
		),
	);
	return {
		files: new Map(
			files.map((file) => [file.path, [...red].filter((id) => isOwnCase(id, file, homes))]),
		),
		isGone: (id) => red.has(id) && isExcused(id),
		gone: excused,
	};
}
