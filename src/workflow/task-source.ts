import type { Diagnostic } from "./diagnostic.ts";
import type { Locate } from "./yaml-source.ts";

/** A task that was given by itself, as a Markdown file or in words. */
export interface TaskSource {
	readonly id: string;
	/** The task's mapping as in the workflow file, not yet checked. */
	readonly value: unknown;
	/** Places of paths inside the task. */
	readonly locate: Locate;
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
}
