import type { Evidence } from "../evidence/evidence.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import { type CriterionClaim, NO_COACH, NO_CRITERIA } from "./checklist-completion.ts";
import type { Measure } from "./metric.ts";
import { caseName, passedNames } from "./passed-names.ts";
import { shareMeasure } from "./share-measure.ts";

/** Criteria that are named in the reason; the rest is counted. */
const NAMED = 3;

/** What requirement coverage is computed from. */
export interface RequirementRecords {
	/** One for each criterion that was to be judged; null without a coach. */
	readonly claims: readonly CriterionClaim[] | null;
	/** Tree id that is judged. */
	readonly tree: string;
	/** The turn's evidence; that of the baseline and of other trees is left out of account. */
	readonly evidence: readonly Evidence[];
}

/**
 * `requirement_coverage`: the share of the criteria that the coach calls met and for which it names a test case that
 * our own run of an acceptance check executed and passed on this tree.
 *
 * No value without a coach, without criteria, or when no acceptance check with a value names its cases: then nobody
 * can say what is covered. A case of a check in status `error` counts for nothing, since such a run does not speak of
 * the tree.
 *
 * @example two criteria are met, one with a passed test, one with none: 0.5
 */
export function requirementCoverage({ claims, tree, evidence }: RequirementRecords): Measure {
	if (claims === null) return NO_COACH;
	if (claims.length === 0) return NO_CRITERIA;
	const runs = evidence.filter(
		(piece) =>
			piece.kind === "acceptance" &&
			piece.purpose !== "baseline" &&
			piece.tree === tree &&
			hasValue(piece.status),
	);
	const cases = runs.flatMap((piece) => piece.cases ?? []);
	if (cases.length === 0) {
		return { score: null, reason: "no acceptance check on this tree names its test cases" };
	}
	const wanted = new Set(claims.flatMap(({ tests }) => tests.map(caseName)));
	const passed = passedNames(wanted, cases);
	const open = claims.filter(
		({ met, tests }) => !(met && tests.some((test) => passed.has(caseName(test)))),
	);
	const measure = shareMeasure(
		{ part: claims.length - open.length, whole: claims.length },
		"criteria are met and shown by a test that passed",
	);
	return { ...measure, reason: `${measure.reason}${openNames(open)}` };
}

function openNames(open: readonly CriterionClaim[]): string {
	if (open.length === 0) return "";
	const named = open.slice(0, NAMED).map(({ criterion }) => caseName(criterion.slice(0, 120)));
	const more = open.length - named.length;
	return `; not covered: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
