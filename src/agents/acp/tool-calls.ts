import { type Fields, fieldsOf, listOf, wordsOf } from "../../kernel/fields.ts";
import { quote } from "../quote.ts";
import { CHANGING } from "./permission.ts";

export interface ToolCallFacts {
	readonly kind: string | null;
	readonly kinds: readonly string[];
	readonly title: string;
	readonly status: string | null;
	// Of this message; one line, at most 300 characters.
	readonly gave: string;
	readonly paths: readonly string[];
}

export const MAX_PATHS = 100;

// Of more calls the oldest are forgotten, so that memory is bounded.
const MAX_CALLS = 10_000;

const LONGEST_PATH = 4_096;

const MAX_KINDS = 20;
const LONGEST_KIND = 40;

const isPath = (value: unknown): value is string =>
	typeof value === "string" &&
	value !== "" &&
	value.length <= LONGEST_PATH &&
	!value.includes("\n");

function pathsIn(call: Fields, input: RawInput, isEdit: boolean): readonly string[] {
	const located = listOf(call["locations"]).map((location) => fieldsOf(location)["path"]);
	const changed = listOf(call["content"]).map((content) => fieldsOf(content)["path"]);
	return [
		...[...located, ...changed].filter(isPath),
		...input.paths,
		...(isEdit ? [] : input.texts),
	];
}

const isDiff = (content: unknown): boolean => {
	const { type, oldText, newText } = fieldsOf(content);
	return type === "diff" || typeof (newText ?? oldText) === "string";
};

function kindsOf(
	call: Fields,
	{
		kind,
		input,
		known,
	}: {
		readonly kind: string | null;
		readonly input: RawInput;
		readonly known: ToolCallFacts | undefined;
	},
): readonly string[] {
	const before = (known?.kinds ?? []).filter((one) => one !== "other");
	const diff = listOf(call["content"]).some(isDiff) ? ["edit"] : [];
	const kinds = new Set([...before, ...(kind === null ? [] : [kind]), ...diff, ...input.kinds]);
	return [...kinds].slice(0, MAX_KINDS);
}

// A kind that says nothing does not hide what was told before: some agents ask for permission with such a kind.
function kindOf(told: unknown, known: string | null): string | null {
	const kind = wordsOf(told)?.slice(0, LONGEST_KIND) ?? null;
	return kind === null || kind === "other" ? (known ?? kind) : kind;
}

function textIn(content: unknown): string {
	const texts = listOf(content).map((part) => wordsOf(fieldsOf(fieldsOf(part)["content"])["text"]));
	return quote(texts.find((text) => text !== null) ?? "");
}

// Agents tell of one call in several messages, and may begin with any of them: what a later one leaves out stays.
export class ToolCalls {
	readonly #calls = new Map<string, ToolCallFacts>();

	take(told: unknown): { readonly facts: ToolCallFacts; readonly isNew: boolean } {
		const call = fieldsOf(told);
		const id = wordsOf(call["toolCallId"]) ?? "";
		const known = this.#calls.get(id);
		const kind = kindOf(call["kind"], known?.kind ?? null);
		const input = searchRawInput(call["rawInput"]);
		const kinds = kindsOf(call, { kind, input, known });
		const isEdit = kinds.some((one) => CHANGING.has(one));
		const facts = {
			kind,
			kinds,
			title: quote(wordsOf(call["title"]) ?? known?.title ?? "") || "without a title",
			status: wordsOf(call["status"]) ?? known?.status ?? null,
			gave: textIn(call["content"]),
			paths: [...new Set([...(known?.paths ?? []), ...pathsIn(call, input, isEdit)])].slice(
				0,
				MAX_PATHS + 1,
			),
		};
		this.#calls.set(id, facts);
		const [oldest] = this.#calls.size > MAX_CALLS ? this.#calls.keys() : [];
		if (oldest !== undefined) this.#calls.delete(oldest);
		return { facts, isNew: known === undefined };
	}
}

export interface RawInput {
	readonly paths: readonly string[];
	// Paths by their look, but where an edit has its texts.
	readonly texts: readonly string[];
	readonly kinds: readonly string[];
}

const MAX_VALUES = 10_000;

const PATH_NAME = /(?:path|file|file_?name|dir|directory|cwd|uri)s?$/i;

const COMMAND_NAME = /^(?:command|command_?line|cmd|script)s?$/i;
const REPLACED_NAME = /^(?:old|new)_?(?:string|str|text)$/i;
const TEXT_NAME = /^(?:content|text|(?:old|new)_?(?:string|str|text|content|source))$/i;

const PATH_LOOK = /^(?:[/\\~]|file:|[a-z]:[/\\])|(?:^|[/\\])\.\.(?:[/\\]|$)/i;

const looksLikePath = (text: string): boolean =>
	text.length <= LONGEST_PATH && !text.includes("\n") && PATH_LOOK.test(text);

const isEmpty = (value: unknown): boolean =>
	value === null || value === undefined || value === "" || value === false;

class Search {
	readonly paths: string[] = [];
	readonly texts: string[] = [];
	readonly kinds = new Set<string>();

	look(name: string, value: unknown): void {
		if (looksLikePath(name)) this.paths.push(name);
		if (COMMAND_NAME.test(name) && !isEmpty(value)) this.kinds.add("execute");
		if (REPLACED_NAME.test(name) && typeof value === "string") this.kinds.add("edit");
		if (typeof value !== "string" || value === "") return;
		if (PATH_NAME.test(name)) {
			if (value.length > LONGEST_PATH) this.kinds.add("unreadable");
			else this.paths.push(value);
		} else if (looksLikePath(value)) (TEXT_NAME.test(name) ? this.texts : this.paths).push(value);
	}
}

/**
 * Searches a tool's input, of any shape and depth, for what it would touch and do: agents name their fields as they
 * like, so every text that looks like a path counts as one. An input of more than 10,000 values is `unreadable`.
 *
 * @example `{ target: "/etc/shadow" }` gives the path; `{ command: "rm x" }` gives the kind `execute`
 */
export function searchRawInput(input: unknown): RawInput {
	const search = new Search();
	const open: (readonly [name: string, value: unknown])[] = [["", input]];
	for (let seen = 0; ; seen += 1) {
		const next = open.pop();
		if (next === undefined) break;
		const [name, value] = next;
		if (seen + open.length > MAX_VALUES) {
			search.kinds.add("unreadable");
			break;
		}
		search.look(name, value);
		if (typeof value !== "object" || value === null) continue;
		// What stands in a list has the name of the list.
		const inside: readonly (readonly [string, unknown])[] = Array.isArray(value)
			? value.slice(0, MAX_VALUES + 1).map((one): readonly [string, unknown] => [name, one])
			: Object.entries(value).slice(0, MAX_VALUES + 1);
		for (const one of inside) open.push(one);
	}
	return { paths: search.paths, texts: search.texts, kinds: [...search.kinds] };
}
