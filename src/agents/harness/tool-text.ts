import { textAt } from "../../kernel/fields.ts";

// The first that is there counts.
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

/** @example `read_file` with `{"path":"a.js"}` gives `"read_file a.js"` */
export function toolText(name: string | null, input: unknown): string | null {
	if (name === null) return null;
	const [detail] = INPUTS.flatMap((key) => textAt(input, key) ?? []);
	return detail === undefined ? name : `${name} ${detail}`;
}
