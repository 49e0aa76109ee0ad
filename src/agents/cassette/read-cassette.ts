import { readFile } from "node:fs/promises";
import { Fault } from "../../kernel/fault.ts";
import { ROLES, type Role } from "../../kernel/roles.ts";
import type { Snake } from "../../kernel/snake-case.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type { AgentCall, Usage } from "../agent.ts";
import { type Fields, isFields } from "../fields.ts";

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

/** Null when the path was removed. */
export type RecordedContent =
	| null
	| string
	| { readonly base64: string; readonly mode: string }
	| { readonly link: string; readonly mode: string };

export interface CassetteLine {
	readonly role: Role;
	readonly agent: string;
	readonly task: string;
	readonly subtask: string | null;
	readonly turn: number;
	readonly call: number;
	/** One of the agent's failures; anything else is an answer. */
	readonly outcome: string;
	readonly report: Readonly<Record<string, unknown>> | string | null;
	readonly files: Readonly<Record<string, RecordedContent>>;
	readonly output: string;
	/** Not waited for. */
	readonly ms: number;
	readonly usage: Snake<Usage> | null;
}

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

class Flaw extends Error {}

function text(fields: Fields, name: string, fallback?: string): string {
	const value = fields[name] ?? fallback;
	if (typeof value !== "string") throw new Flaw(`"${name}" must be a string`);
	return value;
}

function count(fields: Fields, name: string, fallback?: number): number {
	const value = fields[name] ?? fallback;
	if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
		throw new Flaw(`"${name}" must be a whole number of at least 1`);
	}
	return value;
}

function amount(fields: Fields, name: string): number | null {
	const value = fields[name] ?? null;
	if (value === null || (typeof value === "number" && value >= 0)) return value;
	throw new Flaw(`"${name}" must be null or a number of at least 0`);
}

function content(path: string, value: unknown): RecordedContent {
	if (value === null || typeof value === "string") return value;
	if (!isFields(value)) throw new Flaw(`"files": ${path} must be null, a string or an object`);
	const mode = text(value, "mode", "link" in value ? "120000" : "100644");
	if (!["100644", "100755", "120000"].includes(mode)) {
		throw new Flaw(`"files": ${path} has the mode ${mode}; it must be 100644, 100755 or 120000`);
	}
	if (typeof value["link"] === "string" && value["link"] !== "") {
		return { link: value["link"], mode: "120000" };
	}
	if (typeof value["base64"] !== "string") {
		throw new Flaw(`"files": ${path} must have "base64" or "link" as a string`);
	}
	return { base64: value["base64"], mode };
}

function files(value: unknown): Record<string, RecordedContent> {
	if (value === undefined || value === null) return {};
	if (!isFields(value)) throw new Flaw('"files" must be an object of paths');
	const entries = Object.entries(value).map(([path, inner]): [string, RecordedContent] => {
		const problem = pathProblem(path);
		if (problem !== null) throw new Flaw(`"files": the path ${JSON.stringify(path)} ${problem}`);
		return [path, content(path, inner)];
	});
	return Object.fromEntries(entries);
}

function usage(value: unknown): CassetteLine["usage"] {
	if (value === undefined || value === null) return null;
	if (!isFields(value)) throw new Flaw('"usage" must be an object or null');
	return {
		input_tokens: amount(value, "input_tokens"),
		output_tokens: amount(value, "output_tokens"),
		cost_usd: amount(value, "cost_usd"),
		model: (value["model"] ?? null) === null ? null : text(value, "model"),
	};
}

function readLine(source: string): CassetteLine {
	let value: unknown;
	try {
		value = JSON.parse(source);
	} catch (error) {
		throw new Flaw("the line is not JSON", { cause: error });
	}
	if (!isFields(value)) throw new Flaw("the line must be a JSON object");
	const role = ROLES.find((known) => known === value["role"]);
	if (role === undefined) throw new Flaw(`"role" must be one of ${ROLES.join(", ")}`);
	const report = value["report"] ?? null;
	if (report !== null && typeof report !== "string" && !isFields(report)) {
		throw new Flaw('"report" must be an object, a string or null');
	}
	const subtask = value["subtask"] ?? null;
	return {
		role,
		agent: text(value, "agent", ""),
		task: text(value, "task"),
		subtask: subtask === null ? null : text(value, "subtask"),
		turn: count(value, "turn"),
		call: count(value, "call", 1),
		outcome: text(value, "outcome", "answered"),
		report,
		files: files(value["files"]),
		output: text(value, "output", ""),
		ms: amount(value, "ms") ?? 0,
		usage: usage(value["usage"]),
	};
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
		try {
			const line = readLine(source);
			lines.set(lineKey(line), line);
		} catch (error) {
			if (!(error instanceof Flaw)) throw error;
			throw invalid(
				`${path}:${index + 1}`,
				error.message,
				"Fix or delete this line; an interrupted recording ends with an incomplete line.",
				error,
			);
		}
	}
	return { lines };
}
