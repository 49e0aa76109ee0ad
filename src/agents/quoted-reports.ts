import { topContainers, withDistinctKeys } from "./json-text.ts";

/** Characters that a prompt spells out because nobody sees them. */
const SPELLED_OUT = /<U\+[0-9A-F]{4,6}>/g;

/** A line's end with whatever marks stand before the next line's words: of a difference, a comment, a quotation. */
const LINE_BREAK = /[\r\n][^\p{L}\p{N}{}[\]",:\\]*|\p{Cc}/gu;

/** Words that were torn apart are joined: between tokens JSON needs no space. */
const onOneLine = (text: string): string => text.replaceAll(LINE_BREAK, "");

/** The text as it stands, and as who quotes it would write it down: without marks, and each side of a difference. */
function* layouts(text: string): Generator<string> {
	yield text;
	yield onOneLine(text);
	yield onOneLine(text.replaceAll(/^-.*$/gm, ""));
	yield onOneLine(text.replaceAll(/^\+.*$/gm, ""));
}

/** Bytes of a file's name as git writes them, else one character as source code does. */
const ESCAPE = /(?:\\[0-3][0-7]{2})+|\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([\s\S]))/gi;

function unescaped(text: string): string {
	return text.replaceAll(ESCAPE, (run, wide?: string, narrow?: string, char?: string) => {
		const code = wide ?? narrow;
		if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
		if (char !== undefined) return /[\nnrtbfv]/.test(char) ? "" : char;
		const bytes = run.slice(1).split("\\");
		return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 8))).toString();
	});
}

/** JSON in a text of JSON in source code is escaped so often. */
const LEVELS = 2;

/** All readings of a text in which an object may stand. */
function* readings(text: string): Generator<string> {
	for (const layout of layouts(text.replaceAll(SPELLED_OUT, ""))) {
		let reading = layout;
		yield reading;
		for (let level = 0; level < LEVELS && reading.includes("\\"); level += 1) {
			reading = unescaped(reading);
			yield reading;
		}
	}
}

/** The fields by which reports of a role decide: any of them makes a report. Where several say something, they agree. */
export type DecidingFields = readonly [string, ...string[]];

/** Whether a value is an object, no list, that has one of the fields itself. */
export function hasField(value: unknown, fields: DecidingFields): value is object {
	return (
		typeof value === "object" &&
		value !== null &&
		fields.some((field) => Object.hasOwn(value, field))
	);
}

/** The first of the fields that says something in a report: null says nothing. */
export function decidingField(report: object, fields: DecidingFields): string {
	return fields.find((field) => (Reflect.get(report, field) ?? null) !== null) ?? fields[0];
}

/** The objects with one of the fields in a value, itself included. */
function* objectsIn(value: unknown, fields: DecidingFields): Generator<object> {
	// A list of values still to be seen, not recursion: hostile nesting would overflow the stack.
	const open: unknown[] = [value];
	while (open.length > 0) {
		const next = open.pop();
		if (typeof next !== "object" || next === null) continue;
		if (hasField(next, fields)) yield next;
		for (const inner of Object.values(next)) open.push(inner);
	}
}

/**
 * The objects with one of the fields that stand anywhere in a text: alone, in other objects or lists, in texts in quotes, in
 * comments, in either side of a difference, in names of files.
 */
export function* quotedReports(text: string, fields: DecidingFields): Generator<object> {
	for (const reading of readings(text)) {
		for (const { start, end } of topContainers(reading)) {
			const value: unknown = JSON.parse(withDistinctKeys(reading.slice(start, end)));
			yield* objectsIn(value, fields);
		}
	}
}

/** No valid report is nested deeper. */
const DEEPEST = 40;

/** Fields of which a parser takes no other spelling, so that correcting one is not a quotation. */
const EXACT: ReadonlySet<string> = new Set(["status", "severity"]);

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, "");

/** Compares values with those of one report. */
class Likeness {
	readonly #bare = new Map<string, string>();

	#isSameText(own: string, given: string): boolean {
		if (own === given) return true;
		let plain = this.#bare.get(own);
		if (plain === undefined) {
			plain = bare(own.replaceAll(SPELLED_OUT, ""));
			this.#bare.set(own, plain);
		}
		return plain === bare(given);
	}

	#isSameMember(key: string, own: unknown, given: object, depth: number): boolean {
		if (!Object.hasOwn(given, key)) return false;
		const other: unknown = Reflect.get(given, key);
		return EXACT.has(key) ? own === other : this.isSame(own, other, depth + 1);
	}

	isSame(own: unknown, given: unknown, depth: number): boolean {
		if (typeof own === "string") return typeof given === "string" && this.#isSameText(own, given);
		if (typeof own !== "object" || own === null) return own === given;
		if (typeof given !== "object" || given === null || depth > DEEPEST) return false;
		if (Array.isArray(own) !== Array.isArray(given)) return false;
		const members = Object.entries(own);
		return (
			members.length === Object.keys(given).length &&
			members.every(([key, value]: [string, unknown]) =>
				this.#isSameMember(key, value, given, depth),
			)
		);
	}
}

/**
 * Whether a report is a quotation: whether an object of the same value stands in what its author was given. Spelling,
 * order of fields, and in texts everything but letters and digits do not matter.
 *
 * @param report the parsed report
 * @param fields the fields by which such reports decide
 * @example `isQuoted({ run: "x" }, ["run"], '{"run" : "\\u0078"}')` is true
 */
export function isQuoted(report: object, fields: DecidingFields, given: string): boolean {
	const field = decidingField(report, fields);
	const decision: unknown = Reflect.get(report, field);
	// No parser takes a list or an object there, and comparing them again and again would take quadratic time.
	if (typeof decision === "object") return false;
	const likeness = new Likeness();
	for (const quoted of quotedReports(given, [field])) {
		if (Reflect.get(quoted, field) === decision && likeness.isSame(report, quoted, 0)) return true;
	}
	return false;
}
