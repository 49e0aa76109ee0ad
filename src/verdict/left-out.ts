import { shown } from "../evidence/path-match.ts";
import type { Unfit } from "../git/unfit.ts";
import { counted } from "../kernel/counted.ts";

const MOST_NAMED = 5;

/** Lines for what git cannot take: none, or one. */
export function leftOutNotes(leftOut: readonly Unfit[]): string[] {
	if (leftOut.length === 0) return [];
	const names = leftOut.slice(0, MOST_NAMED).map(({ path, why }) => `${shown(path)} (${why})`);
	const rest = leftOut.length - names.length;
	const more = rest === 0 ? "" : `, and ${counted(rest, "more path")}`;
	return [`not part of this check: ${names.join(", ")}${more}`];
}
