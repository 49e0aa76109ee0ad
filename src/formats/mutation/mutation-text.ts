import type { Evidence } from "../../evidence/evidence.ts";
import type { MutatedPlace, MutationFigures } from "../../evidence/report-figures.ts";
import type { Masker } from "../../masking/masking.ts";
import { spread } from "./spread.ts";

/** Most survivors that are kept, and the longest code of each, in characters. */
export const MAX_SURVIVORS = 50;
const MAX_CODE = 200;

/** Survivors as they are kept: some of many, masked before they are cut. */
export function shownSurvivors(
	survivors: readonly MutatedPlace[],
	masker: Pick<Masker, "mask">,
): MutatedPlace[] {
	const cut = (text: string): string => masker.mask(text).slice(0, MAX_CODE);
	return spread(survivors, MAX_SURVIVORS).map(({ file, line, operator, old, fresh }) => ({
		file: masker.mask(file),
		line,
		operator: cut(operator),
		old: cut(old),
		fresh: cut(fresh),
	}));
}

export type SurvivorJson = {
	readonly file: string;
	readonly line: number;
	readonly operator: string;
	readonly old: string;
	readonly new: string;
};

export const survivorJson = ({ file, line, operator, old, fresh }: MutatedPlace): SurvivorJson => ({
	file,
	line,
	operator,
	old,
	new: fresh,
});

/** Outcome of the mutants on changed lines, as events and reports have it. */
export interface MutantsJson {
	readonly detected: number;
	readonly undetected: number;
	/** Not run in time. */
	readonly pending: number;
	/** At most 50. */
	readonly survivors: readonly SurvivorJson[];
}

/** Null of evidence without such figures. */
export function mutantsJson({ mutation }: Pick<Evidence, "mutation">): MutantsJson | null {
	if (mutation?.kind !== "counted") return null;
	const { detected, undetected, pending, survivors = [] } = mutation;
	return { detected, undetected, pending, survivors: survivors.map(survivorJson) };
}

/** The survivors that evidence names, of Sparring's own run and of the workflow's checks. */
export function survivorsIn(evidence: readonly Pick<Evidence, "mutation">[]): MutatedPlace[] {
	return evidence.flatMap(({ mutation }) =>
		mutation?.kind === "counted" ? (mutation.survivors ?? []) : [],
	);
}

/**
 * Lines for people and agents: how many mutants were detected, then each survivor.
 *
 * @example `["3 of 4 mutants on changed lines were detected", "survived: src/a.js:2 (boundary): a < 2 -> a <= 2"]`
 */
export function mutationDetails({
	detected,
	undetected,
	pending,
	survivors = [],
}: Extract<MutationFigures, { kind: "counted" }>): string[] {
	const open = pending === 0 ? "" : `; ${pending} more were not run`;
	return [
		`${detected} of ${detected + undetected} mutants on changed lines were detected${open}`,
		...survivors.map((survivor) => `survived: ${survivorText(survivor)}`),
	];
}

/** @example `src/a.js:2 (boundary): a < 2 -> a <= 2` */
export function survivorText({ file, line, operator, old, fresh }: MutatedPlace): string {
	const what = operator === "" ? "" : ` (${operator})`;
	const code = old === "" && fresh === "" ? "" : `: ${inLine(old)} -> ${inLine(fresh)}`;
	return `${file}:${line}${what}${code}`;
}

const inLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
