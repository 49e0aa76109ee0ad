import { type Fields, fieldsOf, listOf, wordsOf } from "../fields.ts";
import { quote } from "../quote.ts";
import { CHANGING } from "./permission.ts";
import { type RawInput, searchRawInput } from "./raw-input.ts";

/** What an agent has told about one of its tool calls. */
export interface ToolCallFacts {
	/** What it was told to be at last; null when it was not. */
	readonly kind: string | null;
	/** Every kind that it ever was: told, or by a diff, a command or a replacement that it holds. */
	readonly kinds: readonly string[];
	/** For people, one line. */
	readonly title: string;
	readonly status: string | null;
	/** What the call gave, as far as this message tells; one line, at most 300 characters. */
	readonly gave: string;
	/** Paths as the agent names them; one more than `MAX_PATHS` where it names more. */
	readonly paths: readonly string[];
}

/** Nobody looks at more paths of one call. */
export const MAX_PATHS = 100;

/** Of more calls the oldest are forgotten, so that memory is bounded. */
const MAX_CALLS = 10_000;
const LONGEST_PATH = 4_096;

/** More kinds than there are; a longer name is not a kind. */
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

/** Every kind that the call was ever told to be, and those that it is by its content and its input. */
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

/** A kind that says nothing does not hide what was told before: some agents ask for permission with such a kind. */
function kindOf(told: unknown, known: string | null): string | null {
	const kind = wordsOf(told)?.slice(0, LONGEST_KIND) ?? null;
	return kind === null || kind === "other" ? (known ?? kind) : kind;
}

function textIn(content: unknown): string {
	const texts = listOf(content).map((part) => wordsOf(fieldsOf(fieldsOf(part)["content"])["text"]));
	return quote(texts.find((text) => text !== null) ?? "");
}

/**
 * The tool calls of a session by their id. Agents tell of one call in several messages, and may begin with any of
 * them: what a later one leaves out stays as it was.
 */
export class ToolCalls {
	readonly #calls = new Map<string, ToolCallFacts>();

	/** @returns what is known of the call, and whether it is told of for the first time */
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
