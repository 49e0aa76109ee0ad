import { textAt } from "../fields.ts";

/** What of a tool's input says best what it does, the first that is there. */
const INPUTS = [
	"command",
	"file_path",
	"filePath",
	"path",
	"pattern",
	"query",
	"url",
	"description",
];

/**
 * A tool with what it is called for.
 *
 * @returns null without a name
 * @example `read_file` with `{"path":"a.js"}` gives `"read_file a.js"`
 */
export function toolText(name: string | null, input: unknown): string | null {
	if (name === null) return null;
	const [detail] = INPUTS.flatMap((key) => textAt(input, key) ?? []);
	return detail === undefined ? name : `${name} ${detail}`;
}
