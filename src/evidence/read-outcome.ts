import { realpath } from "node:fs/promises";
import type { Masker } from "../kernel/masking.ts";
import type { ProcessResult } from "../process/process.ts";
import type { CheckDefinition, ReportFormat } from "../workflow/workflow.ts";
import type { CommitView } from "./commit-view.ts";
import type { CoverageReport } from "./coverage/coverage-report.ts";
import { parseCoverage } from "./coverage/parse-coverage.ts";
import type { TestCase } from "./evidence.ts";
import type { ReportOutcome } from "./judgement.ts";
import { type MutationReport, parseMutationReport } from "./mutation/mutation-report.ts";
import { parseReport } from "./parse-report.ts";
import { recogniseRunner } from "./recognise.ts";
import { readReport } from "./report-file.ts";
import { refuse } from "./report-guard.ts";
import { countsOf, type InvalidReport, type ParsedReport } from "./reports/parsed-report.ts";
import { parseResults } from "./sarif/parse-results.ts";
import { pathsOfResults, placeResults } from "./sarif/place-results.ts";
import type { ReportedResult, ResultsReport } from "./sarif/reported-result.ts";

/** Where the results of a run are looked for, and what their names are made portable with. */
export interface OutcomeRequest {
	readonly check: Pick<CheckDefinition, "kind" | "report">;
	readonly checkout: string;
	/** Absolute names of the checkout (`rootsOf`). */
	readonly roots: readonly string[];
	readonly masker: Masker;
	readonly view: CommitView | undefined;
}

/** Characters kept of a failing case's message. */
const MAX_MESSAGE = 2_000;

/** Above this many cases only counts are kept. */
const MAX_CASES = 20_000;

/** A list of more problems cannot be kept, and so not be compared with. */
const MAX_RESULTS = 50_000;

/** The names that a checkout goes by: the real path, and the given one where it is another. */
export async function rootsOf(checkout: string): Promise<string[]> {
	// A command may have removed its checkout.
	const real = await realpath(checkout).catch(() => checkout);
	return [...new Set([real, checkout])];
}

/**
 * Reads what a run left behind, with names that hold in every checkout of the commit. Cases are without secrets, and
 * kept only up to 20,000; what a list of problems quotes is not masked yet.
 *
 * @throws Fault `git-failed` when the commit cannot be read
 */
export async function readOutcome(
	request: OutcomeRequest,
	result: ProcessResult,
): Promise<ReportOutcome> {
	const found = await resultsOf(request, result);
	if (found.kind === "cases") return portable(found.cases, request);
	if (found.kind === "invalid") return portableFailures(found, request);
	return found.kind === "results" && !("ignored" in found) ? placed(found.results, request) : found;
}

type Read = ReportOutcome | ResultsReport;

async function resultsOf(request: OutcomeRequest, result: ProcessResult): Promise<Read> {
	const { report, kind } = request.check;
	if (report?.format === "exit") return { kind: "none" };
	if (report === undefined) {
		const recognised = kind === "acceptance" ? recogniseRunner(result.output) : null;
		return recognised ?? { kind: "none" };
	}
	if (report.path === undefined) return parse(report.format, result.stdout);
	const file = await readReport(request.checkout, report.path, result.startedAt);
	return file.kind === "text" ? parse(report.format, file.text) : file;
}

function parse(
	format: Exclude<ReportFormat, "exit">,
	text: string,
): ParsedReport | ResultsReport | CoverageReport | MutationReport {
	switch (format) {
		case "sarif":
		case "npm-audit":
			return parseResults(format, text);
		case "lcov":
		case "cobertura":
		case "jacoco":
		case "istanbul":
		case "gocover":
		case "coverage.py":
			return parseCoverage(format, text);
		case "mutation":
			return parseMutationReport(text);
		case "junit":
		case "tap":
		case "ctrf":
		case "node-test":
		case "vitest":
		case "jest":
		case "pytest":
		case "go-test":
			return parseReport(format, text);
	}
}

/** Problems in files of the checkout, found again by the lines of the commit. */
async function placed(
	reported: readonly ReportedResult[],
	{ roots, view }: OutcomeRequest,
): Promise<ReportOutcome> {
	if (reported.length > MAX_RESULTS) return refuse(`it lists more than ${MAX_RESULTS} problems`);
	const texts = await view?.texts(pathsOfResults(reported, roots));
	const { results, ignored } = placeResults(reported, roots, (path) => texts?.get(path));
	return { kind: "results", results, ignored: ignored.outside + ignored.refused };
}

function localName(
	name: string,
	{ roots, masker }: Pick<OutcomeRequest, "roots" | "masker">,
): string {
	return masker.mask(roots.reduce((text, root) => text.replaceAll(`${root}/`, ""), name));
}

function portableFailures(report: InvalidReport, request: OutcomeRequest): ReportOutcome {
	const { failed } = report;
	if (failed === undefined) return report;
	return { ...report, failed: failed.map((name) => localName(name, request)) };
}

function portable(found: readonly TestCase[], { roots, masker }: OutcomeRequest): ReportOutcome {
	if (found.length > MAX_CASES) return { kind: "counts", counts: countsOf(found) };
	const cases = found.map(({ id, status, message }): TestCase => {
		const local = localName(id, { roots, masker });
		return message === undefined
			? { id: local, status }
			: { id: local, status, message: masker.mask(message).slice(0, MAX_MESSAGE) };
	});
	return { kind: "cases", cases };
}
