import type { Blobs } from "../kernel/blobs.ts";
import type { TaskPlace } from "../story/read-task.ts";

/** Folder of the transcripts of a task's calls, among the files of runs. */
export const transcriptFolder = ({ runId, taskId }: TaskPlace): string =>
	`transcripts/${runId}/${taskId}`;

/** Folder of what its checks and setups print, likewise. */
export const outputFolder = ({ runId, taskId }: TaskPlace): string =>
	`runs/${runId}/evidence/${taskId}`;

/** Whether the files that a run wrote for people are still there: what its checks printed, and its traces. */
export const hasOutputs = (blobs: Blobs, runId: string): Promise<boolean> =>
	blobs.has(`runs/${runId}`);
