import { BRACES, fillTemplate } from "../kernel/fill-template.ts";
import type { MESSAGE_NAMES } from "./limits.ts";
import type { TaskDefinition } from "./workflow.ts";

export type SubjectParts = Pick<TaskDefinition, "id" | "description" | "featureId">;

/**
 * The subject line of a task's commit. `{title}` is the first line of the description without the marks of a heading
 * or a rule. `"feat: {title}"` with `"# Add it\n\nSlowly."` is `"feat: Add it"`.
 */
export function taskSubject(
	template: string,
	task: SubjectParts,
	cut: (title: string) => string = (title) => title,
): string {
	const values = new Map<string, string>([
		["title", cut(splitTitle(task).title)],
		["task", task.id],
		["feature_id", task.featureId ?? ""],
	] satisfies [(typeof MESSAGE_NAMES)[number], string][]);
	const filled = fillTemplate(template, (name) => values.get(name) ?? "", BRACES);
	return filled.kind === "filled" ? filled.text.trim() : "";
}

/** The first line of the description that says something, and what follows it; the id of a task where none does. */
export function splitTitle({ id, description }: Pick<SubjectParts, "id" | "description">): {
	readonly title: string;
	readonly rest: string;
} {
	const lines = description.split(/\r\n|[\n\r]/);
	const titles = lines.map(withoutMarks);
	const at = titles.findIndex((title) => /[^\p{Cc}\s]/u.test(title));
	return { title: titles[at] ?? id, rest: at < 0 ? "" : lines.slice(at + 1).join("\n") };
}

function withoutMarks(line: string): string {
	return line.replace(/^(?:[\s#]|-{3,})+/, "").trim();
}
