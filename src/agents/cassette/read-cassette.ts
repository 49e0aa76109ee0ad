import { readFile } from "node:fs/promises";
import * as z from "zod";
import { Fault } from "../../kernel/fault.ts";
import { type Fields, isFields, jsonIn } from "../../kernel/fields.ts";
import { ROLES } from "../../kernel/roles.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type { AgentCall } from "../agent.ts";

// Some file systems drop these from names, so that `.g\u200cit` would be `.git` there.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

export function isGitFolder(name: string): boolean {
	const plain = name
		.replaceAll(IGNORED, "")
		.toLowerCase()
		.replace(/[. ]+$/, "");
	return plain === ".git" || /^git~\d+$/.test(plain);
}

/**
 * Tells why a path may not be written into a checkout, as far as its text tells.
 *
 * @example `pathProblem("src/../../x")` is `leaves the checkout`
 */
export function pathProblem(path: string): string | null {
	if (path === "") return "is empty";
	if (path.includes("\0")) return "contains a NUL character";
	if (path.startsWith("/")) return "is absolute";
	const names = path.split("/");
	if (names.includes("..")) return "leaves the checkout";
	if (names.includes(".") || names.includes("")) return "is not normalized";
	return names.some(isGitFolder) ? "is inside git's own folder" : null;
}

const must = (be: string) => ({ error: `must be ${be}` });

const text = z.string(must("a string"));
const whole = must("a whole number of at least 1");
const count = z.int(whole).min(1, whole);
const share = must("null or a number of at least 0");
const amount = or(z.number(share).min(0, share), null);
const MODES = ["100644", "100755", "120000"] as const;

// Of a value that is null as of one that is missing.
function or<Schema extends z.ZodType, const Value>(schema: Schema, fallback: Value) {
	return schema.nullish().transform((value) => value ?? fallback);
}

const mode = (usual: string) => or(z.enum(MODES), usual);

const CONTENT = z
	.union(
		[
			text,
			z
				.object({ link: text.min(1), mode: mode("120000") })
				.transform(({ link }) => ({ link, mode: "120000" })),
			z.object({ base64: text, mode: mode("100644") }),
		],
		must(
			`null, a string or an object with "base64" or "link", and of the mode ${MODES.join(", ")}`,
		),
	)
	.nullable();

const PATH = z.string().check(({ value, issues }) => {
	const problem = pathProblem(value);
	if (problem !== null) issues.push({ code: "custom", message: problem, input: value });
});

const USAGE = z.object(
	{ input_tokens: amount, output_tokens: amount, cost_usd: amount, model: or(text, null) },
	must("an object or null"),
);

const LINE = z.object(
	{
		role: z.enum(ROLES, must(`one of ${ROLES.join(", ")}`)),
		agent: or(text, ""),
		task: text,
		subtask: or(text, null),
		turn: count,
		call: or(count, 1),
		/** One of the agent's failures; anything else is an answer. */
		outcome: or(text, "answered"),
		report: or(
			z.custom<string | Fields>(
				(value) => typeof value === "string" || isFields(value),
				must("an object, a string or null"),
			),
			null,
		),
		// As a map, since a path may be `__proto__`.
		files: z.preprocess(
			(value) => (isFields(value ?? {}) ? new Map(Object.entries(value ?? {})) : value),
			z
				.map(PATH, CONTENT, must("an object of paths"))
				.transform((found) => Object.fromEntries(found)),
		),
		output: or(text, ""),
		/** Not waited for. */
		ms: amount.transform((ms) => ms ?? 0),
		usage: or(USAGE, null),
	},
	must("a JSON object"),
);

/** Null when the path was removed. */
export type RecordedContent = z.output<typeof CONTENT>;

export type CassetteLine = z.output<typeof LINE>;

// Two calls with the same key are the same call, whatever the agent's name.
export function lineKey(
	line: Pick<AgentCall, "role" | "task" | "subtask" | "turn" | "call">,
): string {
	return JSON.stringify([line.role, line.task, line.subtask, line.turn, line.call]);
}

/** Recorded calls by `lineKey`. */
export interface Cassette {
	readonly lines: ReadonlyMap<string, CassetteLine>;
}

/** A line, or what is wrong with it. */
function readLine(source: string): CassetteLine | string {
	const value = jsonIn(source);
	if (value === undefined) return "the line is not JSON";
	const read = LINE.safeParse(value);
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const place = issue?.path.map((name) => JSON.stringify(name)).join(": ") || "the line";
	return `${place} ${issue?.message}`;
}

function invalid(place: string, reason: string, hint: string, cause?: unknown): Fault {
	return new Fault(`${place} ${reason}`, { code: "cassette-invalid", hint, cause });
}

async function readText(path: string): Promise<string> {
	let bytes: Buffer;
	try {
		bytes = await readFile(path);
	} catch (error) {
		const code = systemCode(error);
		throw invalid(
			path,
			`cannot be read (${code})`,
			"Name an existing cassette; `spar run --record FILE` writes one.",
			error,
		);
	}
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (error) {
		throw invalid(path, "is not UTF-8 text", "Record the cassette again.", error);
	}
}

/**
 * Reads a cassette: JSON Lines, one call a line, of those with the same key the last. `role`, `task` and `turn` are
 * required.
 *
 * @throws Fault `cassette-invalid` with `file:line`
 */
export async function readCassette(path: string): Promise<Cassette> {
	const lines = new Map<string, CassetteLine>();
	for (const [index, source] of (await readText(path)).split("\n").entries()) {
		if (source.trim() === "") continue;
		const line = readLine(source);
		if (typeof line === "string")
			throw invalid(
				`${path}:${index + 1}`,
				line,
				"Fix or delete this line; an interrupted recording ends with an incomplete line.",
			);
		lines.set(lineKey(line), line);
	}
	return { lines };
}
