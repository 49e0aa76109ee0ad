import * as z from "zod";
import { parseDuration } from "../kernel/duration.ts";

/**
 * A mapping that knows its keys. The message of an unknown key is the list of the known ones,
 * which `schema-issues.ts` turns into "did you mean".
 */
export function mapping<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
	return z.strictObject(shape, {
		error: ({ code }) => (code === "unrecognized_keys" ? Object.keys(shape).join(" ") : undefined),
	});
}

export const text: z.ZodType<string> = z
	.string()
	.regex(/\S/, "must not be empty")
	.refine((value) => !value.includes("\0"), "must not contain a NUL character");

export const line: z.ZodType<string> = z
	.string()
	.regex(/\S/, "must not be empty")
	.refine((value) => !/\p{Cc}/u.test(value), "must be a single line without control characters");

/** A duration in the file, such as `90s`; milliseconds inside. */
export const duration: z.ZodType<number> = z.string().transform((value, context) => {
	const ms = parseDuration(value);
	if (ms !== undefined) return ms;
	context.addIssue({ code: "custom", message: "must be a duration above 0 and below 25 days" });
	return z.NEVER;
});

export const count: z.ZodType<number> = z.int().min(1);

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
