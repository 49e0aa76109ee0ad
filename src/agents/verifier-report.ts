import { z } from "zod";
import { type Parsed, parseReport, type Report } from "./parse-report.ts";

const text = z
	.string()
	.nullish()
	.transform((value) => value ?? "");

const verifierReport = z.looseObject({
	tests_written: z
		.array(z.string())
		.nullish()
		.transform((value) => value ?? []),
	// Runs just these tests, at the top of the checkout.
	run: text,
	notes: text,
	// What became of disputes, by the finding's id; one that is left out is upheld.
	disputes_status: z
		.array(z.looseObject({ id: z.string(), status: z.enum(["withdrawn", "upheld"]), reason: text }))
		.nullish()
		.transform((value) => value ?? []),
});

const withTests = verifierReport.refine(
	({ run, disputes_status }) => run.trim() !== "" || disputes_status.length > 0,
	{ path: ["run"], error: "expected a shell command" },
);

/** What a verifier says of its tests. Whether they pass, Sparring finds out by itself. */
export type VerifierReport = Report<typeof verifierReport>;

/**
 * Reads a verifier's report. `run` is required, a command that is not blank, unless the report answers disputes or may say
 * that nothing is left to test. Unknown fields are kept.
 *
 * @param source the report's text; null when there was none
 * @param problem why there was none (`AgentAnswer.reportProblem`), told as the reason
 * @param mayBeEmpty whether it may hand in no tests: true once tests of it were withdrawn
 * @example `parseVerifierReport('{"run":"npm test"}')` is ok, with empty lists
 */
export function parseVerifierReport(
	source: string | null,
	problem?: string,
	mayBeEmpty: boolean = false,
): Parsed<VerifierReport> {
	return parseReport({ text: source, problem }, mayBeEmpty ? verifierReport : withTests);
}
