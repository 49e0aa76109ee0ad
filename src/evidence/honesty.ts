import path from "node:path";
import type { FileChange } from "../git/changes.ts";

/** What a player's report claims. */
export interface Claims {
	readonly files_modified: readonly string[];
	readonly files_created: readonly string[];
	readonly tests_written: readonly string[];
}

/** How well claims agree with the diff. Advisory. */
export interface Honesty {
	/** Share of claimed files that are in the diff, 0 to 1; 1 without claims. */
	readonly honest: number;
	/** One sentence for each claimed file that is not in the diff. */
	readonly discrepancies: readonly string[];
}

/**
 * Compares the files that a player claims to have changed with the diff.
 *
 * A test can be named with its case (`test/a.test.js > adds`, `test_a.py::test_adds`). Test names that are not paths are
 * not checked.
 *
 * @example claims of `["./a.js", "b.js"]` with only `a.js` in the diff give `honest: 0.5`
 */
export function compareClaims(report: Claims, changes: readonly FileChange[]): Honesty {
	const kinds = new Map(changes.map((change) => [change.path, change.kind]));
	const created = claimedOnce(report.files_created);
	const modified = claimedOnce(report.files_modified).filter((file) => !created.includes(file));
	const tests = claimedOnce(report.tests_written.map(fileOfTest)).filter(
		(file) => isPath(file) && !created.includes(file) && !modified.includes(file),
	);
	const claims = [
		...modified.map((file) => ({ file, said: "modified", kept: kinds.has(file) })),
		...created.map((file) => ({ file, said: "created", kept: isThere(kinds.get(file)) })),
		...tests.map((file) => ({ file, said: "written as a test", kept: isThere(kinds.get(file)) })),
	];
	const broken = claims.filter(({ kept }) => !kept);
	return {
		honest: claims.length === 0 ? 1 : (claims.length - broken.length) / claims.length,
		discrepancies: broken.map(
			({ file, said }) => `${file}: reported as ${said}, but not in the diff`,
		),
	};
}

function isThere(kind: FileChange["kind"] | undefined): boolean {
	return kind !== undefined && kind !== "deleted";
}

function claimedOnce(files: readonly string[]): string[] {
	const normal = files.map((file) =>
		path.posix.normalize(file.trim().replaceAll("\\", "/")).replace(/\/$/, ""),
	);
	return [...new Set(normal.filter((file) => file !== "."))];
}

function fileOfTest(name: string): string {
	return name.split(/::| > /)[0] ?? name;
}

function isPath(name: string): boolean {
	return !/\s/.test(name) && /[/.]/.test(name);
}
