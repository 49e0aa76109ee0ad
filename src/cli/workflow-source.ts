import { Fault } from "../kernel/fault.ts";
import type { WorkflowSource } from "../places/load-source.ts";

export const FILE = [
	"[file]",
	"workflow file, or a task file ending in .md (default: sparring.yaml)",
] as const;

export interface SourceFlags {
	readonly task?: string;
	readonly criterion?: readonly string[];
}

const needText = (name: string, text: string): void => {
	if (text.trim() !== "") return;
	throw new Fault(`${name} is empty`, { code: "usage", hint: `Give ${name} a text in quotes.` });
};

// A task file's name ends in `.md`.
export function workflowSource(file: string | undefined, flags: SourceFlags): WorkflowSource {
	if (flags.task !== undefined) {
		if (file !== undefined) {
			throw new Fault(`both --task and the file ${file} are given`, {
				code: "usage",
				hint: "Give the task either in words or as a file.",
			});
		}
		needText("--task", flags.task);
		for (const criterion of flags.criterion ?? []) needText("--criterion", criterion);
		return { kind: "words", description: flags.task, criteria: flags.criterion ?? [] };
	}
	if (flags.criterion !== undefined) {
		throw new Fault("--criterion is given without --task", {
			code: "usage",
			hint: "Put criteria of a workflow's task into the file, or describe the task with --task.",
		});
	}
	if (file === undefined) return { kind: "file" };
	needText("the file", file);
	return file.toLowerCase().endsWith(".md")
		? { kind: "task-file", path: file }
		: { kind: "file", path: file };
}
