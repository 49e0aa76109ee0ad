import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { given } from "./verbs/fields.ts";
import type { Field, Fields, Kind } from "./verbs/verb.ts";

/** Shape of an argument. Types do not reach a program in JavaScript, and what it passes is checked here alone. */
export interface Shape {
	readonly expected: string;
	readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): boolean =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Shapes of a field's values, by its kind. */
export const SHAPES: Readonly<Record<Kind, Shape>> = {
	text: { expected: "a string", fits: isText },
	texts: {
		expected: "an array of strings",
		fits: (value) => Array.isArray(value) && value.every(isText),
	},
	count: {
		expected: "a whole number, 1 or more",
		fits: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
	},
	number: { expected: "a number", fits: (value) => typeof value === "number" },
	duration: {
		expected: "a number above 0",
		fits: (value) => typeof value === "number" && value > 0,
	},
	flag: { expected: "true or false", fits: (value) => typeof value === "boolean" },
	choice: { expected: "a text or false", fits: (value) => value === false || isText(value) },
	source: { expected: "an object", fits: isObject },
	object: { expected: "an object", fits: isObject },
	list: { expected: "an array", fits: Array.isArray },
	callback: { expected: "a function", fits: (value) => typeof value === "function" },
	signal: { expected: "an AbortSignal", fits: (value) => value instanceof AbortSignal },
	any: { expected: "anything", fits: () => true },
};

const atMost = (most: number): Shape => ({
	expected: `a whole number from 1 to ${most}`,
	fits: (value) => SHAPES.count.fits(value) && Number(value) <= most,
});

export const optional = ({ expected, fits }: Shape): Shape => ({
	expected,
	fits: (value) => value === undefined || fits(value),
});

const needed = <K extends Kind>(kind: K): Field<K> => ({ kind, isNeeded: true });

const SOURCES: Readonly<Record<string, Fields>> = {
	file: { path: given("text") },
	"task-file": { path: needed("text") },
	words: {
		description: needed("text"),
		criteria: needed("texts"),
		id: given("text"),
		shot: given("object"),
		starter: given("text"),
	},
	value: { value: needed("object") },
	loaded: { workflow: needed("object") },
};

const SOURCE_KIND: Shape = {
	expected: `one of ${Object.keys(SOURCES).map(quote).join(", ")}`,
	fits: (value) => isText(value) && Object.hasOwn(SOURCES, value),
};

/** Checks what a program gave against what a call takes. @throws Fault `usage` that names the first that does not fit */
export function requireFields(call: string, fields: Fields, value: unknown, prefix = ""): void {
	for (const [name, { kind, isNeeded, most }] of Object.entries(fields)) {
		const part = field(value, name);
		const shape = most === undefined ? SHAPES[kind] : atMost(most);
		requireShape(call, `${prefix}${name}`, part, isNeeded ? shape : optional(shape));
		if (kind !== "source" || part === undefined) continue;
		const of = field(part, "kind");
		requireShape(call, `${prefix}${name}.kind`, of, SOURCE_KIND);
		requireFields(call, SOURCES[String(of)] ?? {}, part, `${prefix}${name}.`);
	}
}

/** The same of options in an object. */
export function requireOptions(call: string, fields: Fields, options: unknown): void {
	requireShape(call, "options", options, SHAPES.object);
	requireFields(call, fields, options);
}

export function requireShape(call: string, name: string, value: unknown, shape: Shape): void {
	if (shape.fits(value)) return;
	throw new Fault(`${name} of ${call} must be ${shape.expected}, not ${described(value)}`, {
		code: "usage",
		hint: "See docs/user-guide/library.md for what each call takes.",
	});
}

export const field = (value: unknown, name: string): unknown =>
	typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function described(value: unknown): string {
	if (value === undefined || value === null) return String(value);
	if (Array.isArray(value)) return "an array";
	if (typeof value === "string") return `the string ${quote(value)}`;
	if (typeof value === "number") return `the number ${value}`;
	return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
