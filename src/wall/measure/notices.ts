import type { TestCase } from "../../evidence/evidence.ts";

/** Answers of the product that tests noticed when they were others, as one run of measured tests told. */
export interface Notices {
	/** Altered answers, such as `"fee(200) gives 21 instead of 20"`, and the statement that noticed; null where none did. */
	readonly trials: ReadonlyMap<string, string | null>;
	/** Number of times that cases ask for what they notice. */
	readonly times: ReadonlyMap<string, number>;
	/** Statements that noticed something, such as `"test/fee.test.js:12"`. */
	readonly lines: ReadonlySet<string>;
	/** Lines of cases that were measured to their end. */
	readonly measured: ReadonlySet<string>;
	/** Cases of which some answers could not be altered, by their lines. */
	readonly left: ReadonlySet<string>;
	/** Cases for which there was no time, by their lines; nobody knows what they call. */
	readonly late: ReadonlySet<string>;
}

const MEASURED = "measured";
const TIMES = /^(\d+) times (.*)$/s;

/**
 * Notices in the results that measured tests wrote: a failed one is noticed, a passed one is not, and a skipped one is a case
 * that cannot be measured; a skipped one that would be `measured` is a case for which there was no time.
 *
 * @example `not ok - test/fee.test.js:12 > 2 times fee(200) gives 21 instead of 20` is noticed by the statement in line 12,
 * and its case asks twice
 */
export function noticesIn(results: readonly TestCase[]): Notices {
	const told = results.map(({ id, status }) => {
		const at = id.indexOf(" > ");
		return { place: id.slice(0, at), what: id.slice(at + 3).replace(/ #\d+$/, ""), status };
	});
	const places = (of: (one: (typeof told)[number]) => boolean): ReadonlySet<string> =>
		new Set(told.filter(of).map(({ place }) => place));
	const trials = new Map<string, string | null>();
	const times = new Map<string, number>();
	for (const { place, what, status } of told) {
		if (what === MEASURED || status === "skipped") continue;
		const [, count = "1", trial = what] = TIMES.exec(what) ?? [];
		trials.set(trial, trials.get(trial) ?? (status === "failed" ? place : null));
		if (status === "failed") times.set(trial, (times.get(trial) ?? 0) + Number(count));
	}
	return {
		trials,
		times,
		lines: places(({ status }) => status === "failed"),
		measured: places(({ what, status }) => what === MEASURED && status === "passed"),
		left: places(({ status }) => status === "skipped"),
		late: places(({ what, status }) => what === MEASURED && status === "skipped"),
	};
}

/** Notices of several runs of the same tests: seen once is noticed. */
export function joined(all: readonly Notices[]): Notices {
	const trials = new Map<string, string | null>();
	for (const one of all)
		for (const [what, place] of one.trials) trials.set(what, trials.get(what) ?? place);
	const times = new Map<string, number>();
	for (const one of all)
		for (const [what, count] of one.times) times.set(what, Math.max(times.get(what) ?? 0, count));
	const every = (of: (one: Notices) => ReadonlySet<string>): Set<string> =>
		new Set(all.flatMap((one) => [...of(one)]));
	return {
		trials,
		times,
		lines: every(({ lines }) => lines),
		measured: every(({ measured }) => measured),
		left: every(({ left }) => left),
		late: every(({ late }) => late),
	};
}

/** Loss of tests that were changed, beside the original ones on the same product. */
export interface NoticeLoss {
	/** Altered answers that only the original tests notice, although the changed ones met them too, or ask for fewer. */
	readonly lost: readonly string[];
	/**
	 * Other altered answers that only the original tests notice, or ask for more often: the changed ones ask otherwise, or were
	 * not measured whole. Who makes an object asks for nothing.
	 */
	readonly otherwise: readonly string[];
}

/** Trials of which something was noticed. */
export const noticedIn = ({ trials }: Notices): string[] =>
	[...trials].flatMap(([what, place]) => (place === null ? [] : [what]));

const callIn = (trial: string): string => trial.replace(/ (?:gives|does|throws) .*$/s, "");

/** Function or property that a trial asks: what stands before its first arguments, if it has some. */
const functionIn = (trial: string): string => /^(?:new )?[^(\s]*/.exec(trial)?.[0] ?? "";

const tailIn = (trial: string): string => trial.slice(functionIn(trial).length);

/** A member that nobody asked for: whoever asks for each of the others by its name does not notice it, and means no less. */
const FURTHER = / gives (?:one key more|another \S*\.x instead)/;

/**
 * Notices of the original tests on the base's product, put as answers of the work's: where a call gives another answer than
 * before, the changed tests have to notice its alterations as the original ones did those of the old answer. Calls of what is
 * gone ask for nothing.
 *
 * @param isGone of the name of a function or a property
 */
export function asAnsweredNow(
	original: Notices,
	changed: Notices,
	isGone: (name: string, isProperty: boolean) => boolean,
): Notices {
	const now = Map.groupBy(changed.trials, ([what]) => callIn(what));
	const before = Map.groupBy(original.trials, ([what]) => callIn(what));
	const found = [...before].flatMap(([call, had]) => {
		const name = functionIn(call).split(/[.\s]/).at(-1) ?? call;
		return isGone(name, !call.includes("(")) ? [] : answeredNow(had, now.get(call) ?? []);
	});
	return { ...original, trials: new Map(found) };
}

type Trials = readonly (readonly [string, string | null])[];

/** Alterations of an error itself: whoever expected a value may expect now no more than that one is thrown. */
const ASIDE = new RegExp(`${FURTHER.source}| throws (?:a|another) `);

/** A call that is given code; which one, nobody can tell. */
const GIVEN_CODE = /\(.*(?:<lambda>|\[function\])/s;

/** Trials of a call on the base, as trials of what it answers now. */
function answeredNow(had: Trials, has: Trials): Trials {
	if (has.length === 0 && had.every(([what]) => GIVEN_CODE.test(callIn(what)))) return [];
	const whats = new Set(has.map(([what]) => what));
	if (has.length === 0 || had.some(([what]) => whats.has(what))) return had;
	const [, noticed] = had.find(([, place]) => place !== null) ?? [];
	if (noticed == null) return [];
	const isExact = had.every(([what, place]) => place !== null || ASIDE.test(what));
	const isUnnoticed = has.every(([, place]) => place === null);
	const asked = isUnnoticed ? has : isExact ? has.filter(([what]) => !ASIDE.test(what)) : [];
	return asked.map(([what]) => [what, noticed]);
}

/** Compares what changed tests notice with what the original ones do, on the same product. */
export function lossOf(original: Notices, changed: Notices): NoticeLoss {
	const [before, noticed] = [noticedIn(original), noticedIn(changed)];
	const still = new Set(noticed);
	const asked = new Set([...changed.trials.keys()].map(callIn));
	const gone = before.filter((what) => !still.has(what));
	const counts = [before, noticed].map((some) => callsOf(some));
	// A function that has another name now is asked for the same.
	const known = new Set(before.map(functionIn));
	const tails = new Set(noticed.filter((what) => !known.has(functionIn(what))).map(tailIn));
	const isLost = (what: string): boolean => {
		if (FURTHER.test(what)) return false;
		if (asked.has(callIn(what)))
			return changed.trials.get(what) === null && !hasLate(changed, fileIn(original, what));
		if (tails.has(tailIn(what))) return false;
		const [had = 0, has = 0] = counts.map((count) => count.get(functionIn(what))?.size ?? 0);
		return has < had && changed.late.size === 0 && changed.left.size <= original.left.size;
	};
	const isRarer = (what: string): boolean => {
		const [had = 0, has = 0] = [original, changed].map(({ times }) => times.get(what));
		return !what.startsWith("new ") && has < had;
	};
	return {
		lost: gone.filter(isLost),
		otherwise: before.filter((what) => (still.has(what) ? isRarer(what) : !isLost(what))),
	};
}

const fileOf = (place: string): string => place.replace(/:\d+$/, "");

const fileIn = ({ trials }: Notices, what: string): string => fileOf(trials.get(what) ?? "");

/** Cases of a file had no time: one of them may notice what is noticed there. A file that is gone may be any other one. */
function hasLate({ late, left, measured }: Notices, file: string): boolean {
	const isOf = (places: ReadonlySet<string>): boolean =>
		[...places].some((place) => fileOf(place) === file);
	return isOf(late) || (late.size > 0 && !isOf(measured) && !isOf(left));
}

/** Calls that the original tests notice, and that the changed ones make no longer, in words of at most `most` of them. */
export function callsLeftOut(original: Notices, changed: Notices, most: number): string | null {
	const asked = new Set([...changed.trials.keys()].map(callIn));
	const all = new Set(noticedIn(original).map(callIn));
	const left = [...all].filter((call) => !asked.has(call));
	if (left.length === 0) return null;
	const more = left.length > most ? ` and ${left.length - most} more` : "";
	return `the changed tests no longer ask for ${left.slice(0, most).join(", ")}${more}`;
}

/** Distinct calls of each function. */
function callsOf(trials: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
	const found = new Map<string, Set<string>>();
	for (const trial of trials) {
		const name = functionIn(trial);
		found.set(name, (found.get(name) ?? new Set()).add(callIn(trial)));
	}
	return found;
}
