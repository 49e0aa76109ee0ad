import { basename, extname } from "node:path";
import { isFields } from "../kernel/fields.ts";
import { decodeText } from "./decode-text.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { OneShot } from "./one-shot.ts";
import { safeTaskId } from "./safe-name.ts";
import { type Locate, parseYaml, type YamlSource } from "./yaml-source.ts";

interface Criterion {
	readonly text: string;
	readonly line: number;
}

interface CriteriaSplit {
	readonly criteria: readonly Criterion[];
	/** Everything else, verbatim; the heading goes with its list. */
	readonly rest: string;
}

const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/;
const FENCE = /^ {0,3}(```+|~~~+)/;
const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*\S)\s*$/;

/**
 * Takes the list under a heading "Acceptance criteria" out of a Markdown text. The section ends at the next heading;
 * indented lines go on with their item; a check box before an item is dropped. Headings and lists inside code fences
 * are text.
 */
export function splitCriteria(text: string): CriteriaSplit {
	const reader = new CriteriaReader();
	for (const [index, line] of text.split("\n").entries()) reader.read(line, index + 1);
	return reader.result();
}

class CriteriaReader {
	readonly #rest: string[] = [];
	readonly #criteria: { text: string; readonly line: number }[] = [];
	#fence: string | undefined;
	#isInside = false;
	#heading: string | undefined;
	#open: { text: string } | undefined;

	read(raw: string, number: number): void {
		const line = raw.replace(/\r$/, "");
		const mark = FENCE.exec(line)?.[1];
		const isCode = this.#fence !== undefined || mark !== undefined;
		if (mark !== undefined) this.#fence = nextFence(this.#fence, mark);
		const title = isCode ? undefined : HEADING.exec(line)?.[1];
		if (title !== undefined) this.#enter(title, raw);
		else if (!this.#isInside) this.#rest.push(raw);
		else if (isCode || !this.#readItem(line, number)) this.#keep(raw);
	}

	result(): CriteriaSplit {
		return {
			criteria: this.#criteria.map(({ text, line }) => ({ text, line })),
			rest: this.#rest.join("\n").trim(),
		};
	}

	#enter(title: string, raw: string): void {
		this.#isInside = /^acceptance criteria:?$/i.test(title);
		this.#heading = this.#isInside ? raw : undefined;
		this.#open = undefined;
		if (!this.#isInside) this.#rest.push(raw);
	}

	#readItem(line: string, number: number): boolean {
		if (line.trim() === "") return true;
		const text = ITEM.exec(line)?.[1];
		if (text !== undefined) {
			const item = { text, line: number };
			this.#criteria.push(item);
			this.#open = item;
			this.#heading = undefined;
			return true;
		}
		if (this.#open === undefined || !/^\s/.test(line)) return false;
		this.#open.text += ` ${line.trim()}`;
		return true;
	}

	/** Text of the section that is not a list; before the first item it keeps the heading. */
	#keep(raw: string): void {
		if (this.#heading !== undefined) this.#rest.push(this.#heading);
		this.#heading = undefined;
		this.#open = undefined;
		this.#rest.push(raw);
	}
}

/** A fence is closed by its own character, at least as long. */
function nextFence(open: string | undefined, mark: string): string | undefined {
	if (open === undefined) return mark;
	return mark.startsWith(open) ? undefined : open;
}

/** A task that was given by itself, as a Markdown file or in words. */
export interface TaskSource {
	readonly id: string;
	/** The task's mapping as in the workflow file, not yet checked. */
	readonly value: unknown;
	/** Wishes for a task in words. */
	readonly shot?: OneShot;
	/** Places of paths inside the task. */
	readonly locate: Locate;
	readonly errors: readonly Diagnostic[];
	readonly warnings: readonly Diagnostic[];
}

/**
 * Reads a task written as Markdown: YAML front matter with the keys of a task and optionally `id`, then the
 * description. Criteria may stand as a list under a heading of that name. Never throws; what is wrong is among the
 * errors, at its place in the Markdown file.
 */
export function parseTaskFile(content: string | Uint8Array, file: string): TaskSource {
	const id = safeTaskId(basename(file, extname(file)));
	const decoded = decodeText(content);
	if ("problem" in decoded) {
		const { problem: message, hint, line } = decoded;
		return brokenTask(id, { file, line, column: 1, message, hint });
	}
	const parts = splitFrontMatter(decoded.text);
	if (parts === undefined)
		return brokenTask(id, {
			file,
			line: 1,
			column: 1,
			message: "the front matter is not closed",
			hint: "close it with a line `---`",
		});
	const front = parseYaml(parts.front, file);
	const [error] = front.errors;
	if (front.value === undefined && error !== undefined)
		return { ...brokenTask(id, error), errors: front.errors };
	if (front.value !== null && !isFields(front.value))
		return brokenTask(id, {
			...front.locate([], "value"),
			message: "the front matter must be a mapping of a task's keys",
			hint: "for example `agent: dev`",
		});
	return assemble(id, front.value ?? {}, front, parts, file);
}

function brokenTask(id: string, error: Diagnostic): TaskSource {
	const { file, line, column } = error;
	return { id, value: {}, locate: () => ({ file, line, column }), errors: [error], warnings: [] };
}

interface TaskFileParts {
	// On the same lines as in the file, so that positions need no correction.
	readonly front: string;
	readonly body: string;
	readonly bodyLine: number;
}

function splitFrontMatter(text: string): TaskFileParts | undefined {
	const lines = text.split("\n");
	if (lines[0]?.trimEnd() !== "---") return { front: "", body: text, bodyLine: 1 };
	const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
	if (end === -1) return undefined;
	return {
		front: ["", ...lines.slice(1, end)].join("\n"),
		body: lines.slice(end + 1).join("\n"),
		bodyLine: end + 2,
	};
}

function assemble(
	defaultId: string,
	front: Readonly<Record<string, unknown>>,
	source: YamlSource,
	parts: TaskFileParts,
	file: string,
): TaskSource {
	const { id, ...keys } = front;
	const hasCriteria = Object.hasOwn(keys, "acceptance_criteria");
	const hasDescription = Object.hasOwn(keys, "description");
	const { criteria, rest } = hasCriteria
		? { criteria: [], rest: parts.body.trim() }
		: splitCriteria(parts.body);
	const errors = [...source.errors];
	if (id !== undefined && typeof id !== "string")
		errors.push({
			...source.locate(["id"], "value"),
			message: "id must be a string",
			hint: `put it in quotes, or remove it to use ${JSON.stringify(defaultId)}`,
		});
	const warnings = [...source.warnings];
	if (hasDescription && rest !== "")
		warnings.push({
			...source.locate(["description"], "key"),
			message: "the text below the front matter is ignored because description is set",
			hint: "remove `description` to use the text",
		});
	return {
		id: typeof id === "string" ? id : defaultId,
		value: {
			...(hasDescription ? {} : { description: rest }),
			...(criteria.length === 0 ? {} : { acceptance_criteria: criteria.map(({ text }) => text) }),
			...keys,
		},
		locate: locateTask(source, parts, { hasDescription, hasId: id !== undefined, criteria }, file),
		errors,
		warnings,
	};
}

function locateTask(
	source: YamlSource,
	{ bodyLine }: TaskFileParts,
	task: {
		readonly hasDescription: boolean;
		readonly hasId: boolean;
		readonly criteria: readonly Criterion[];
	},
	file: string,
): Locate {
	return (path, part, within) => {
		const [key, index] = path;
		if (key === undefined)
			return task.hasId ? source.locate(["id"], "value") : { file, line: 1, column: 1 };
		if (key === "description" && !task.hasDescription) return { file, line: bodyLine, column: 1 };
		if (key === "acceptance_criteria" && task.criteria.length > 0) {
			const line = task.criteria[typeof index === "number" ? index : 0]?.line ?? 1;
			return { file, line: bodyLine + line - 1, column: 1 };
		}
		return source.locate(path, part, within);
	};
}

export interface TaskWords {
	readonly description: string;
	readonly criteria: readonly string[];
	readonly id?: string | undefined;
	readonly shot?: OneShot | undefined;
}

const WISHES: readonly string[] = ["player", "coach", "model", "command"];

function optionOf(key: string | number | undefined): string {
	if (key === "acceptance_criteria") return "--criterion";
	if (key === undefined || key === "description") return "--task";
	return WISHES.includes(String(key)) ? `--${key}` : "--preset";
}

/**
 * A task from the command line. Its diagnostics name the option, such as `--criterion`, as the file; the line is then
 * the number of the criterion.
 */
export function taskFromWords({ description, criteria, id, shot = {} }: TaskWords): TaskSource {
	return {
		shot,
		id: id ?? safeTaskId(description),
		value: { description, acceptance_criteria: criteria },
		locate: ([key, index]) => ({
			file: optionOf(key),
			line: typeof index === "number" ? index + 1 : 1,
			column: 1,
		}),
		errors: [],
		warnings: [],
	};
}
