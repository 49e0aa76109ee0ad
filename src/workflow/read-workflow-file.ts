import { open, stat } from "node:fs/promises";
import { Fault } from "../kernel/fault.ts";
import { quote } from "../kernel/quote.ts";
import { systemCode } from "../kernel/system-code.ts";
import { MAX_FILE_BYTES } from "./decode-text.ts";

/**
 * Reads a workflow or task file, at most one byte more than the limit, so that a huge file costs no memory. Throws
 * `workflow-invalid`.
 */
export async function readWorkflowFile(path: string): Promise<Uint8Array> {
	try {
		// Reading a pipe could wait forever.
		if (!(await stat(path)).isFile()) throw notReadable(path, "is not a file");
		return await readStart(path);
	} catch (error) {
		if (error instanceof Fault) throw error;
		throw explain(path, error);
	}
}

async function readStart(path: string): Promise<Uint8Array> {
	await using handle = await open(path, "r");
	const buffer = Buffer.alloc(MAX_FILE_BYTES + 1);
	let length = 0;
	for (;;) {
		const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
		length += bytesRead;
		if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
	}
}

function explain(path: string, cause: unknown): Fault {
	const code = systemCode(cause);
	if (code !== "ENOENT" && code !== "ENOTDIR")
		return notReadable(path, `cannot be read (${code})`, cause);
	return new Fault(`no workflow file ${quote(path)}`, {
		code: "workflow-invalid",
		hint: "run `spar init` to create one, or name another file: `spar run FILE`",
		cause,
	});
}

function notReadable(path: string, why: string, cause?: unknown): Fault {
	return new Fault(`${quote(path)} ${why}`, {
		code: "workflow-invalid",
		hint: "check the path and the permissions of the file",
		cause,
	});
}
