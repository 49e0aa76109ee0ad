import { listOf, quote, type Shape, shapeOf, textOf } from "./shape.ts";

/** What an agent has told about one of its tool calls. */
export interface ToolCallFacts {
	readonly kind: string | null;
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

/** Names under which agents put paths into the input of their tools. */
const PATH_NAME = /(?:path|file|file_?name|dir|directory|cwd|uri)s?$/i;

const isPath = (value: unknown): value is string =>
	typeof value === "string" &&
	value !== "" &&
	value.length <= LONGEST_PATH &&
	!value.includes("\n");

function pathsIn(call: Shape): readonly string[] {
	const located = listOf(call["locations"]).map((location) => shapeOf(location)["path"]);
	const changed = listOf(call["content"]).map((content) => shapeOf(content)["path"]);
	const input = Object.entries(shapeOf(call["rawInput"])).flatMap(([name, value]) =>
		PATH_NAME.test(name) ? [value, ...listOf(value)] : [],
	);
	return [...located, ...changed, ...input].filter(isPath);
}

/** A kind that says nothing does not hide what was told before: some agents ask leave under such a one. */
function kindOf(told: unknown, known: string | null): string | null {
	const kind = textOf(told);
	return kind === null || kind === "other" ? (known ?? kind) : kind;
}

function textIn(content: unknown): string {
	const texts = listOf(content).map((part) => textOf(shapeOf(shapeOf(part)["content"])["text"]));
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
		const call = shapeOf(told);
		const id = textOf(call["toolCallId"]) ?? "";
		const known = this.#calls.get(id);
		const facts = {
			kind: kindOf(call["kind"], known?.kind ?? null),
			title: quote(textOf(call["title"]) ?? known?.title ?? "") || "without a title",
			status: textOf(call["status"]) ?? known?.status ?? null,
			gave: textIn(call["content"]),
			paths: [...new Set([...(known?.paths ?? []), ...pathsIn(call)])].slice(0, MAX_PATHS + 1),
		};
		this.#calls.set(id, facts);
		const [oldest] = this.#calls.size > MAX_CALLS ? this.#calls.keys() : [];
		if (oldest !== undefined) this.#calls.delete(oldest);
		return { facts, isNew: known === undefined };
	}
}
