import path from "node:path";
import type { RunDefinition } from "../evidence/checklist.ts";
import type { Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import { lineRanges } from "../evidence/line-ranges.ts";
import type { ReportFigures } from "../evidence/report-figures.ts";
import type { CommitView } from "../formats/commit-view.ts";
import { type ChangedCoverage, changedCoverage } from "../formats/coverage/changed-coverage.ts";
import {
	type CoveragePlace,
	type GoModule,
	placeCoverage,
} from "../formats/coverage/place-coverage.ts";
import { goModuleName } from "../formats/coverage/text-coverage.ts";
import { countMutants } from "../formats/mutation/mutation-report.ts";
import { mutationDetails, shownSurvivors } from "../formats/mutation/mutation-text.ts";
import { clearReports } from "../formats/report-files.ts";
import { MAX_REPORT_SIZE } from "../formats/reports/parsed-report.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { isoTime } from "../kernel/clock.ts";
import type { Masker } from "../masking/masking.ts";
import { maskCaptured } from "../process/capture.ts";
import type { ProcessRequest, ProcessResult } from "../process/process.ts";
import { runProcess } from "../process/run-process.ts";
import { type Execution, homeOf, openExecution, type ShownHome } from "../setups/execution.ts";
import { limitOf } from "./definition.ts";
import { judgeCheck } from "./judge.ts";
import type { ReportOutcome } from "./judgement.ts";
import { type OwnChannel, openChannel } from "./own-channel.ts";
import { readOutcome, rootsOf } from "./read-outcome.ts";

const MAX_NAMES = 50;

/**
 * Figures of a coverage or mutation report for the changed lines. Empty for other reports, and without a commit to
 * compare with.
 */
async function figuresOf(
	report: ReportOutcome,
	{ roots, reportPath }: Pick<CoveragePlace, "roots" | "reportPath">,
	view: CommitView | undefined,
): Promise<{ readonly figures: ReportFigures; readonly details: readonly string[] }> {
	if (view === undefined || (report.kind !== "coverage" && report.kind !== "mutants")) {
		return { figures: {}, details: [] };
	}
	const changes = await view.changes();
	if (changes.kind === "invalid") {
		const absent = { kind: "absent", reason: changes.reason } as const;
		const figures: ReportFigures =
			report.kind === "coverage"
				? { coverage: { ...absent, total: null, unreported: [] } }
				: { mutation: absent };
		return { figures, details: [changes.reason] };
	}
	if (report.kind === "mutants") {
		const mutation = countMutants(report, roots, changes.files);
		return {
			figures: { mutation },
			details: changes.files.size === 0 ? [] : mutationDetails(mutation),
		};
	}
	const files = await view.files();
	const goModules = report.naming === "module" ? await goModulesOf(view, files) : [];
	if (report.share !== undefined) {
		const reason =
			"the report has totals without lines; let the check write lcov or Istanbul's json";
		const coverage = { kind: "absent", reason, total: report.share, unreported: [] } as const;
		return { figures: { coverage }, details: [reason] };
	}
	const placed = placeCoverage(report, { roots, files, reportPath, goModules });
	const { uncovered, ...found } = changedCoverage(placed, changes.files);
	const unreported = found.unreported.slice(0, MAX_NAMES);
	return {
		figures: { coverage: { ...found, unreported } },
		details: changes.files.size === 0 ? [] : describe({ ...found, uncovered }),
	};
}

async function goModulesOf(view: CommitView, files: ReadonlySet<string>): Promise<GoModule[]> {
	const manifests = [...files].filter((path) => /(?:^|\/)go\.mod$/.test(path));
	return [...(await view.texts(manifests))].flatMap(([path, text]) => {
		const name = goModuleName(text);
		return name === undefined ? [] : [{ name, folder: path.slice(0, -"/go.mod".length) }];
	});
}

function describe(found: ChangedCoverage): string[] {
	const said =
		found.kind === "absent"
			? found.reason
			: `${found.covered} of ${found.executable} changed lines are covered`;
	return [
		said,
		...found.uncovered.map(({ path, lines }) => `not covered: ${path}:${rangesOf(lines)}`),
		...found.unreported.map((path) => `not in the report: ${path}`),
	];
}

function rangesOf(lines: readonly number[]): string {
	return lineRanges(lines)
		.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
		.join(",");
}

export interface CheckRequest {
	readonly check: RunDefinition;
	readonly checkout: string;
	readonly tree: string;
	readonly definition: string;
	readonly purpose: EvidencePurpose;
	/** Evidence of this check on the start commit; undefined when the baseline itself is taken. */
	readonly baseline: Evidence | undefined;
	/** The commit to compare reports with. Undefined: reports give no figures. */
	readonly view?: CommitView | undefined;
	readonly env: Readonly<Record<string, string>>;
	/** Null: that of the environment. Left out: the one beside the checkout. */
	readonly home?: string | null;
	readonly mark: string;
	readonly work: string;
	readonly confines: boolean;
	readonly shown?: ShownHome | undefined;
	/** As in `openExecution`. */
	readonly warms?: boolean | undefined;
	readonly masker: Masker;
	readonly blobs: Pick<Blobs, "put">;
	readonly outputPath: string;
}

const MAX_OUTPUT = 2_000_000;

/**
 * Runs one check in a checkout and judges it; the result is evidence for exactly this tree. An old report is deleted
 * before the run and refused after it.
 *
 * @throws the signal's reason when aborted; Fault `state-unwritable` or `disk-full` when the output cannot be written,
 * `git-failed`
 */
export async function runCheck(
	request: CheckRequest,
	signal: AbortSignal,
	run: typeof runProcess = runProcess,
): Promise<Evidence> {
	const { check, checkout, masker } = request;
	const file = check.report?.format === "exit" ? undefined : check.report?.path;
	const blocked = file === undefined ? undefined : await clearReports(checkout, file);
	const { home = homeOf(checkout) } = request;
	const execution = await openExecution({ ...request, home, installs: false });
	const { baseline, view } = request;
	const roots = rootsOf(checkout);
	const named = baseline?.cases != null;
	let result: ProcessResult;
	let report: ReportOutcome;
	let channel: OwnChannel | null = null;
	try {
		const parent = execution.temporary;
		channel = await openChannel(check, { checkout, parent, env: request.env });
		result = await run(processOf(request, execution, channel), signal);
		report =
			blocked === undefined
				? await readOutcome({ check, checkout, roots, masker, view, channel, named }, result)
				: { kind: "blocked", reason: blocked };
	} finally {
		await execution.close();
	}
	const judgement = judgeCheck({ check, process: result, report, baseline });
	const shown = await figuresOf(
		report,
		{ roots, reportPath: file === undefined ? "" : path.posix.normalize(file) },
		view,
	);
	const said = channel === null ? result.output : withoutTrace(result.output, channel.directory);
	const output = capText(maskCaptured(said, masker), MAX_OUTPUT);
	await request.blobs.put(request.outputPath, output);
	return {
		...labelOf(check, masker),
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
		...maskedFigures(shown.figures, masker),
		results: judgement.results,
	};
}

function maskedFigures(figures: ReportFigures, masker: Masker): ReportFigures {
	const { mutation } = figures;
	if (mutation?.kind !== "counted" || mutation.survivors === undefined) return figures;
	const survivors = shownSurvivors(mutation.survivors, masker);
	return { ...figures, mutation: { ...mutation, survivors } };
}

export function labelOf(
	{ name, kind, item }: RunDefinition,
	masker: Masker,
): Pick<Evidence, "check" | "kind" | "item"> {
	return item === undefined
		? { check: name, kind }
		: { check: name, kind, item: masker.mask(item) };
}

function withoutTrace(output: string, directory: string): string {
	const lines = output.split("\n");
	return lines.filter((line) => !line.includes(directory)).join("\n");
}

function processOf(
	{ check, checkout, mark, baseline }: CheckRequest,
	execution: Execution,
	channel: OwnChannel | null,
): ProcessRequest {
	const { report, run, kind } = check;
	const readsOutput = report !== undefined && report.format !== "exit" && report.path === undefined;
	return {
		command: ["sh", "-c", run],
		cwd: checkout,
		env: { ...execution.env, ...channel?.env },
		timeoutMs: limitOf(check, baseline),
		mark,
		places: [checkout, execution.temporary],
		apart: kind === "acceptance",
		writable: execution.writable,
		// A report on standard output must be complete. One character more, so that a longer one is noticed.
		maxOutput: readsOutput ? MAX_REPORT_SIZE + 1 : MAX_OUTPUT,
	};
}

const TAIL = 4_000;
const MAX_DETAILS = 50;
const MAX_DETAIL = 2_000;

// Mask the text before, so that no secret is cut in two.
export function capText(text: string, limit: number): string {
	if (text.length <= limit) return text;
	const half = Math.floor(limit / 2);
	const left = text.length - 2 * half;
	return `${text.slice(0, half)}\n[... ${left} characters left out ...]\n${text.slice(-half)}`;
}

export function tailOf(output: string): string {
	if (output.length <= TAIL) return output;
	const tail = output.slice(-TAIL);
	const start = tail.indexOf("\n") + 1;
	return start > 0 && start < tail.length ? tail.slice(start) : tail;
}

export function clipDetails(details: readonly string[], masker: Masker): string[] {
	const clipped = details.slice(0, MAX_DETAILS).map((detail) => {
		const masked = masker.mask(detail);
		return masked.length > MAX_DETAIL ? `${masked.slice(0, MAX_DETAIL - 3)}...` : masked;
	});
	const more = details.length - MAX_DETAILS;
	return more > 0 ? [...clipped, `... and ${more} more`] : clipped;
}
