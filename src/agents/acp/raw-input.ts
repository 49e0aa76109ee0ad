/** What the input of a tool says about the tool itself, whatever kind the agent calls it. */
export interface RawInput {
	/** Paths as the agent names them. */
	readonly paths: readonly string[];
	/** What would be a path by its look, but stands where an edit has its texts. */
	readonly texts: readonly string[];
	/** Kinds that it is besides: `edit` with a text to replace, `execute` with a command, `unreadable`. */
	readonly kinds: readonly string[];
}

/** An input that nests more values hides something. */
const MAX_VALUES = 10_000;

/** The longest path that systems take. In characters. */
const LONGEST_PATH = 4_096;

/** Names under which agents put paths, which may be relative, into the input of their tools. */
const PATH_NAME = /(?:path|file|file_?name|dir|directory|cwd|uri)s?$/i;

const COMMAND_NAME = /^(?:command|command_?line|cmd|script)s?$/i;
const REPLACED_NAME = /^(?:old|new)_?(?:string|str|text)$/i;
const TEXT_NAME = /^(?:content|text|(?:old|new)_?(?:string|str|text|content|source))$/i;

/** Absolute, a file address, below a home directory, or leading upwards. */
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
