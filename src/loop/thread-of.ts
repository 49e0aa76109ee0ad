/** The thread of a task in the checkpointer; a reopened task gets a new one. */
export function threadOf(runId: string, taskId: string, epoch: number): string {
	return `${runId}/${taskId}/${epoch}`;
}
