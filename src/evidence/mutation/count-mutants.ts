import type { ChangedFile } from "../changed-lines.ts";
import type { MutationFigures } from "../report-figures.ts";
import { placePath } from "../report-path.ts";
import type { Mutant, MutationReport } from "./mutation-report.ts";

type Changes = ReadonlyMap<string, Pick<ChangedFile, "lines">>;

/**
 * Counts the mutants of the changed lines by what became of them.
 *
 * A mutant counts when every line of it was changed: taking out a whole function of which one line is new says little
 * about that line. Those that could not be tried count for nothing. Files outside of the checkout are ignored.
 *
 * @param roots absolute names of the checkout in which the check ran, such as its path and the real path of that
 */
export function countMutants(
	report: Exclude<MutationReport, { kind: "invalid" }>,
	roots: readonly string[],
	changes: Changes,
): Extract<MutationFigures, { kind: "counted" }> {
	const counts = { detected: 0, undetected: 0, invalid: 0, pending: 0 };
	let outside = 0;
	for (const [name, mutants] of report.files) {
		const path = pathInside(name, report.projectRoot, roots);
		if (path === null) outside += 1;
		for (const { status } of onChanged(mutants, path, changes)) counts[status] += 1;
	}
	const { detected, undetected, pending } = counts;
	return { kind: "counted", detected, undetected, pending, outside };
}

/** A file's name in the report as a path in the checkout; null when it lies outside, or climbs. */
function pathInside(
	name: string,
	projectRoot: string | null,
	roots: readonly string[],
): string | null {
	const isAbsolute = /^(?:[/\\]|[A-Za-z]:)/.test(name);
	const place = placePath(
		isAbsolute || projectRoot === null ? name : `${projectRoot}/${name}`,
		roots,
	);
	return place.kind === "inside" ? place.path : null;
}

function onChanged(mutants: readonly Mutant[], path: string | null, changes: Changes): Mutant[] {
	const lines = path === null ? undefined : changes.get(path)?.lines;
	if (lines === undefined) return [];
	const ends = endsOfRuns(lines);
	return mutants.filter(({ from, to }) => (ends.get(from) ?? 0) >= to);
}

/** For each changed line the last line of the unbroken run that it belongs to. */
function endsOfRuns(lines: readonly number[]): ReadonlyMap<number, number> {
	const ends = new Map<number, number>();
	for (const line of [...lines].sort((a, b) => b - a)) ends.set(line, ends.get(line + 1) ?? line);
	return ends;
}
