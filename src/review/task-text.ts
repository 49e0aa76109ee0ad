/** A task as prompts and contexts show it, in the words of the person who wrote it. */
export interface TaskBrief {
	readonly id: string;
	readonly description: string;
	readonly acceptanceCriteria: readonly string[];
	readonly contextFiles: readonly string[];
}

/** Parts of a prompt that are not empty, one after another. */
export const joined = (parts: readonly string[], by = "\n\n"): string =>
	parts.filter((part) => part !== "").join(by);

/** A part of a prompt under a heading; `""` if it has no body. */
export function section(title: string, body: string): string {
	return body === "" ? "" : `## ${title}\n\n${body}`;
}

/** A person's instruction for the task, without a fence: it is to be followed. */
export function directiveSection(directive: string | null): string {
	const note = "A person gave this instruction for the task. The work must follow it.";
	return directive === null ? "" : section("Directive from a person", `${note}\n\n${directive}`);
}

/** The requirements for a prompt, without a fence: the person who started the run wrote them. */
export function taskText(task: TaskBrief): string {
	const criteria = task.acceptanceCriteria.map((criterion) => `- ${criterion}`);
	const files = task.contextFiles.map((file) => `- ${file}`);
	return joined([
		`## Task ${task.id}\n\n${task.description}`,
		section("Acceptance criteria", criteria.join("\n")),
		section("Files to read first", files.join("\n")),
	]);
}
