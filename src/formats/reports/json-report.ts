/** An object of an untrusted report. */
export type Fields = Readonly<Record<string, unknown>>;

/** Parses JSON, also after lines that a script runner printed. */
export function parseJsonReport(text: string): unknown {
	const start = /^[ \t]*\{/m.exec(text)?.index;
	if (start === undefined) return undefined;
	for (const candidate of [text, text.slice(start), upToLastBrace(text.slice(start))]) {
		try {
			return JSON.parse(candidate) as unknown;
		} catch {
			// The next candidate leaves out more of the text around the report.
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

/** A list of whatever the report holds: `Array.isArray` alone would leave its items unchecked. */
export function isList(value: unknown): value is readonly unknown[] {
	return Array.isArray(value);
}

export function textOf(value: unknown): string {
	return typeof value === "string" ? value : "";
}

export function textsOf(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
