/** Work that a turn's work would not merge with. */
export interface Overlap {
	/** The task that is worked on at the same time; null: what has merged since the turn's task began. */
	readonly task: string | null;
	/** Paths of the files that conflict. */
	readonly files: readonly string[];
}

/** An overlap with what the other task is for. */
export interface ToldOverlap extends Overlap {
	/** The other task's description; null where `task` is. */
	readonly description: string | null;
}

const NAMED = 20;

/** What a player is told of work that its own would not merge with; empty where there is none. */
export function overlapText(overlaps: readonly ToldOverlap[]): string {
	return overlaps
		.map(({ task, description, files }) => {
			const named = files.slice(0, NAMED).map((file) => `- ${file}`);
			const more = files.length > NAMED ? [`- and ${files.length - NAMED} more`] : [];
			const who =
				task === null
					? "What has been merged since this task began conflicts with yours in:"
					: `Task ${task}, which is worked on at the same time, conflicts with yours in:`;
			const what = description === null ? [] : [`Its task: ${description}`];
			return [who, ...named, ...more, ...what].join("\n");
		})
		.join("\n\n");
}
