import { lineRanges } from "../evidence/line-ranges.ts";
import type { ReportFigures } from "../evidence/report-figures.ts";
import type { CommitView } from "../formats/commit-view.ts";
import { type ChangedCoverage, changedCoverage } from "../formats/coverage/changed-coverage.ts";
import { goModuleName } from "../formats/coverage/go-cover.ts";
import { type GoModule, placeCoverage } from "../formats/coverage/place-coverage.ts";
import { countMutants } from "../formats/mutation/mutation-report.ts";
import { mutationDetails } from "../formats/mutation/mutation-text.ts";
import type { ReportOutcome } from "./judgement.ts";

/** The place where a report was written. */
export interface ReportPlace {
	/** Absolute names of the checkout in which the check ran. */
	readonly roots: readonly string[];
	/** The report's path in the checkout; empty when it came on standard output. */
	readonly reportPath: string;
}

/** Figures with what a person or an agent should see of them, not masked. */
export interface ShownFigures {
	readonly figures: ReportFigures;
	/** Not masked and not truncated. */
	readonly details: readonly string[];
}

/** Maximum number of unreported files to keep. */
const MAX_NAMES = 50;

/**
 * The figures of a coverage or mutation report for the changed lines. Empty for other reports, and without a commit to
 * compare with.
 *
 * @throws Fault `git-failed` when the commit cannot be read
 */
export async function figuresOf(
	report: ReportOutcome,
	place: ReportPlace,
	view: CommitView | undefined,
): Promise<ShownFigures> {
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
		const mutation = countMutants(report, place.roots, changes.files);
		return {
			figures: { mutation },
			details: changes.files.size === 0 ? [] : mutationDetails(mutation),
		};
	}
	const files = await view.files();
	const goModules = report.naming === "module" ? await goModulesOf(view, files) : [];
	const { roots, reportPath } = place;
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

/** `"3-5,9"` for 3, 4, 5 and 9. */
function rangesOf(lines: readonly number[]): string {
	return lineRanges(lines)
		.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
		.join(",");
}
