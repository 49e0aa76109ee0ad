import type { EventListener } from "../../trace/event.ts";

/** Tasks that this process has tidied up after, and to which nothing has happened since: that need not be done again. */
export class TidiedTasks {
	readonly #tidied = new Set<string>();

	/** Said before it is done: what happens to the task meanwhile is not in what is written. */
	begin(taskId: string): void {
		this.#tidied.add(taskId);
	}

	/** It was not done to the end. */
	failed(taskId: string): void {
		this.#tidied.delete(taskId);
	}

	has(taskId: string): boolean {
		return this.#tidied.has(taskId);
	}

	/** Hears what is stored. */
	readonly onEvent: EventListener = ({ task }) => {
		if (task !== null) this.#tidied.delete(task);
	};
}
