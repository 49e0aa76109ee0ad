import type { FileChange } from "../../git/file-change.ts";
import type { Grown, PathClass } from "./path-classes.ts";
import type { Sides } from "./sides.ts";
import { isCode } from "./test-places.ts";

/** Classes of the paths of a change. */
export interface ChangedClasses {
	readonly classOf: (path: string) => PathClass;
	/** Tells whether a new file may be loaded instead of one that stays. */
	readonly displaces: (change: FileChange) => boolean;
	/** Code on the tests' side that the change adds or rewrites, by path. */
	readonly tests: Grown;
}

/** Reads the code of a change, by which new files belong to product or tests. */
export async function changedClasses(
	changes: readonly FileChange[],
	readHead: (path: string) => Promise<string | null>,
	sides: Sides,
): Promise<ChangedClasses> {
	const [grown, tests] = [new Map<string, string>(), new Map<string, string>()];
	for (const { path, kind } of changes) {
		if (kind === "deleted" || !isCode(path)) continue;
		const text = (await readHead(path)) ?? "";
		grown.set(path, text);
		if (sides.tests.has(path) || sides.isTestWhenNew(path)) tests.set(path, text);
	}
	const gone = new Set(changes.flatMap(({ kind, path }) => (kind === "deleted" ? [path] : [])));
	return {
		classOf: (path) => sides.classOf(path, grown),
		displaces: ({ path, kind }) =>
			kind === "added" && sides.displacedBy(path).some((other) => !gone.has(other)),
		tests,
	};
}
