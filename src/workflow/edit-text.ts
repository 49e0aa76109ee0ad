import { Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from "yaml";
import { isFields } from "../kernel/fields.ts";
import { canonicalJson } from "../kernel/json.ts";
import { keyOf, startOf } from "./yaml-nodes.ts";
import { parseYaml, YAML } from "./yaml-source.ts";

type Values = Readonly<Record<string, unknown>>;

const LINE_WIDTH = 110;

/**
 * A workflow file's text with tasks added behind those that it has, and one `replaced`. All else stays as it is, byte
 * for byte. Null where the text cannot be extended in place, such as `tasks: *anchor`.
 */
export function addTasks(
	text: string,
	tasks: Values,
	replaced: string | null = null,
): string | null {
	const before = valueIn(text);
	if (!isFields(before)) return null;
	const root = mapAt(text, []);
	const known = mapAt(text, ["tasks"]);
	const edited =
		before["tasks"] === undefined ? append(text, root, { tasks }) : append(text, known, tasks);
	const kept = Object.entries(fieldsOf(before["tasks"])).filter(([id]) => id !== replaced);
	const expected = { ...before, tasks: { ...Object.fromEntries(kept), ...tasks } };
	return sound(replaced === null ? edited : withoutTask(edited, replaced), expected);
}

/** Null where the first task of this id does not stand in lines of its own. */
function withoutTask(text: string | null, id: string): string | null {
	const map = text === null ? null : mapAt(text, ["tasks"]);
	const pair = map?.items.find((item) => keyOf(item) === id);
	const [start, end] = [startOf(pair?.key), endOf(pair)];
	if (text === null || map?.flow === true || start === undefined || end === undefined) return null;
	const from = text.lastIndexOf("\n", start - 1) + 1;
	// Only deeper comments are its own: one as deep as the key may be about the next task.
	const to = behindComments(text, behindLine(text, end), start - from + 1);
	return text.slice(0, from) + text.slice(to);
}

/**
 * A workflow file's text with keys of one task set; all else stays as it is, byte for byte. Null where that would
 * change something else, such as a task that others share by an anchor.
 */
export function setKeys(
	text: string,
	task: string,
	values: Readonly<Record<string, string | boolean>>,
): string | null {
	const before = valueIn(text);
	const tasks = isFields(before) ? fieldsOf(before["tasks"]) : {};
	const words = tasks[task];
	const edited = Object.entries(values).reduce<string | null>(
		(so, [key, value]) => (so === null ? null : setKey(so, ["tasks", task], { key, value })),
		typeof words === "string" ? spelledOut(text, task, words) : text,
	);
	const changed = typeof words === "string" ? { description: words } : fieldsOf(words);
	const expected = { ...changed, ...values };
	return sound(edited, { ...fieldsOf(before), tasks: { ...tasks, [task]: expected } });
}

/** The task that is a text as a mapping with it as the description. */
function spelledOut(text: string, task: string, words: string): string | null {
	const tasks = mapAt(text, ["tasks"]);
	const node = tasks?.items.find((pair) => keyOf(pair) === task)?.value;
	if (!isScalar(node) || node.range == null) return null;
	const [from, to] = node.range;
	// A text in block style ends behind its own last line.
	const end = text.slice(from, to).endsWith("\n") ? "\n" : "";
	return `${text.slice(0, from)}{ description: ${flow(words)} }${end}${text.slice(to)}`;
}

const fieldsOf = (value: unknown): Values => (isFields(value) ? value : {});

function valueIn(text: string): unknown {
	const { value, errors } = parseYaml(text, "");
	return errors.length > 0 ? undefined : value;
}

function sound(edited: string | null, expected: unknown): string | null {
	return edited !== null && canonicalJson(valueIn(edited)) === canonicalJson(expected)
		? edited
		: null;
}

function mapAt(text: string, path: readonly string[]): YAMLMap | null {
	let node: unknown = parseDocument(text, YAML).contents;
	for (const step of path) {
		if (!isMap(node)) return null;
		node = node.items.find((pair) => keyOf(pair) === step)?.value;
	}
	return isMap(node) ? node : null;
}

function setKey(
	text: string,
	path: readonly string[],
	{ key, value }: { readonly key: string; readonly value: string | boolean },
): string | null {
	const map = mapAt(text, path);
	const present = map?.items.find((pair) => keyOf(pair) === key);
	if (present === undefined) return append(text, map, { [key]: value });
	const { value: node } = present;
	if (!isScalar(node) || node.range == null) return null;
	const [from, to] = node.range;
	const isQuoted = typeof value === "string" && node.type !== "PLAIN";
	return `${text.slice(0, from)}${isQuoted ? flow(value) : String(value)}${text.slice(to)}`;
}

function append(text: string, map: YAMLMap | null, values: Values): string | null {
	if (map === null) return null;
	return map.flow === true ? appendInline(text, map, values) : appendLines(text, map, values);
}

function appendInline(text: string, map: YAMLMap, values: Values): string | null {
	const [first] = map.items;
	const isPlain = isScalar(first?.key) && first.key.type === "PLAIN";
	const written = Object.entries(values)
		.map(([key, value]) => `${isPlain ? key : flow(key)}: ${flow(value)}`)
		.join(", ");
	const end = first === undefined ? undefined : endOf(map.items.at(-1));
	if (end !== undefined) return `${text.slice(0, end)}, ${written}${text.slice(end)}`;
	const open = startOf(map);
	if (open === undefined) return null;
	return `${text.slice(0, open + 1)} ${written} ${text.slice(open + 1)}`;
}

/** JSON is YAML's flow style but for line separators, which are spelled out. */
const flow = (value: unknown): string =>
	JSON.stringify(value).replaceAll(
		/[\u007f-\u009f\u2028\u2029\ufeff]/g,
		(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);

function appendLines(text: string, map: YAMLMap, values: Values): string | null {
	const start = startOf(map.items[0]?.key);
	const end = endOf(map.items.at(-1));
	if (start === undefined || end === undefined) return null;
	const indent = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
	if (/[^ ]/.test(indent)) return null;
	const at = behindComments(text, behindLine(text, end), indent.length);
	const eol = text.includes("\r\n") ? "\r\n" : "\n";
	const lines = new Document(values)
		.toString({ lineWidth: LINE_WIDTH })
		// Spaces and empty lines at the end may belong to a text.
		.replace(/\n$/, "")
		.split("\n")
		.map((line) => (line === "" ? eol : `${indent}${line}${eol}`))
		.join("");
	const gap = at > 0 && text.charAt(at - 1) !== "\n" ? eol : "";
	return `${text.slice(0, at)}${gap}${lines}${text.slice(at)}`;
}

/** As deep as blocks go; undefined for what is not written. */
function endOf(node: unknown): number | undefined {
	if (typeof node !== "object" || node === null) return undefined;
	if ((isMap(node) || isSeq(node)) && node.flow !== true) return endOf(node.items.at(-1));
	if ("key" in node && "value" in node) return endOf(node.value) ?? endOf(node.key);
	return "range" in node && Array.isArray(node.range) ? Number(node.range[1]) : undefined;
}

/** The beginning of the line after an offset; a text in block style may end behind its own last line. */
function behindLine(text: string, offset: number): number {
	if (text.charAt(offset - 1) === "\n") return offset;
	const end = text.indexOf("\n", offset);
	return end === -1 ? text.length : end + 1;
}

function behindComments(text: string, offset: number, indent: number): number {
	const comment = new RegExp(`(?:[ \\t]*\\r?\\n)*[ ]{${indent},}#[^\\n]*(?:\\n|$)`, "y");
	comment.lastIndex = offset;
	return comment.test(text) ? behindComments(text, comment.lastIndex, indent) : offset;
}
