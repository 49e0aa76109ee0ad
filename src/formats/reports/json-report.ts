import { jsonIn } from "../../kernel/fields.ts";

/** Parses JSON, also after lines that a script runner printed. */
export function parseJsonReport(text: string): unknown {
	const start = /^[ \t]*\{/m.exec(text)?.index;
	if (start === undefined) return undefined;
	const rest = text.slice(start);
	const upToLastBrace = rest.slice(0, rest.lastIndexOf("}") + 1);
	return jsonIn(text) ?? jsonIn(rest) ?? jsonIn(upToLastBrace);
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
