import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import {
	type CriterionClaim,
	type Measure,
	NO_CRITERIA,
	NOBODY_JUDGED,
	namedFew,
	shareMeasure,
} from "./metric.ts";

export interface RequirementRecords {
	readonly claims: readonly CriterionClaim[] | null;
	readonly tree: string;
	readonly evidence: readonly Evidence[];
}

/**
 * Share of the criteria that are called met and for which a test case is named that Sparring's own run of an
 * acceptance check passed on this tree. No value when no acceptance check with a value names its cases; a run in
 * status `error` does not speak of the tree.
 */
export function requirementCoverage({ claims, tree, evidence }: RequirementRecords): Measure {
	if (claims === null) return NOBODY_JUDGED;
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
	const names = open.map(({ criterion }) => caseName(criterion.slice(0, 120)));
	return { ...measure, reason: `${measure.reason}${namedFew("; not covered", names)}` };
}

const MOST_PARTS = 16;

const SEPARATORS = [" > ", "::"];

/** Name of a case as names are compared: white space runs are one space, none at the ends. */
export function caseName(text: string): string {
	return text.replaceAll(/\s+/gu, " ").trim();
}

/** Names of a case: `a > b::c` has `c`, `b::c` and `a > b::c`. The second case of an id, `x #2`, is also an `x`. */
export function namesOf(id: string): string[] {
	const single = id.replace(/ #\d+$/u, "");
	return single === id ? endings(id) : [...endings(id), ...endings(single)];
}

function endings(id: string): string[] {
	const names = [id];
	let end = id.length;
	while (names.length < MOST_PARTS) {
		const starts = SEPARATORS.map((separator) => {
			const at = end === 0 ? -1 : id.lastIndexOf(separator, end - 1);
			return { at, start: at + separator.length };
		});
		const next = starts.reduce((a, b) => (b.at > a.at ? b : a));
		if (next.at < 0) return names;
		names.push(id.slice(next.start));
		end = next.at;
	}
	return names;
}

/**
 * A name means every case whose id it is, or whose id ends with it after ` > ` or `::`; all of them must have passed.
 * `limiter > refuses the 4th call` is meant by `refuses the 4th call`, not by `4th call`.
 */
function passedNames(wanted: ReadonlySet<string>, cases: readonly TestCase[]): ReadonlySet<string> {
	const states = new Map<string, TestCase["status"]>();
	for (const { id, status } of cases) {
		for (const name of namesOf(caseName(id))) {
			if (!wanted.has(name)) continue;
			const before = states.get(name) ?? "passed";
			states.set(name, before === "passed" ? status : before);
		}
	}
	return new Set([...states].filter(([, status]) => status === "passed").map(([name]) => name));
}
