import type { WorkflowSource } from "../../places/load-source.ts";
import { needText, usageFault } from "./option-values.ts";

export interface SourceFlags {
	readonly task?: string | undefined;
	readonly criteria?: readonly string[] | undefined;
}

// A task file's name ends in `.md`.
export function workflowSource(file: string | undefined, flags: SourceFlags): WorkflowSource {
	if (flags.task !== undefined) {
		if (file !== undefined) {
			throw usageFault(
				`both --task and the file ${file} are given`,
				"Give the task either in words or as a file.",
			);
		}
		needText("--task", flags.task);
		for (const criterion of flags.criteria ?? []) needText("--criterion", criterion);
		return { kind: "words", description: flags.task, criteria: flags.criteria ?? [] };
	}
	if (flags.criteria !== undefined) {
		throw usageFault(
			"--criterion is given without --task",
			"Put criteria of a workflow's task into the file, or describe the task with --task.",
		);
	}
	if (file === undefined) return { kind: "file" };
	needText("the file", file);
	return file.toLowerCase().endsWith(".md")
		? { kind: "task-file", path: file }
		: { kind: "file", path: file };
}
