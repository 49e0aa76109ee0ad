import { z } from "zod";
import { Fault } from "../kernel/fault.ts";
import { MOST_TURNS } from "../workflow/limits.ts";

export const FILTERS = ["all", "waiting", "failed", "active", "unlanded"] as const;

/** `all` (default); `waiting` for a person; `failed`; `active`: not ended; `unlanded`: merged work that is not landed. */
export type RunFilter = (typeof FILTERS)[number];

export const ACTIONS = ["cancel", "resume", "land", "prune"] as const;

export type Action = (typeof ACTIONS)[number];

// It stood in the address behind `#code=`, and ends after 60 seconds, or when it was used.
export const sessionBody = z.strictObject({ code: z.string() });

// Exactly one choice: `take` (`continue`, a side or an agent's name), `directive`, `reject` with the reason, or
// `add_usd` and `add_wall` (a duration such as `30m`).
export const answerBody = z.strictObject({
	version: z.string(),
	take: z.string().optional(),
	directive: z.string().optional(),
	reject: z.union([z.string(), z.literal(true)]).optional(),
	finding: z.array(z.string()).optional(),
	notes: z.string().optional(),
	add_usd: z.number().optional(),
	add_wall: z.string().optional(),
});

export const actionBody = z.strictObject({ max_turns: z.int().min(1).max(MOST_TURNS).optional() });

const flag = z.union([z.boolean(), z.literal("auto")]);
export const planBody = z.strictObject({
	file: z.string().optional(),
	digest: z.string(),
	all: flag.optional(),
	tasks: z.record(z.string(), flag).optional(),
});

export type AnswerBody = Readonly<z.infer<typeof answerBody>>;
export type ActionBody = Readonly<z.infer<typeof actionBody>>;
export type PlanEdit = Readonly<z.infer<typeof planBody>>;
export type VerificationFlag = z.infer<typeof flag>;

export function bodyOf<T>(schema: z.ZodType<T>, value: unknown): T {
	const { success, data, error } = schema.safeParse(withoutNulls(value));
	if (success) return data;
	const [issue] = error.issues;
	const place = issue?.path.join(".") ?? "";
	throw wrong(
		`the body is not valid${place === "" ? "" : ` at ${place}`}: ${issue?.message ?? ""}`,
	);
}

// A field that is null says as little as one that is left out.
function withoutNulls(value: unknown): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

export function wrong(message: string, cause?: unknown): Fault {
	return new Fault(message, { code: "usage", cause });
}
