import { join } from "node:path";
import type { TaskPlace } from "./read-task.ts";

/** Where the state of a repository lies. */
export interface RunFolder {
	/** Absolute path of `.sparring`. */
	readonly stateDir: string;
}

/** Folder for the transcripts of a task's calls, relative to the state directory. */
export const transcriptPrefix = ({ runId, taskId }: TaskPlace): string =>
	`transcripts/${runId}/${taskId}`;

/** Folder for what its checks and setups print, likewise. */
export const outputPrefix = ({ runId, taskId }: TaskPlace): string =>
	`runs/${runId}/evidence/${taskId}`;

/** Absolute path of the first. */
export const transcriptFolder = (stateDir: string, task: TaskPlace): string =>
	join(stateDir, transcriptPrefix(task));

/** Absolute path of the second. */
export const outputFolder = (stateDir: string, task: TaskPlace): string =>
	join(stateDir, outputPrefix(task));
