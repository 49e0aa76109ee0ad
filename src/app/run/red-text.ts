import { namedFew } from "../../confidence/named-few.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { splitFailing } from "../../evidence/judge-results.ts";
import { evidenceWords } from "../../kernel/evidence-value.ts";
import type { Masker } from "../../kernel/masking.ts";
import { tellingLines } from "../../loop/telling-lines.ts";
import { excerpt } from "../../review/excerpt.ts";

/** What is known where checks of a landing ran. */
export interface LandingChecks {
	/** By check, as the run began. */
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly masker: Masker;
	/** Whether the outputs lie in the state directory of this repository. */
	readonly hasFiles: boolean;
}

type Told = Pick<
	Evidence,
	"check" | "status" | "reason" | "cases" | "outputPath" | "outputTail" | "counts"
>;

/** Longest name of a test and longest reason in a refusal, in characters. */
const MAX_NAME = 100;
const MAX_REASON = 200;

/** Checks that are told in full; of the others the names are enough. */
const MOST_CHECKS = 2;

/**
 * Why checks of a landing did not pass: which tests, and where the output is; null when all of them passed.
 *
 * @example `"tests failed: 1 of 3 tests failed: adds; output: .sparring/runs/r1/evidence/landing/assembled-tests.log"`
 */
export function redText(evidence: readonly Told[], about: LandingChecks): string | null {
	const short = evidence.filter(({ status }) => status !== "pass");
	if (short.length === 0) return null;
	const rest = short.slice(MOST_CHECKS).map(({ check }) => check);
	return [
		...short.slice(0, MOST_CHECKS).map((piece) => checkText(piece, about)),
		...(rest.length === 0 ? [] : [namedFew("also without a pass", rest)]),
	].join("; ");
}

function checkText(piece: Told, { baseline, masker, hasFiles }: LandingChecks): string {
	const { check, status, reason, cases, outputPath } = piece;
	const said = tellingLines(piece).map((line) => `"${excerpt(line, MAX_NAME)}"`);
	const { newly } = splitFailing(cases, baseline.get(check));
	const names = newly.map(({ id }) => excerpt(masker.mask(id), MAX_NAME));
	const file = outputPath === null || !hasFiles ? "" : `; output: .sparring/${outputPath}`;
	const cause = said.length === 0 ? "" : `: ${said.join(", ")}`;
	const why = excerpt(reason ?? "no reason given", MAX_REASON);
	return `${check} ${evidenceWords(status)}: ${why}${namedFew("", names)}${cause}${file}`;
}
