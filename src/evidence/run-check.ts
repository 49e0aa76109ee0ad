import { mkdir, realpath, writeFile } from "node:fs/promises";
import path from "node:path";
import { isoTime } from "../kernel/clock.ts";
import type { Masker } from "../kernel/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { ProcessRequest, ProcessResult } from "../process/process.ts";
import { runProcess } from "../process/run-process.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { Evidence, EvidencePurpose, TestCase } from "./evidence.ts";
import { judgeCheck } from "./judge.ts";
import type { ReportOutcome } from "./judgement.ts";
import { capText, clipDetails, tailOf } from "./output.ts";
import { parseReport } from "./parse-report.ts";
import { recogniseRunner } from "./recognise.ts";
import { clearReport, readReport } from "./report-file.ts";
import { countsOf, MAX_REPORT_SIZE, type ParsedReport } from "./reports/parsed-report.ts";
import { asStateFault } from "./state-fault.ts";

export interface CheckRequest {
	readonly check: CheckDefinition;
	/** Absolute directory: a checkout of `tree`, prepared by `runSetup`. */
	readonly checkout: string;
	readonly tree: string;
	/** From `definitionHash`. */
	readonly definition: string;
	readonly purpose: EvidencePurpose;
	/** Evidence of this check on the start commit; undefined when that itself is taken. */
	readonly baseline: Evidence | undefined;
	/** Allow-listed environment of the command; `TMPDIR` and `CI=true` are added. */
	readonly env: Readonly<Record<string, string>>;
	readonly mark: string;
	/** Directory for the command's temporary files, made when missing. */
	readonly tmpDir: string;
	readonly masker: Masker;
	/** Absolute path that the masked, capped output is written to; directories are made. */
	readonly outputFile: string;
	/** The same, relative to the state directory, for the record. */
	readonly outputPath: string;
}

type Run = (request: ProcessRequest, signal: AbortSignal) => Promise<ProcessResult>;

/** Characters kept of the output. */
const MAX_OUTPUT = 2_000_000;

/** Characters kept of a failing case's message. */
const MAX_MESSAGE = 2_000;

/** Above this many cases only counts are kept. */
const MAX_CASES = 20_000;

/**
 * Runs one check in a checkout and judges it; the result is evidence of exactly that tree.
 *
 * An old report is deleted before the run and an older one refused after it, so that only what this
 * run wrote counts. A failing check is a value, not an error.
 *
 * @param signal ends the command with everything that it started
 * @param run starts a process; given by tests
 * @throws the signal's reason when aborted; Fault `state-unwritable` or `disk-full` when the output
 * cannot be written
 */
export async function runCheck(
	request: CheckRequest,
	signal: AbortSignal,
	run: Run = runProcess,
): Promise<Evidence> {
	const { check, checkout, masker } = request;
	await asStateFault(request.tmpDir, () => mkdir(request.tmpDir, { recursive: true }));
	const file = check.report?.format === "exit" ? undefined : check.report?.path;
	const blocked = file === undefined ? undefined : await clearReport(checkout, file);
	const result = await run(processOf(request), signal);
	const found: ReportOutcome =
		blocked === undefined ? await resultsOf(request, result) : { kind: "blocked", reason: blocked };
	const report = await portable(found, checkout, masker);
	const { baseline } = request;
	const judgement = judgeCheck({ check, process: result, report, baseline });
	const output = capText(maskCaptured(result.output, masker), MAX_OUTPUT);
	await asStateFault(request.outputFile, async () => {
		await mkdir(path.dirname(request.outputFile), { recursive: true });
		await writeFile(request.outputFile, output);
	});
	return {
		check: check.name,
		kind: check.kind,
		status: judgement.status,
		reason: judgement.reason === null ? null : masker.mask(judgement.reason),
		purpose: request.purpose,
		tree: request.tree,
		definition: request.definition,
		exitCode: result.exitCode,
		counts: judgement.counts,
		details: clipDetails(judgement.details, masker),
		cases: report.kind === "cases" ? report.cases : null,
		outputPath: request.outputPath,
		touched: [],
		outputTail: tailOf(output),
		startedAt: isoTime(result.startedAt),
		ms: result.ms,
		started: judgement.started,
	};
}

function processOf({ check, checkout, env, tmpDir, mark }: CheckRequest): ProcessRequest {
	const { report, run, timeoutMs } = check;
	const readsOutput = report !== undefined && report.format !== "exit" && report.path === undefined;
	return {
		command: ["sh", "-c", run],
		cwd: checkout,
		env: { ...env, TMPDIR: tmpDir, CI: "true" },
		timeoutMs,
		mark,
		places: [checkout],
		writable: [checkout, tmpDir],
		// A report on standard output must arrive whole; one character more than is read.
		...(readsOutput ? { maxOutput: MAX_REPORT_SIZE + 1 } : { maxOutput: MAX_OUTPUT }),
	};
}

async function resultsOf(request: CheckRequest, result: ProcessResult): Promise<ReportOutcome> {
	const { report, kind } = request.check;
	if (report?.format === "exit") return { kind: "none" };
	if (report === undefined) {
		const recognised = kind === "acceptance" ? recogniseRunner(result.output) : null;
		return recognised ?? { kind: "none" };
	}
	if (report.path === undefined) return parseReport(report.format, result.stdout);
	const file = await readReport(request.checkout, report.path, result.startedAt);
	return file.kind === "text" ? parseReport(report.format, file.text) : file;
}

/**
 * The results without secrets, with paths that hold in every checkout, and with cases only up to
 * what is kept.
 */
async function portable(
	report: ReportOutcome,
	checkout: string,
	masker: Masker,
): Promise<ReportOutcome> {
	if (report.kind !== "cases") return report;
	if (report.cases.length > MAX_CASES) return countsOnly(report.cases);
	// A command may have removed its checkout.
	const real = await realpath(checkout).catch(() => checkout);
	const roots = [...new Set([real, checkout])].map((root) => `${root}/`);
	const cases = report.cases.map(({ id, status, message }): TestCase => {
		const local = masker.mask(roots.reduce((text, root) => text.replaceAll(root, ""), id));
		return message === undefined
			? { id: local, status }
			: { id: local, status, message: masker.mask(message).slice(0, MAX_MESSAGE) };
	});
	return { kind: "cases", cases };
}

function countsOnly(cases: readonly TestCase[]): ParsedReport {
	return { kind: "counts", counts: countsOf(cases) };
}
