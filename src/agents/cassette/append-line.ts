import { type FileHandle, open } from "node:fs/promises";
import { Fault } from "../../kernel/fault.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { jsonIn } from "../fields.ts";
import type { CassetteLine } from "./cassette-line.ts";

const NEWLINE = 0x0a;

const LINE_START = '{"role":';

const STEP = 65_536;

async function byteAt(file: FileHandle, position: number): Promise<number> {
	const buffer = Buffer.alloc(1);
	await file.read(buffer, 0, 1, position);
	return buffer.readUInt8(0);
}

async function lastLineStart(file: FileHandle, size: number): Promise<number> {
	const buffer = Buffer.alloc(STEP);
	for (let end = size; end > 0; end -= STEP) {
		const start = Math.max(0, end - STEP);
		const { bytesRead } = await file.read(buffer, 0, end - start, start);
		const found = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE);
		if (found >= 0) return start + found + 1;
	}
	return 0;
}

// Half a line of Sparring's is removed, a whole line that lacks its newline is completed, other text never removed.
async function repairEnd(file: FileHandle): Promise<void> {
	const { size } = await file.stat();
	if (size === 0 || (await byteAt(file, size - 1)) === NEWLINE) return;
	const start = await lastLineStart(file, size);
	const buffer = Buffer.alloc(size - start);
	await file.read(buffer, 0, buffer.length, start);
	const source = buffer.toString("utf8");
	const torn = LINE_START.startsWith(source) || source.startsWith(LINE_START);
	if (torn && jsonIn(source) === undefined) await file.truncate(start);
	else await file.appendFile("\n");
}

/**
 * Appends a call to a cassette, which is made when it is missing. Half a line that a kill left at the end is removed.
 *
 * Not for two writers at once.
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
