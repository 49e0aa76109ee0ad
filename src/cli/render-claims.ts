import { oneLine } from "../words/visible-text.ts";
import type { RunEvent } from "./run-event.ts";

type DataOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];

type Statement = NonNullable<DataOf<"turn-judged">["criteria"]>[number];

const LIMIT = 1_000;

/** What a player says of its turn, a line each; what it left out is left out. */
export function renderPlayerReport(report: DataOf<"player-reported">): string {
	const lists = [
		["modified", report.files_modified],
		["created", report.files_created],
		["tests", report.tests_written],
		["passed checks", report.checks_passed],
	] as const;
	return [
		"the player reports",
		...lists.flatMap(([name, files]) =>
			files.length === 0 ? [] : [`  ${name}: ${oneLine(files.join(", "), LIMIT)}`],
		),
		...(report.implementation_notes === ""
			? []
			: [`  notes: ${oneLine(report.implementation_notes, LIMIT)}`]),
		...report.concerns.map((concern) => `  unsure: ${oneLine(concern, LIMIT)}`),
	].join("\n");
}

/** Why a player stopped; without a word it says that nothing follows from it. */
export function renderBlocked(blocked: DataOf<"player-blocked">): string {
	const { reason, what, evidence, proposal } = blocked;
	if (what === "") return "the player says that it is blocked, but not by what: ignored";
	return [
		`the player stopped (${reason}): ${oneLine(what, LIMIT)}`,
		...evidence.map((text) => `  evidence: ${oneLine(text, LIMIT)}`),
		...(proposal === "" ? [] : [`  proposal: ${oneLine(proposal, LIMIT)}`]),
	].join("\n");
}

/** What became of the player's claims: the false ones, a line each. */
export function renderComparedClaims({
	honest,
	discrepancies,
	in_a_row: row,
}: DataOf<"claims-compared">): string {
	if (discrepancies.length === 0) return "claims: the diff and Sparring's own runs bear them out";
	const rows = row > 1 ? `, ${row} false reports in a row` : "";
	return [
		`claims: ${Math.round(honest * 100)} % borne out by the diff and Sparring's own runs${rows}`,
		...discrepancies.map((text) => `  - ${oneLine(text, LIMIT)}`),
	].join("\n");
}

/**
 * What a judge says of the criteria, a line each.
 *
 * @example `"  met: refills at the rate (read the code; tests: refills)"`
 */
export function renderStatements(statements: readonly Statement[]): string[] {
	return statements.map(({ criterion, met, evidence, tests }) => {
		const shown = [
			...(evidence === null ? [] : [evidence]),
			...(tests.length === 0 ? [] : [`tests: ${tests.join(", ")}`]),
		].join("; ");
		const grounds = shown === "" ? "" : ` (${shown})`;
		return `  ${met ? "met" : "unmet"}: ${oneLine(`${criterion}${grounds}`, LIMIT)}`;
	});
}
