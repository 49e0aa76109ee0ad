import type { Snapshot } from "../../git/snapshot.ts";
import { shown } from "./path-match.ts";

/**
 * What of a checkout is not part of its snapshot, one sentence each: path, why, and how to mend it.
 *
 * @example `["sub: a repository of its own was made here; remove its .git"]`
 */
export function leftOutOf({
	embedded,
	leftOut,
	unfit,
}: Pick<Snapshot, "embedded" | "leftOut" | "unfit">): string[] {
	return [
		...embedded.map(
			(path) => `${shown(path)}: a repository of its own was made here; remove its .git`,
		),
		...leftOut.map((path) => `${shown(path)}: git refuses to record this path; rename it`),
		...unfit.map(
			({ path, why }) => `${shown(path)}: left out of the commit and removed: it ${why}`,
		),
	];
}
