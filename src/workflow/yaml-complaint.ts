import type { YAMLError } from "yaml";
import { plain } from "./diagnostic.ts";

/** Our words for the mistakes that people make most; the library's own words do for the rest. */
const COMPLAINTS: Partial<Record<YAMLError["code"], { message: string; hint?: string }>> = {
	TAB_AS_INDENT: { message: "tabs are not allowed as indentation", hint: "indent with spaces" },
	MULTIPLE_DOCS: {
		message: "the file holds several YAML documents",
		hint: "keep one; remove the line `---`",
	},
	BLOCK_AS_IMPLICIT_KEY: {
		message: "a mapping must not begin in the middle of a line",
		hint: "put text that holds `: ` in quotation marks, or check the indentation",
	},
	NON_STRING_KEY: { message: "a key must be text", hint: "put it in quotation marks" },
	TAG_RESOLVE_FAILED: { message: "unknown tag", hint: "remove the word that begins with `!`" },
};

/** A YAML error or warning as message and hint. */
export function yamlComplaint(error: YAMLError): { message: string; hint?: string } {
	return COMPLAINTS[error.code] ?? { message: `YAML: ${plain(error.message)}` };
}
