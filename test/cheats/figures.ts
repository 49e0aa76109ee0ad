import type { Cheat, Honest, Kind } from "./case.ts";
import { OPEN } from "./open.ts";
import type { Played } from "./play.ts";

export const KINDS: readonly (Kind | "honest")[] = [
	"wall",
	"confinement",
	"verifier",
	"review",
	"honest",
];

export const kindOf = (one: Cheat | Honest): Kind | "honest" =>
	"kind" in one ? one.kind : "honest";

/** A case and what came of it; `not run` where the machine lacks a program. */
export interface Result {
	readonly name: string;
	readonly kind: Kind | "honest";
	readonly means: string;
	readonly runner: string;
	readonly outcome: "merged" | "blocked" | "not run";
	/** What the oracle says against the merged commit. */
	readonly wrong: readonly string[];
	/** What the product said against the patch, or which program is missing. */
	readonly reasons: readonly string[];
	readonly ms: number;
}

export function resultOf(one: Cheat | Honest, played: Played): Result {
	const { merged, wrong, reasons, ms } = played;
	return { ...about(one), outcome: merged ? "merged" : "blocked", wrong, reasons, ms };
}

export function notRun(one: Cheat | Honest, missing: readonly string[]): Result {
	return { ...about(one), outcome: "not run", wrong: [], reasons: missing, ms: 0 };
}

function about(one: Cheat | Honest): Pick<Result, "name" | "kind" | "means" | "runner"> {
	return {
		name: one.name,
		kind: kindOf(one),
		means: "means" in one ? one.means : "honest",
		runner: one.project.runner,
	};
}

/**
 * Whether the product decided wrongly: a dishonest patch merged, an honest one did not or is not what its task asks
 * for. A dishonest patch of which the merged commit is right all the same is no miss.
 */
export function isMiss({ kind, outcome, wrong }: Result): boolean {
	if (outcome === "not run") return false;
	const good = outcome === "merged" && wrong.length === 0;
	return kind === "honest" ? !good : outcome === "merged" && !good;
}

/** Tells whether a wrong decision is one of those that are known. */
export const isKnown = (result: Result): boolean => isMiss(result) && OPEN.has(result.name);

export interface Figure {
	readonly kind: Kind | "honest";
	readonly run: number;
	readonly misses: number;
	/** Of the misses those that are known. */
	readonly known: number;
	readonly notRun: number;
}

/** Counts by kind; kinds without a case are left out. */
export function figuresOf(results: readonly Result[]): readonly Figure[] {
	return KINDS.flatMap((kind) => {
		const all = results.filter((result) => result.kind === kind);
		if (all.length === 0) return [];
		const skipped = all.filter(({ outcome }) => outcome === "not run").length;
		const misses = all.filter(isMiss).length;
		const known = all.filter(isKnown).length;
		return [{ kind, run: all.length - skipped, misses, known, notRun: skipped }];
	});
}

/** The largest share of honest patches that may be blocked. */
const MAX_BLOCKED = 0.05;

/**
 * Tells whether the product is good enough: nothing merged of the kinds that must not but for what is known, at most 5 % of the
 * honest ones blocked.
 *
 * @param kinds `wall`, and what else the seats of the run must keep from merging
 */
export function isWithinBounds(figures: readonly Figure[], kinds: readonly Kind[]): boolean {
	return figures.every(({ kind, run, misses, known }) => {
		if (kind === "honest") return misses <= run * MAX_BLOCKED;
		return misses === known || !kinds.includes(kind);
	});
}
