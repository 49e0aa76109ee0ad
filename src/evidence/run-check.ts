import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { isoTime } from "../kernel/clock.ts";
import type { Masker } from "../kernel/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { ProcessRequest, ProcessResult } from "../process/process.ts";
import { runProcess } from "../process/run-process.ts";
import type { CheckDefinition } from "../workflow/workflow.ts";
import type { CommitView } from "./commit-view.ts";
import type { Evidence, EvidencePurpose } from "./evidence.ts";
import { figuresOf } from "./figures-of.ts";
import { freshTemporary } from "./fresh-temporary.ts";
import { judgeCheck } from "./judge.ts";
import type { ReportOutcome } from "./judgement.ts";
import { capText, clipDetails, tailOf } from "./output.ts";
import { readOutcome, rootsOf } from "./read-outcome.ts";
import { clearReport } from "./report-file.ts";
import { MAX_REPORT_SIZE } from "./reports/parsed-report.ts";
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
	/** The commit that is checked; undefined: what reports say is compared with no lines of it. */
	readonly view?: CommitView | undefined;
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

/**
 * Runs one check in a checkout and judges it; the result is evidence of exactly that tree.
 *
 * An old report is deleted before the run and an older one refused after it, so that only what this
 * run wrote counts. A failing check is a value, not an error.
 *
 * @param signal ends the command with everything that it started
 * @param run starts a process; given by tests
 * @throws the signal's reason when aborted; Fault `state-unwritable` or `disk-full` when the output
 * cannot be written, `git-failed` when the commit cannot be read
 */
export async function runCheck(
	request: CheckRequest,
	signal: AbortSignal,
	run: Run = runProcess,
): Promise<Evidence> {
	const { check, checkout, masker } = request;
	await asStateFault(request.tmpDir, () => freshTemporary(request.tmpDir));
	const file = check.report?.format === "exit" ? undefined : check.report?.path;
	const blocked = file === undefined ? undefined : await clearReport(checkout, file);
	const result = await run(processOf(request), signal);
	const { baseline, view } = request;
	const roots = await rootsOf(checkout);
	const report: ReportOutcome =
		blocked === undefined
			? await readOutcome({ check, checkout, roots, masker, view }, result)
			: { kind: "blocked", reason: blocked };
	const judgement = judgeCheck({ check, process: result, report, baseline });
	const shown = await figuresOf(
		report,
		{ roots, reportPath: file === undefined ? "" : path.posix.normalize(file) },
		view,
	);
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
		details: clipDetails([...judgement.details, ...shown.details], masker),
		cases: report.kind === "cases" ? report.cases : null,
		outputPath: request.outputPath,
		touched: [],
		outputTail: tailOf(output),
		startedAt: isoTime(result.startedAt),
		ms: result.ms,
		started: judgement.started,
		...shown.figures,
		...(judgement.results === undefined ? {} : { results: judgement.results }),
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
