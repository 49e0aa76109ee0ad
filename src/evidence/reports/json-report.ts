/** An object of a report that is not trusted yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses JSON, also behind lines that a script runner printed before it; undefined when it is none. */
export function parseJsonReport(text: string): unknown {
	const start = /^[ \t]*\{/m.exec(text)?.index;
	if (start === undefined) return undefined;
	for (const candidate of [text, text.slice(start), upToLastBrace(text.slice(start))]) {
		try {
			return JSON.parse(candidate) as unknown;
		} catch {
			// The next candidate leaves out more of what stands around the report.
		}
	}
	return undefined;
}

function upToLastBrace(text: string): string {
	return text.slice(0, text.lastIndexOf("}") + 1);
}

export function isFields(value: unknown): value is Fields {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as text; what is no string is empty. */
export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

/** The value as a list of strings; what is none is left out. */
export function textsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
