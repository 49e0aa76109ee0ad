import type { Evidence, TestCase } from "../evidence/evidence.ts";
import { isWholeFile } from "../formats/reports/empty-files.ts";

/** Names of cases, of one status or of all. */
export const idsOf = (cases: readonly TestCase[] | null, status?: TestCase["status"]): string[] =>
	(cases ?? []).flatMap((one) => (status === undefined || one.status === status ? [one.id] : []));

/** Cases that fail or are skipped, by name. */
export const shortCases = ({ cases }: Pick<Evidence, "cases">): string[] => [
	...idsOf(cases, "failed"),
	...idsOf(cases, "skipped"),
];

/**
 * Words for what of a check counts for nothing: of the start commit's evidence each failure, of a later one those that
 * are known; what is skipped; what is missing since the start.
 *
 * @param before evidence of the start commit, for later evidence
 * @example `"2 known failing (a, b), 1 skipped (c)"`
 */
export function notCounted(
	piece: Pick<Evidence, "cases" | "counts" | "purpose">,
	before?: Pick<Evidence, "cases">,
): string {
	const { counts, cases, purpose } = piece;
	const isStart = purpose === "baseline";
	const known = new Set(idsOf(before?.cases ?? null, "failed"));
	const failing = idsOf(cases, "failed").filter((id) => isStart || known.has(id));
	const skipped = idsOf(cases, "skipped");
	const present = new Set(idsOf(cases));
	// What stood for a file that could not be loaded goes once it can.
	const ran = (before?.cases ?? []).filter((one) => !isWholeFile(one)).map(({ id }) => id);
	const missing = ran.filter((id) => cases !== null && !present.has(id));
	return [
		told(failing, "known failing", isStart ? counts?.failed : counts?.knownFailing),
		told(skipped, "skipped", counts?.skipped),
		told(missing, "missing since the start"),
	]
		.filter((text) => text !== "")
		.join(", ");
}

const MOST_NAMES = 5;
const LONGEST_NAME = 100;

function told(names: readonly string[], what: string, count: number = names.length): string {
	if (count === 0) return "";
	const few = names.slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME));
	const more = count > few.length ? ` and ${count - few.length} more` : "";
	return `${count} ${what}${few.length === 0 ? "" : ` (${few.join(", ")}${more})`}`;
}
