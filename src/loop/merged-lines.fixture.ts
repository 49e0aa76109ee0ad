import type { TextPart } from "../git/changed-texts.ts";

/** Lines of a text, each with its end. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

export const joinedLines = (lines: readonly string[]): string => lines.join("");

type Lengths = (i: number, j: number) => number;

/** Lengths of the longest common subsequences of what follows two places. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Lengths {
	const rows: number[][] = [];
	const at: Lengths = (i, j) => rows[i]?.[j] ?? 0;
	for (let i = old.length - 1; i >= 0; i -= 1) {
		const row: number[] = [];
		rows[i] = row;
		for (let j = fresh.length - 1; j >= 0; j -= 1) {
			const isSame = old[i] === fresh[j];
			row[j] = isSame ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), row[j + 1] ?? 0);
		}
	}
	return at;
}

/** Places of equal lines of two texts, in order. */
function commonLines(old: readonly string[], fresh: readonly string[]): [number, number][] {
	const left = commonLengths(old, fresh);
	const pairs: [number, number][] = [];
	for (let i = 0, j = 0; i < old.length && j < fresh.length; ) {
		if (old[i] === fresh[j]) pairs.push([i++, j++]);
		else if (left(i + 1, j) >= left(i, j + 1)) i += 1;
		else j += 1;
	}
	return pairs;
}

/** A stretch of the base that a side replaced: the lines from `from` to before `to`. */
interface Hunk {
	readonly from: number;
	readonly to: number;
	readonly fresh: readonly string[];
}

function hunksOf(old: readonly string[], fresh: readonly string[]): Hunk[] {
	const hunks: Hunk[] = [];
	let [i, j] = [0, 0];
	for (const [at, other] of [...commonLines(old, fresh), [old.length, fresh.length] as const]) {
		if (at > i || other > j) hunks.push({ from: i, to: at, fresh: fresh.slice(j, other) });
		[i, j] = [at + 1, other + 1];
	}
	return hunks;
}

/** A change of a text as stretches that stayed and stretches that were replaced. */
export function partsOf(before: string, after: string): TextPart[] {
	const [old, fresh] = [linesOf(before), linesOf(after)];
	const parts: TextPart[] = [];
	let at = 0;
	for (const hunk of hunksOf(old, fresh)) {
		if (hunk.from > at) parts.push({ same: old.slice(at, hunk.from) });
		parts.push({ old: old.slice(hunk.from, hunk.to), fresh: hunk.fresh });
		at = hunk.to;
	}
	return at < old.length ? [...parts, { same: old.slice(at) }] : parts;
}

/** Both sides' changes of a text; where they meet, both stand between the marks of a conflict. */
export function mergedLines(
	{
		base,
		ours,
		theirs,
	}: { readonly base: readonly string[]; readonly ours: string; readonly theirs: string },
	names: { readonly ours: string; readonly theirs: string },
): { readonly lines: readonly string[]; readonly conflict: boolean } {
	const [mine, other] = [hunksOf(base, linesOf(ours)), hunksOf(base, linesOf(theirs))];
	const meets =
		(one: Hunk) =>
		(each: Hunk): boolean =>
			one.from <= each.to && each.from <= one.to;
	const met = mine.filter((hunk) => other.some(meets(hunk)));
	if (met.length === 0) return { lines: applied(base, [...mine, ...other]), conflict: false };
	const ended = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);
	const marks = [`<<<<<<< ${names.ours}\n`, ended(ours), "=======\n", ended(theirs)];
	return { lines: [...marks, `>>>>>>> ${names.theirs}\n`], conflict: true };
}

function applied(base: readonly string[], hunks: readonly Hunk[]): readonly string[] {
	const lines: string[] = [];
	let at = 0;
	for (const { from, to, fresh } of hunks.toSorted((one, other) => one.from - other.from)) {
		lines.push(...base.slice(at, from), ...fresh);
		at = to;
	}
	return [...lines, ...base.slice(at)];
}
