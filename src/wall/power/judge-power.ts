import type { Evidence, TestCase } from "../../evidence/evidence.ts";
import { shown } from "../../evidence/path-match.ts";
import type { MutatedPlace } from "../../evidence/report-figures.ts";
import { survivorText } from "../../formats/mutation/mutation-text.ts";
import { isCaseOf } from "../integrity/excuses.ts";

type Run = Pick<Evidence, "status" | "cases" | "counts" | "exitCode">;

/** Cases that passed without a mutant and pass on it. */
export function passing(ids: readonly string[], run: Run): readonly string[] {
	const is = statusesOf(run.cases ?? []);
	return ids.filter((id) => is.get(id) === "passed");
}

/**
 * Cases that notice what is wrong with a mutant: they fail on it and do not without it. Null where nothing noticed it, or
 * where the run does not tell; empty where tests have no names.
 *
 * @param own the same tests without the mutant
 */
export function noticing(run: Run, own: Run): readonly string[] | null {
	if (run.cases !== null && own.cases !== null) {
		const was = statusesOf(own.cases);
		const red = run.cases.filter(({ id, status }) => status === "failed" && was.get(id) !== status);
		return red.length === 0 ? null : red.map(({ id }) => id);
	}
	const isWorse =
		run.counts !== null && own.counts !== null
			? run.counts.failed > own.counts.failed
			: own.exitCode === 0 && run.status === "fail";
	return isWorse ? [] : null;
}

/** Cases that were red on the base and are green in the turn; the whole check where it names none. Null: there are none. */
export function turnedGreen(before: Run | undefined, own: Run): readonly string[] | null {
	if (before === undefined || own.status !== "pass") return null;
	if (before.cases === null || own.cases === null) return before.status === "fail" ? [] : null;
	const is = statusesOf(own.cases);
	const turned = before.cases.filter(
		({ id, status }) => status === "failed" && is.get(id) === "passed",
	);
	return turned.length === 0 ? null : turned.map(({ id }) => id);
}

/**
 * Of the cases that turned green, those that the turn's tests let pass on the base's product as well. Null: none.
 *
 * @param run the turn's tests on the base's product
 */
export function greenOnBase(turned: readonly string[], run: Run): readonly string[] | null {
	if (turned.length === 0) return run.status === "pass" ? [] : null;
	const found = passing(turned, run);
	return found.length === 0 ? null : found;
}

const statusesOf = (cases: readonly TestCase[]): ReadonlyMap<string, TestCase["status"]> =>
	new Map(cases.map(({ id, status }) => [id, status]));

/** Trial of a mutant: the cases of the original tests that notice it, and what became of them in the changed ones. */
export interface Trial {
	readonly mutant: MutatedPlace;
	readonly noticedBy: readonly string[];
	/** Cases of the changed tests that notice it; null where none does. */
	readonly red: readonly string[] | null;
	/** Cases of `noticedBy` that pass on it now. */
	readonly missedBy: readonly string[];
}

/** Proof that changed tests lost power: a mutant, or a case that needs no work of the turn any more. */
export interface LostPower {
	readonly noticedBy: readonly string[];
	/** Null: the base's product itself. */
	readonly mutant: MutatedPlace | null;
}

/**
 * Loss that trials prove: no changed test notices a mutant, or a case notices none of several that it noticed. New cases that
 * notice all of these have taken the place of as many.
 */
export function lostPower(trials: readonly Trial[]): LostPower | null {
	const whole = trials.find(({ red }) => red === null);
	if (whole !== undefined) return whole;
	const ids = new Set(trials.flatMap(({ missedBy }) => missedBy));
	const silent = [...ids]
		.filter((id) => !trials.some(({ red }) => red?.includes(id) === true))
		.map((id) => ({ id, missed: trials.filter(({ missedBy }) => missedBy.includes(id)) }))
		.filter(({ missed }) => missed.length > 1);
	const lost = silent.find(({ missed }) => replacing(missed).length < silent.length);
	return lost === undefined
		? null
		: { noticedBy: [lost.id], mutant: lost.missed[0]?.mutant ?? null };
}

/** Cases that noticed none of the mutants before, and now notice all. */
function replacing(trials: readonly Trial[]): readonly string[] {
	const [first, ...others] = trials.map(({ red, noticedBy }) =>
		(red ?? []).filter((id) => !noticedBy.includes(id)),
	);
	return (first ?? []).filter((id) => others.every((ids) => ids.includes(id)));
}

/** Sentences about cases that no longer notice a mutant that others still do. */
export function weakerCases(trials: readonly Trial[]): string[] {
	return trials.flatMap(({ mutant, missedBy }) =>
		missedBy.map((id) => `${id} no longer notices ${shownMutant(mutant)}, which others do`),
	);
}

/** A changed file with its text on the base. */
export interface Suspect {
	readonly path: string;
	readonly base: string;
}

/** One sentence for the player, with the changed file that the lost cases come from. */
export function lostPowerText(
	{ noticedBy, mutant }: LostPower,
	suspects: readonly [Suspect, ...(readonly Suspect[])],
): string {
	const { path } =
		suspects.find(({ path, base }) => noticedBy.some((id) => isCaseOf(id, path, base))) ??
		suspects[0];
	const cases = noticedBy.length === 0 ? "" : ` (${noticedBy.slice(0, 3).join("; ")})`;
	const how =
		mutant === null
			? `they pass without the turn's work, and the original ones do not${cases}`
			: `they do not notice ${shownMutant(mutant)}, and the original ones do${cases}`;
	return `${shown(path)}: this test file was weakened, its tests notice less: ${how}; restore what was removed`;
}

const LONGEST = 200;

const shownMutant = (mutant: MutatedPlace): string => survivorText(mutant).slice(0, LONGEST);
