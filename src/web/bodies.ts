import { z } from "zod";
import type { ActionBody, AnswerBody, PlanEdit, SessionRequest } from "./protocol.ts";
import { wrong } from "./refusal.ts";

const sessionBody = z.strictObject({ code: z.string() });

const answerBody = z.strictObject({
	version: z.string(),
	take: z.string().optional(),
	directive: z.string().optional(),
	reject: z.union([z.string(), z.literal(true)]).optional(),
	finding: z.array(z.string()).optional(),
	notes: z.string().optional(),
	add_usd: z.number().optional(),
	add_wall: z.string().optional(),
});

/** As `--max-turns` has it. */
const MOST_TURNS = 1_000_000;

const actionBody = z.strictObject({ max_turns: z.int().min(1).max(MOST_TURNS).optional() });

const flag = z.union([z.boolean(), z.literal("auto")]);
const planBody = z.strictObject({
	file: z.string().optional(),
	digest: z.string(),
	all: flag.optional(),
	tasks: z.record(z.string(), flag).optional(),
});

/** What is in a body, where it has the shape; else a fault that names what is wrong first. */
function bodyOf<T>(schema: z.ZodType<T>, value: unknown): T {
	const { success, data, error } = schema.safeParse(withoutNulls(value));
	if (success) return data;
	const [issue] = error.issues;
	const place = issue?.path.join(".") ?? "";
	throw wrong(
		`the body is not valid${place === "" ? "" : ` at ${place}`}: ${issue?.message ?? ""}`,
	);
}

/** A field that is null says as little as one that is left out. */
function withoutNulls(value: unknown): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null));
}

/** @throws Fault `usage` */
export const readSession = (value: unknown): SessionRequest => bodyOf(sessionBody, value);

/** @throws Fault `usage` */
export const readAnswer = (value: unknown): AnswerBody => bodyOf(answerBody, value);

/** @throws Fault `usage` */
export const readAction = (value: unknown): ActionBody => bodyOf(actionBody, value);

/** @throws Fault `usage` */
export const readPlan = (value: unknown): PlanEdit => bodyOf(planBody, value);
