import { declared } from "./declarations.ts";

/** Leaves out the others. */
const FOCUSES = /\bonly\b|\b(?:fit|fdescribe|fcontext)\b/;

const depthOf = (line: string): number => line.length - line.trimStart().length;

const ANNOTATES = /^\s*(?:@|\[|#\[)/;

/**
 * A test file without the lines that new cases bring along, so that what these carry, such as a skip for a platform, is theirs.
 * The text as it is where a case of the base is gone, since a new one may be that one.
 */
export function withoutNewCases(base: string, head: string, path: string): string {
	const old = new Set(base.split(/\r?\n/).map((line) => line.trim()));
	const lines = head.split(/\r?\n/);
	const isCase = (line: string): boolean => !ANNOTATES.test(line) && declared(line, path) > 0;
	const now = new Set(lines.map((line) => line.trim()));
	if (base.split(/\r?\n/).some((line) => isCase(line) && !now.has(line.trim()))) return head;
	const ownerOf = (at: number): string | undefined =>
		ANNOTATES.test(lines[at] ?? "")
			? lines.slice(at).find(isCase)
			: lines.slice(0, at + 1).findLast(isCase);
	const isOfNew = (line: string, at: number): boolean => {
		const owner = ownerOf(at);
		if (old.has(line.trim()) || FOCUSES.test(line) || owner === undefined) return false;
		const isIn = line === owner || ANNOTATES.test(line) || depthOf(line) > depthOf(owner);
		return isIn && !old.has(owner.trim());
	};
	return lines.filter((line, at) => !isOfNew(line, at)).join("\n");
}
