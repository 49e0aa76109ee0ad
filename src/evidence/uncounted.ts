import type { Evidence } from "./evidence.ts";

/** Cases of a check that a gate does not count. */
export interface Uncounted {
	/** Fail, and failed at the start too. */
	readonly failing: readonly string[];
	readonly skipped: readonly string[];
	/** Ran at the start, and are in this report no more. */
	readonly missing: readonly string[];
	/** How many there are, where their names are not known too. */
	readonly failingCount: number;
	readonly skippedCount: number;
}

type Counted = Pick<Evidence, "cases" | "counts" | "purpose">;

/**
 * What of a check is not counted: of the start commit's evidence each failure, of a later one those that are known; and each
 * case that is skipped. Null where all of it counts.
 *
 * @param before evidence of the start commit, for later evidence
 */
export function uncountedOf(piece: Counted, before?: Pick<Evidence, "cases">): Uncounted | null {
	const { counts, cases, purpose } = piece;
	const isStart = purpose === "baseline";
	const known = new Set(
		(before?.cases ?? []).filter(({ status }) => status === "failed").map(({ id }) => id),
	);
	const all = cases ?? [];
	const failing = all
		.filter(({ id, status }) => status === "failed" && (isStart || known.has(id)))
		.map(({ id }) => id);
	const skipped = all.filter(({ status }) => status === "skipped").map(({ id }) => id);
	const failingCount = (isStart ? counts?.failed : counts?.knownFailing) ?? failing.length;
	const skippedCount = counts?.skipped ?? skipped.length;
	const present = new Set(all.map(({ id }) => id));
	const missing =
		cases === null || isStart
			? []
			: (before?.cases ?? []).map(({ id }) => id).filter((id) => !present.has(id));
	return failingCount + skippedCount + missing.length === 0
		? null
		: { failing, skipped, missing, failingCount, skippedCount };
}

/** Names that are told; the rest is counted. */
const MOST_NAMES = 5;
const LONGEST_NAME = 100;

function namesText(names: readonly string[], count: number): string {
	const few = names
		.slice(0, MOST_NAMES)
		.map((name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}...` : name));
	const more = count - few.length;
	if (few.length === 0) return "";
	return ` (${few.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

/** @example `"2 known failing (a, b), 1 skipped (c)"` */
export function uncountedText(uncounted: Uncounted): string {
	const { failing, skipped, missing, failingCount, skippedCount } = uncounted;
	const parts = [
		[failing, failingCount, "known failing"],
		[skipped, skippedCount, "skipped"],
		[missing, missing.length, "missing since the start"],
	] as const;
	return parts
		.filter(([, count]) => count > 0)
		.map(([names, count, word]) => `${count} ${word}${namesText(names, count)}`)
		.join(", ");
}
