export interface TaskWork {
	readonly commit: string;
	readonly paths: ReadonlySet<string>;
}

/**
 * What the tasks of a run that are worked on have changed so far. Kept in memory only: it serves early warnings, and a
 * process that resumes a run learns it again from each task's next turn.
 */
export class WorkUnderWay {
	readonly #byTask = new Map<string, TaskWork>();

	note(taskId: string, work: TaskWork): void {
		this.#byTask.set(taskId, work);
	}

	/** The task has merged or ended. */
	forget(taskId: string): void {
		this.#byTask.delete(taskId);
	}

	/** Other tasks that changed one of the paths, with their last commits, in the order in which they began. */
	touching(
		taskId: string,
		paths: ReadonlySet<string>,
	): readonly { readonly taskId: string; readonly commit: string }[] {
		return [...this.#byTask].flatMap(([other, work]) =>
			other !== taskId && [...paths].some((path) => work.paths.has(path))
				? [{ taskId: other, commit: work.commit }]
				: [],
		);
	}
}
