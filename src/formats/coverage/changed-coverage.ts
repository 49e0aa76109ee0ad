import { posix } from "node:path";
import type { CoverageFigures } from "../../evidence/report-figures.ts";
import { isTestFile } from "../../evidence/test-files.ts";
import type { ChangedFile } from "../reports/changed-lines.ts";
import type { PlacedCoverage } from "./place-coverage.ts";

export interface UncoveredLines {
	readonly path: string;
	readonly lines: readonly number[];
}

/** The figures with the lines behind them. */
export type ChangedCoverage = CoverageFigures & {
	/** Empty when nothing is measured. */
	readonly uncovered: readonly UncoveredLines[];
};

/**
 * Computes how much of a change is covered, and the total. Lines of test files do not count.
 *
 * A changed code file that the report does not list counts as uncovered, since many reports omit files that no test
 * loads. If three of four changed lines were executed, the share is 0.75.
 */
export function changedCoverage(
	coverage: PlacedCoverage,
	changes: ReadonlyMap<string, ChangedFile>,
): ChangedCoverage {
	const unreported = unreportedFiles(coverage, changes);
	const notes = { total: totalShare(coverage), unreported: unreported.map(({ path }) => path) };
	const absent = (reason: string) => ({ kind: "absent", reason, ...notes, uncovered: [] }) as const;
	if (coverage.files.size === 0) return absent("the report lists no files of the commit");
	const uncovered: UncoveredLines[] = [];
	let covered = 0;
	let missed = 0;
	for (const { path, lines } of changes.values()) {
		const hits = isTestFile(path) ? undefined : coverage.files.get(path);
		const known = lines.filter((line) => hits?.has(line) === true);
		const open = known.filter((line) => hits?.get(line) === false);
		covered += known.length - open.length;
		missed += open.length;
		if (open.length > 0) uncovered.push({ path, lines: open });
	}
	if (covered + missed === 0) return absent(whyNone(notes.unreported));
	const executable = covered + missed + unreported.reduce((sum, { written }) => sum + written, 0);
	return { kind: "measured", covered, executable, uncovered, ...notes };
}

function whyNone(unreported: readonly string[]): string {
	const none = "the report lists no changed line as executable";
	if (unreported.length === 0) return none;
	const some = unreported.slice(0, 5).join(", ");
	const more = unreported.length > 5 ? ` and ${unreported.length - 5} more` : "";
	return `${none}; it does not list ${some}${more}`;
}

function totalShare({ files }: PlacedCoverage): number | null {
	let covered = 0;
	let executable = 0;
	for (const [path, lines] of files) {
		if (isTestFile(path)) continue;
		executable += lines.size;
		covered += [...lines.values()].filter(Boolean).length;
	}
	return executable === 0 ? null : covered / executable;
}

const NO_CODE = /\.d\.[cm]?ts$|(?:^|[./])config\.[^./]+$|(?:^|\/)\.[^/]+$/;

function unreportedFiles(
	{ files, listsWholeFolders }: PlacedCoverage,
	changes: ReadonlyMap<string, ChangedFile>,
): ChangedFile[] {
	const kinds = new Set([...files.keys()].map(extensionOf));
	const folders = new Set(
		listsWholeFolders ? [...files.keys()].map((path) => posix.dirname(path)) : [],
	);
	return [...changes.values()].filter(
		({ path, written }) =>
			written > 0 &&
			!files.has(path) &&
			kinds.has(extensionOf(path)) &&
			!folders.has(posix.dirname(path)) &&
			!isTestFile(path) &&
			!NO_CODE.test(path),
	);
}

function extensionOf(path: string): string {
	return /\.[^./]+$/.exec(path)?.[0] ?? "";
}
