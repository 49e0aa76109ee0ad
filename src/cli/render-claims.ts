import type { CriterionStatement } from "../trace/event.ts";
import type { RunEvent } from "./run-event.ts";
import { oneLine } from "./visible-text.ts";

type DataOf<Type extends RunEvent["type"]> = Extract<RunEvent, { type: Type }>["data"];

const LIMIT = 1_000;

/** What a player says of its turn, a line each; what it left out is left out. */
export function renderPlayerReport(report: DataOf<"player-reported">): string {
	const lists = [
		["modified", report.files_modified],
		["created", report.files_created],
		["tests", report.tests_written],
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

/**
 * What a judge says of the criteria, a line each.
 *
 * @example `"  met: refills at the rate (read the code; tests: refills)"`
 */
export function renderStatements(statements: readonly CriterionStatement[]): string[] {
	return statements.map(({ criterion, met, evidence, tests }) => {
		const shown = [
			...(evidence === null ? [] : [evidence]),
			...(tests.length === 0 ? [] : [`tests: ${tests.join(", ")}`]),
		].join("; ");
		const grounds = shown === "" ? "" : ` (${shown})`;
		return `  ${met ? "met" : "unmet"}: ${oneLine(`${criterion}${grounds}`, LIMIT)}`;
	});
}
