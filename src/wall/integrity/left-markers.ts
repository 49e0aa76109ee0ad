import { shown } from "../../evidence/path-match.ts";
import type { AddedLine } from "../reading/added-lines.ts";
import { final, type Violation } from "../reading/violation.ts";

const MARKER = /^(?:<{7,}|>{7,}) [0-9a-f]{40}(?:[0-9a-f]{24})?(?::.+)?$/;

/**
 * Tells whether a line begins (`<`) or ends (`>`) a place of a conflict in a merge that Sparring made. Others, such as those of
 * a manual of git, do not give the ids of commits.
 */
export const isConflictMarker = (line: string, sign: "<" | ">"): boolean =>
	line.startsWith(sign) && MARKER.test(line.trimEnd());

/**
 * Finds a file that still holds both sides of a conflict that Sparring gave back: no reader takes that for work, but a
 * check that does not read the file passes. No task can allow it.
 */
export function leftMarkers(path: string, added: readonly AddedLine[]): Violation[] {
	const first = added.find(
		({ text }) => isConflictMarker(text, "<") || isConflictMarker(text, ">"),
	);
	if (first === undefined) return [];
	const what = `line ${first.number} is a conflict marker; resolve the conflict so that both tasks keep what they are for`;
	return [final(path, `${shown(path)}: ${what}`)];
}
