import { constants, mkdirSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import { systemCode } from "../kernel/system-code.ts";
import { MAX_REPORT_BYTES } from "./parse-report.ts";

function stateFault(dir: string, error: unknown): Fault {
	const code = systemCode(error);
	const full = code === "ENOSPC" || code === "EDQUOT";
	return new Fault(`cannot write the files of an agent call in ${dir} (${code})`, {
		code: full ? "disk-full" : "state-unwritable",
		hint: full ? "Free some space, then try again." : "Make the state directory writable.",
		retryable: true,
		cause: error,
	});
}

/**
 * Writes the prompt and the context, and names the place of the report, whose directory is empty, so that a sandbox can
 * leave just that one open. Of what an earlier, interrupted call left under these names nothing is followed: an agent
 * could have planted a link there.
 *
 * @throws Fault `disk-full` or `state-unwritable`
 */
export async function writeCallFiles(
	dir: string,
	input: {
		// Both are masked already.
		readonly prompt: string;
		// The structured input of the role; anything that JSON can hold.
		readonly context: unknown;
	},
): Promise<{
	readonly promptPath: string;
	readonly contextPath: string;
	readonly reportPath: string;
	readonly workDir: string;
}> {
	const paths = {
		promptPath: join(dir, "prompt.md"),
		contextPath: join(dir, "context.json"),
	};
	const reportDir = join(dir, "report");
	try {
		mkdirSync(dir, { recursive: true, mode: 0o700 });
		for (const path of [...Object.values(paths), reportDir]) await removeFiles(path);
		mkdirSync(reportDir, { mode: 0o700 });
		const fresh = { mode: 0o600, flag: "wx" };
		writeFileSync(paths.promptPath, input.prompt, fresh);
		writeFileSync(paths.contextPath, `${JSON.stringify(input.context, null, "\t")}\n`, fresh);
	} catch (error) {
		throw stateFault(dir, error);
	}
	return { ...paths, reportPath: join(reportDir, "report.json"), workDir: dir };
}

export interface AgentReportFile {
	/** Of a file over 4 MiB only so much that `parseCoachReport` sees it is too large. */
	readonly text: string | null;
	/** A sentence about what stands there instead of a report; both are null when nothing was written. */
	readonly problem: string | null;
}

function openProblem(error: unknown): string | null {
	const code = systemCode(error);
	if (code === "ENOENT" || code === "ENOTDIR") return null;
	if (code === "ELOOP") return "SPAR_REPORT is a symbolic link, not a file";
	return `SPAR_REPORT cannot be read (${code})`;
}

/** Reads the beginning of a regular file; null for anything else. A pipe that somebody put there is not waited for. */
export async function textOfFile(path: string, limit: number, flags = 0): Promise<string | null> {
	const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
	try {
		const stats = await file.stat();
		if (!stats.isFile()) return null;
		const buffer = Buffer.alloc(Math.min(limit, stats.size));
		let length = 0;
		while (length < buffer.length) {
			const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
			if (bytesRead === 0) break;
			length += bytesRead;
		}
		return buffer.toString("utf8", 0, length);
	} finally {
		await file.close();
	}
}

/**
 * Reads the file `SPAR_REPORT`. Only a regular file is a report, not what was planted there: a link, a pipe, a device.
 */
export async function readReport(path: string): Promise<AgentReportFile> {
	try {
		const text = await textOfFile(path, MAX_REPORT_BYTES + 1, constants.O_NOFOLLOW);
		return { text, problem: text === null ? "SPAR_REPORT is not a regular file" : null };
	} catch (error) {
		return { text: null, problem: openProblem(error) };
	}
}
