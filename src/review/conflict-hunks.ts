import { isConflictMarker } from "../wall/integrity/left-markers.ts";

/** One place between conflict markers. */
export interface ConflictHunk {
	readonly path: string;
	/** Line of the opening marker, from 1. */
	readonly line: number;
	/** Both sides with their markers; a long side is cut in its middle. */
	readonly text: string;
}

const MOST_LINES = 40;

/**
 * The places in a file that hold both sides of a merge of two commits between git's conflict markers.
 *
 * @example `conflictHunks("a.txt", "one\n<<<<<<< <commit>\na\n=======\nb\n>>>>>>> <commit>\n")` has one place, at line 2
 */
export function conflictHunks(path: string, text: string): readonly ConflictHunk[] {
	const lines = text.split("\n");
	const hunks: ConflictHunk[] = [];
	let opened: number | null = null;
	for (const [at, line] of lines.entries()) {
		if (isConflictMarker(line, "<")) opened ??= at;
		if (opened === null || !isConflictMarker(line, ">")) continue;
		hunks.push({ path, line: opened + 1, text: cut(lines.slice(opened, at + 1)).join("\n") });
		opened = null;
	}
	return hunks;
}

function cut(lines: readonly string[]): readonly string[] {
	if (lines.length <= MOST_LINES) return lines;
	const half = MOST_LINES / 2;
	const left = lines.length - MOST_LINES;
	return [...lines.slice(0, half), `... ${left} more lines`, ...lines.slice(-half)];
}
