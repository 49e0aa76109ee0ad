import { realpathSync } from "node:fs";
import type { RunDefinition } from "../evidence/checklist.ts";
import type { TestCase } from "../evidence/evidence.ts";
import type { CommitView } from "../formats/commit-view.ts";
import { parseReport } from "../formats/parse-report.ts";
import { recogniseRunner } from "../formats/recognise.ts";
import { readReport } from "../formats/report-file.ts";
import { isGlob, readReports } from "../formats/report-files.ts";
import {
	casesOf,
	countsIn,
	countsOf,
	type InvalidReport,
	plainText,
	refuse,
} from "../formats/reports/parsed-report.ts";
import { likelySummary, saysNoTests } from "../formats/reports/text-summary.ts";
import { pathsOfResults, placeResults } from "../formats/sarif/place-results.ts";
import type { ReportedResult, ResultsReport } from "../formats/sarif/reported-result.ts";
import type { Masker } from "../masking/masking.ts";
import type { ProcessResult } from "../process/process.ts";
import type { ReportOutcome } from "./judgement.ts";
import { type OwnChannel, readChannel } from "./own-channel.ts";

export interface OutcomeRequest {
	readonly check: Pick<RunDefinition, "kind" | "report">;
	readonly checkout: string;
	readonly roots: readonly string[];
	readonly masker: Masker;
	readonly view: CommitView | undefined;
	/** A report of Sparring's own beside what the check prints; null: there is none. */
	readonly channel: OwnChannel | null;
	readonly named: boolean;
}

const MAX_MESSAGE = 2_000;

// With more cases only counts are kept.
const MAX_CASES = 20_000;

// A longer list of problems could not be stored for later comparisons.
const MAX_RESULTS = 50_000;

/** The real path of a checkout, and the given path if it differs. */
export function rootsOf(checkout: string): string[] {
	try {
		return [...new Set([realpathSync(checkout), checkout])];
	} catch {
		// A command may have removed its checkout.
		return [checkout];
	}
}

/**
 * Results of a run, with names that do not depend on the checkout. Cases are masked, and kept only up to 20,000;
 * problems are not masked yet.
 *
 * @throws Fault `git-failed` when the commit cannot be read
 */
export async function readOutcome(
	request: OutcomeRequest,
	result: ProcessResult,
): Promise<ReportOutcome> {
	const found = await resultsOf(request, result);
	if (found.kind === "cases") return portable(casesOf(found, result.exitCode), request);
	if (found.kind === "invalid") return portableFailures(found, request);
	return found.kind === "results" && !("ignored" in found) ? placed(found.results, request) : found;
}

async function resultsOf(
	request: OutcomeRequest,
	result: ProcessResult,
): Promise<ReportOutcome | ResultsReport> {
	const { report, kind } = request.check;
	if (report?.format === "exit") {
		return kind === "acceptance" ? exitOutcome(result.output) : { kind: "none" };
	}
	if (report === undefined) {
		const printed = kind === "acceptance" ? recogniseRunner(result.output) : null;
		const { channel, named } = request;
		const found = channel === null ? printed : await readChannel(channel, printed, named);
		return found ?? { kind: "none", line: likelySummary(plainText(result.output)) };
	}
	if (report.path === undefined) return parseReport(report.format, result.stdout);
	if (isGlob(report.path) && (report.format === "junit" || report.format === "trx")) {
		const { format, path: pattern } = report;
		return readReports(request.checkout, { format, pattern }, result.startedAt);
	}
	const file = await readReport(request.checkout, report.path, result.startedAt);
	return file.kind === "text" ? parseReport(report.format, file.text) : file;
}

/** The exit code decides, except of a run without tests. */
function exitOutcome(output: string): ReportOutcome {
	const read = recogniseRunner(output);
	const counts = read === null ? null : countsIn(read);
	const ran = counts === null ? 0 : counts.total - counts.skipped;
	return ran > 0 ? { kind: "none" } : { kind: "none", noTests: saysNoTests(plainText(output)) };
}

async function placed(
	reported: readonly ReportedResult[],
	{ roots, view }: OutcomeRequest,
): Promise<ReportOutcome> {
	if (reported.length > MAX_RESULTS) return refuse(`it lists more than ${MAX_RESULTS} problems`);
	const texts = await view?.texts(pathsOfResults(reported, roots));
	const { results, ignored } = placeResults(reported, roots, (path) => texts?.get(path));
	return { kind: "results", results, ignored };
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
