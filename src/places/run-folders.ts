import type { Blobs } from "../kernel/blobs.ts";
import type { TaskPlace } from "../story/read-task.ts";

export const transcriptFolder = ({ runId, taskId }: TaskPlace): string =>
	`transcripts/${runId}/${taskId}`;

export const outputFolder = ({ runId, taskId }: TaskPlace): string =>
	`runs/${runId}/evidence/${taskId}`;

/** Tells whether the files that a run wrote for people are still there. */
export const hasOutputs = (blobs: Blobs, runId: string): Promise<boolean> =>
	blobs.has(`runs/${runId}`);
