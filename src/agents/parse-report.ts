import type * as z from "zod";
import { duplicateKey } from "./json-text.ts";

type Known<T> = T extends readonly (infer Item)[]
	? readonly Known<Item>[]
	: T extends object
		? { readonly [Key in keyof T as string extends Key ? never : Key]: Known<T[Key]> }
		: T;

/** Type of a report, read-only at every depth. Fields that its schema does not know are kept, and nobody reads them. */
export type Report<S extends z.ZodType> = Known<z.infer<S>>;

export type Parsed<T> =
	| { readonly ok: true; readonly report: T }
	| { readonly ok: false; readonly reason: string };

function showPath(path: readonly PropertyKey[]): string {
	return path.reduce<string>((shown, key) => {
		if (typeof key === "number") return `${shown}[${key}]`;
		return shown === "" ? String(key) : `${shown}.${String(key)}`;
	}, "");
}

const NAMED_PROBLEMS = 3;

function explain(error: z.ZodError): string {
	const named = error.issues
		.slice(0, NAMED_PROBLEMS)
		.map(({ path, message }) => (path.length === 0 ? message : `${showPath(path)}: ${message}`));
	const more = error.issues.length - named.length;
	return `invalid report: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

export const MAX_REPORT_BYTES: number = 4 * 1024 * 1024;

// Nobody would read more of a report.
const MAX_ITEMS = 1_000;
const MAX_CHARACTERS = 100_000;
const MAX_DEPTH = 32;

interface ReportPlace {
	readonly value: unknown;
	readonly path: readonly PropertyKey[];
}

function limitBroken({ value, path }: ReportPlace): string | null {
	const where = (): string => (path.length === 0 ? "the report" : showPath(path));
	if (typeof value === "string" && value.length > MAX_CHARACTERS) {
		return `${where()} has ${value.length} characters; the limit is ${MAX_CHARACTERS}`;
	}
	if (Array.isArray(value) && value.length > MAX_ITEMS) {
		return `${where()} has ${value.length} items; the limit is ${MAX_ITEMS}`;
	}
	return path.length > MAX_DEPTH ? `${where()} is nested deeper than ${MAX_DEPTH} levels` : null;
}

function inside({ value, path }: ReportPlace): ReportPlace[] {
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).map(([key, item]: [string, unknown]) => ({
		value: item,
		path: [...path, Array.isArray(value) ? Number(key) : key.slice(0, 80)],
	}));
}

function oversized(report: unknown): string | null {
	// A list of places still to be seen, not recursion: hostile nesting would overflow the stack.
	const open: ReportPlace[] = [{ value: report, path: [] }];
	for (let place = open.pop(); place !== undefined; place = open.pop()) {
		const broken = limitBroken(place);
		if (broken !== null) return broken;
		for (const next of inside(place)) open.push(next);
	}
	return null;
}

function valueIn(json: string): Parsed<unknown> {
	try {
		return { ok: true, report: JSON.parse(json) };
	} catch (error) {
		const why = error instanceof Error ? error.message : "it cannot be parsed";
		return {
			ok: false,
			reason: `not JSON: ${why}: a report is one object, with nothing before or after it`,
		};
	}
}

// Nothing is repaired: what is not exactly a report is refused, with a reason for its author. A duplicate key says two
// things.
export function parseReport<T>(
	{ text, problem }: { readonly text: string | null; readonly problem: string | undefined },
	schema: z.ZodType<T>,
): Parsed<T> {
	if (text === null) return { ok: false, reason: problem ?? "no report was handed in" };
	if (Buffer.byteLength(text) > MAX_REPORT_BYTES)
		return { ok: false, reason: "the report is larger than 4 MiB" };
	const json = text.startsWith("\u{feff}") ? text.slice(1) : text;
	const read = valueIn(json);
	if (!read.ok) return read;
	const value = read.report;
	const unfit = oversized(value);
	if (unfit !== null) return { ok: false, reason: unfit };
	const twice = duplicateKey(json);
	if (twice !== null) {
		return { ok: false, reason: `invalid report: duplicate key ${JSON.stringify(twice)}` };
	}
	const parsed = schema.safeParse(value);
	return parsed.success
		? { ok: true, report: parsed.data }
		: { ok: false, reason: explain(parsed.error) };
}
