/** A task as its prompts and contexts show it: the person's own words, verbatim. */
export interface TaskBrief {
	readonly id: string;
	readonly description: string;
	readonly acceptanceCriteria: readonly string[];
	readonly contextFiles: readonly string[];
}

/** The requirements for a prompt: not fenced, since the person who started the run wrote them. */
export function taskText(task: TaskBrief): string {
	const criteria = task.acceptanceCriteria.map((criterion) => `- ${criterion}`);
	const files = task.contextFiles.map((file) => `- ${file}`);
	return [
		`## Task ${task.id}\n\n${task.description}`,
		criteria.length === 0 ? "" : `## Acceptance criteria\n\n${criteria.join("\n")}`,
		files.length === 0 ? "" : `## Files to read first\n\n${files.join("\n")}`,
	]
		.filter((part) => part !== "")
		.join("\n\n");
}
