/** A file of a change, with its text before and after; null where there is no such file, or where it was not read. */
export interface ChangedText {
	readonly path: string;
	readonly before: string | null;
	readonly after: string | null;
	/** False for one that was not read: too large, binary, a link. */
	readonly isRead: boolean;
}

/** The lines of one text that the other lacks, as often as it lacks them. */
function missingFrom(lines: readonly string[], other: readonly string[]): string[] {
	const left = new Map<string, number>();
	for (const line of other) left.set(line, (left.get(line) ?? 0) + 1);
	return lines.filter((line) => {
		const count = left.get(line) ?? 0;
		left.set(line, count - 1);
		return count <= 0;
	});
}

/** Lines that a change adds and those that it removes, blank ones left out. A line that only moved is neither. */
export function linesOf({ before, after }: ChangedText): {
	readonly added: readonly string[];
	readonly removed: readonly string[];
} {
	const [old, fresh] = [before ?? "", after ?? ""].map((text) =>
		text.split(/\r?\n/).filter((line) => line.trim() !== ""),
	);
	return {
		added: missingFrom(fresh ?? [], old ?? []),
		removed: missingFrom(old ?? [], fresh ?? []),
	};
}
