import { shown } from "../../evidence/path-match.ts";
import type { Snapshot } from "../../git/snapshot.ts";

/**
 * Lists what is missing in the snapshot of a checkout. One sentence each: path, reason and fix.
 *
 * @example `["sub: this directory is a git repository of its own; remove its .git"]`
 */
export function leftOutOf({
	embedded,
	leftOut,
	unfit,
}: Pick<Snapshot, "embedded" | "leftOut" | "unfit">): string[] {
	return [
		...embedded.map(
			(path) => `${shown(path)}: this directory is a git repository of its own; remove its .git`,
		),
		...leftOut.map((path) => `${shown(path)}: git refuses to add this path; rename it`),
		...unfit.map(({ path, why }) => `${shown(path)}: not committed and removed: it ${why}`),
	];
}
