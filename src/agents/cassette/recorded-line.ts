import { type FileHandle, open } from "node:fs/promises";
import { attempt } from "../../kernel/attempt.ts";
import { Fault } from "../../kernel/fault.ts";
import { isFields, jsonIn } from "../../kernel/fields.ts";
import { snake } from "../../kernel/snake-case.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type { Masker } from "../../masking/masking.ts";
import type { AgentCall, AgentOutcome } from "../agent.ts";
import { duplicateKey } from "../json-text.ts";
import type { CassetteLine, RecordedContent } from "./read-cassette.ts";

const NEWLINE = 0x0a;

const LINE_START = '{"role":';

// Half a line of Sparring's is removed, a whole line that lacks its newline is completed, other text never removed.
async function repairEnd(file: FileHandle): Promise<void> {
	const { size } = await file.stat();
	if (size === 0) return;
	const last = Buffer.alloc(1);
	await file.read(last, 0, 1, size - 1);
	if (last[0] === NEWLINE) return;
	const whole = Buffer.alloc(size);
	await file.read(whole, 0, size, 0);
	const start = whole.lastIndexOf(NEWLINE) + 1;
	const source = whole.toString("utf8", start);
	const torn = LINE_START.startsWith(source) || source.startsWith(LINE_START);
	if (torn && jsonIn(source) === undefined) await file.truncate(start);
	else await file.appendFile("\n");
}

/**
 * Appends a call to a cassette, which is made when it is missing. Not for two writers at once.
 *
 * @throws Fault `disk-full` or `state-unwritable`
 */
export async function appendLine(path: string, line: CassetteLine): Promise<void> {
	try {
		const file = await open(path, "a+");
		try {
			await repairEnd(file);
			await file.appendFile(`${JSON.stringify(line)}\n`);
		} finally {
			await file.close();
		}
	} catch (error) {
		const code = systemCode(error);
		throw new Fault(`cannot write the cassette ${path} (${code})`, {
			code: code === "ENOSPC" ? "disk-full" : "state-unwritable",
			hint: "Name a writable file: `spar run --record FILE`.",
			cause: error,
		});
	}
}

/** One path that a call changed, as git sees it. */
export interface RecordedFile {
	/** Relative to the checkout, with forward slashes. */
	readonly path: string;
	/** null when the path was removed. Of a link: its target. */
	readonly content: Uint8Array | null;
	/** Mode of git: `100644`, `100755` or `120000`; anything for a removed path. */
	readonly mode: string;
}

/** A line to write, and the paths whose content masking changed: replaying will not give the same tree for them. */
export interface Recording {
	readonly line: CassetteLine;
	readonly maskedPaths: readonly string[];
}

// A byte order mark stays; null for other bytes.
function utf8(bytes: Uint8Array): string | null {
	const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
	return attempt(() => decoder.decode(bytes), null);
}

function maskedContent(
	file: RecordedFile,
	masker: Masker,
): { readonly content: RecordedContent; readonly changed: boolean } {
	if (file.content === null) return { content: null, changed: false };
	// Latin-1 keeps every byte apart, so that a secret inside binary content is found as well.
	const exact = utf8(file.content);
	const text = exact ?? Buffer.from(file.content).toString("latin1");
	const masked = masker.mask(text);
	const bytes = Buffer.from(masked, exact === null ? "latin1" : "utf8");
	const changed = masked !== text;
	if (exact !== null && file.mode === "120000") {
		return { content: { link: masked, mode: file.mode }, changed };
	}
	if (exact !== null && file.mode === "100644") return { content: masked, changed };
	return { content: { base64: bytes.toString("base64"), mode: file.mode }, changed };
}

// For people to read. One with a duplicate key would lose one of the two as an object, and be replayed as valid.
function recordedReport(report: string | null): CassetteLine["report"] {
	const value = jsonIn(report ?? "");
	return report !== null && isFields(value) && duplicateKey(report) === null ? value : report;
}

/** The line of a cassette for a call that was made, its outcome without secrets. Pure. */
export function recordedLine(
	call: Pick<AgentCall, "role" | "agent" | "task" | "subtask" | "turn" | "call">,
	outcome: AgentOutcome,
	files: readonly RecordedFile[],
	masker: Masker,
): Recording {
	const masked = files.map((file) => {
		const path = masker.mask(file.path);
		const inside = maskedContent(file, masker);
		return { path, content: inside.content, changed: inside.changed || path !== file.path };
	});
	const report = outcome.kind === "answered" ? outcome.report : null;
	const usage = outcome.usage ?? null;
	const line: CassetteLine = {
		role: call.role,
		agent: call.agent,
		task: call.task,
		subtask: call.subtask,
		turn: call.turn,
		call: call.call,
		outcome: outcome.kind === "answered" ? "answered" : outcome.failure,
		report: recordedReport(report),
		files: Object.fromEntries(masked.map(({ path, content }) => [path, content])),
		output: outcome.output,
		ms: outcome.ms,
		usage: usage === null ? null : snake(usage, "inputTokens", "outputTokens", "costUsd", "model"),
	};
	return { line, maskedPaths: masked.filter(({ changed }) => changed).map(({ path }) => path) };
}
