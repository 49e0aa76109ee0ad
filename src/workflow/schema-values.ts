import * as z from "zod";
import { parseDuration } from "../kernel/duration.ts";
import { isFields, type Path } from "../kernel/fields.ts";
import type { Within } from "./yaml-source.ts";

/** Keys of durations: milliseconds in the workflow, where their names end in `Ms`. */
export const DURATION_KEYS = [
	"timeout",
	"wall",
	"run_timeout",
	"context_timeout",
	"llm_timeout",
	"ack_wait",
] as const;

type CamelCase<Key> = Key extends `${infer First}_${infer Rest}`
	? `${First}${Capitalize<CamelCase<Rest>>}`
	: Key;

type FieldName<Key> = Key extends (typeof DURATION_KEYS)[number]
	? `${CamelCase<Key>}Ms`
	: CamelCase<Key>;

type FieldValue<Value> = Value extends readonly (infer Element)[] ? readonly Element[] : Value;

/** A mapping of the file as the workflow has it. */
type Camel<Value> = {
	readonly [Key in keyof Value as FieldName<Key> & PropertyKey]: FieldValue<Value[Key]>;
};

const DURATIONS: ReadonlySet<string> = new Set(DURATION_KEYS);

function fieldName(key: string): string {
	const name = key.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase());
	return DURATIONS.has(key) ? `${name}Ms` : name;
}

function camel<Value extends object>(value: Value): Camel<Value> {
	const entries = Object.entries(value).flatMap(([key, each]) =>
		each === undefined ? [] : [[fieldName(key), each]],
	);
	// The type names the keys by the same rule.
	return Object.fromEntries(entries) as Camel<Value>;
}

type Verbatim<S extends z.core.$ZodLooseShape> = z.ZodObject<S, z.core.$strict>;

/**
 * A mapping that knows its keys. The message of an unknown key is the list of the known ones,
 * which `schema-issues.ts` turns into "did you mean".
 */
export function verbatim<S extends z.core.$ZodLooseShape>(
	shape: S,
): z.ZodObject<S, z.core.$strict> {
	return z.strictObject(shape, {
		error: ({ code }) => (code === "unrecognized_keys" ? Object.keys(shape).join(" ") : undefined),
	});
}

type Entries<S extends z.core.$ZodLooseShape> = z.output<Verbatim<S>>;

/** A mapping as {@link verbatim} reads it, whose value has them in camelCase. */
export function mapping<S extends z.core.$ZodLooseShape>(
	shape: S,
): z.ZodPipe<Verbatim<S>, z.ZodTransform<Camel<Entries<S>>, Entries<S>>> {
	return verbatim(shape).transform(camel);
}

export const text: z.ZodType<string> = z
	.string()
	.regex(/\S/, "must not be empty")
	.refine((value) => !value.includes("\0"), "must not contain a NUL character");

export const line: z.ZodType<string> = z
	.string()
	.regex(/\S/, "must not be empty")
	.refine((value) => !/\p{Cc}/u.test(value), "must be a single line without control characters");

/** A mistake in a value, told as a whole sentence. */
export interface Complaint {
	readonly message: string;
	readonly hint?: string | undefined;
	readonly within?: Within;
}

export type Complaints = Complaint | readonly Complaint[] | undefined;

function complain(context: z.RefinementCtx, path: Path, found: Complaints): void {
	for (const { message, ...params } of [found ?? []].flat())
		context.addIssue({ code: "custom", message, params, path: [...path] });
}

/** A text of which more is asked than its form. */
export const judged = (
	form: z.ZodType<string>,
	about: (text: string) => Complaints,
): z.ZodType<string> =>
	form.superRefine((value, context) => {
		if (value !== "") complain(context, [], about(value));
	});

/** A list, each of whose texts (those of a key, in a list of mappings) is judged after the ones before it. */
export const judgedList = <List extends z.ZodType<readonly unknown[]>>(
	form: List,
	judge: () => (text: string, index: number) => Complaints,
	key?: string,
): List =>
	form.superRefine(
		(list, context) => {
			const about = judge();
			const items: readonly unknown[] = Array.isArray(list) ? list : [];
			for (const [index, item] of items.entries()) {
				const text = key !== undefined && isFields(item) ? item[key] : item;
				const path = key === undefined ? [index] : [index, key];
				if (typeof text === "string" && text !== "") complain(context, path, about(text, index));
			}
		},
		// Also where an item is of a wrong type: all mistakes are told at once.
		{ when: () => true },
	);

/** A duration in the file, such as `90s`; milliseconds inside. */
export const duration: z.ZodType<number> = z.string().transform((value, context) => {
	const ms = parseDuration(value);
	if (ms !== undefined) return ms;
	context.addIssue({ code: "custom", message: "must be a duration above 0 and below 25 days" });
	return z.NEVER;
});

export const count: z.ZodType<number> = z.int().min(1);

export const unlessEmpty = <Element>(list: readonly Element[]): readonly Element[] | undefined =>
	list.length === 0 ? undefined : list;

export const share: z.ZodType<number> = z.number().min(0).max(1);

export const environment: z.ZodType<string[]> = z.array(
	z
		.string()
		.regex(
			/^[A-Za-z_][A-Za-z0-9_]*$/,
			"must be the name of an environment variable, without a value",
		),
);

/** An argument of a program; it may be empty. */
export const argument: z.ZodType<string> = z
	.string()
	.refine((value) => !value.includes("\0"), "must not contain a NUL character");

export const program: z.ZodType<string[]> = z
	.array(argument)
	.min(1)
	.refine(
		([first]) => first === undefined || first.trim() !== "",
		"must start with the name of a program",
	);
