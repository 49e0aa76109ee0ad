import { constants } from "node:fs";
import { lstat, open, realpath, unlink } from "node:fs/promises";
import path from "node:path";
import { MAX_REPORT_SIZE } from "./reports/parsed-report.ts";

export type ReportFile =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "missing"; readonly reason: string }
	| { readonly kind: "blocked"; readonly reason: string }
	| { readonly kind: "invalid"; readonly reason: string };

// File systems round times down.
const CLOCK_TOLERANCE_MS = 50;

/**
 * Deletes an old report, so that one found later was written by the check. Refuses a path that leaves the checkout,
 * also through a symbolic link to a directory; removes a link at the path itself, not its target.
 *
 * @returns why the path cannot be used; undefined when it can
 */
export async function clearReport(checkout: string, file: string): Promise<string | undefined> {
	const place = await locate(checkout, file);
	if (typeof place !== "string") return place?.problem;
	try {
		const found = await lstat(place);
		if (found.isDirectory()) return `there is a directory at the report's path ${file}`;
		await unlink(place);
		return undefined;
	} catch (error) {
		return isMissing(error)
			? undefined
			: `the old report ${file} cannot be removed: ${String(error)}`;
	}
}

/**
 * Reads the report that a check wrote.
 *
 * @param since start of the check, in milliseconds since the epoch; an older file does not count
 */
export async function readReport(
	checkout: string,
	file: string,
	since: number,
): Promise<ReportFile> {
	const place = await locate(checkout, file);
	const noReport = { kind: "missing", reason: `the check wrote no report at ${file}` } as const;
	if (place === undefined) return noReport;
	if (typeof place !== "string") return { kind: "blocked", reason: place.problem };
	try {
		// Do not follow a link, and do not wait for the writer of a pipe.
		const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
		await using handle = await open(place, flags);
		const found = await handle.stat();
		if (!found.isFile()) {
			return { kind: "missing", reason: `the report ${file} is not a regular file` };
		}
		if (found.mtimeMs < since - CLOCK_TOLERANCE_MS) {
			return { kind: "missing", reason: `the report ${file} is older than the check's start` };
		}
		if (found.size > MAX_REPORT_SIZE) {
			const limit = `${MAX_REPORT_SIZE / 1024 / 1024} MiB`;
			return { kind: "invalid", reason: `${file} is longer than ${limit}` };
		}
		return decoded(file, await handle.readFile());
	} catch (error) {
		if (isMissing(error)) return noReport;
		if (codeOf(error) === "ELOOP") {
			return { kind: "missing", reason: `the report ${file} is a symbolic link` };
		}
		return { kind: "missing", reason: `the report ${file} cannot be read: ${String(error)}` };
	}
}

const DECLARED = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

// By its byte order mark, else by the encoding that its XML declares, else in UTF-8.
function decoded(file: string, bytes: Uint8Array): ReportFile {
	const head = Buffer.from(bytes.subarray(0, 400));
	const wide = /^(?:\xff\xfe|<\0)/.test(head.toString("latin1"))
		? "utf-16le"
		: /^(?:\xfe\xff|\0<)/.test(head.toString("latin1"))
			? "utf-16be"
			: undefined;
	const isMarked = head.toString("latin1").startsWith("\xef\xbb\xbf");
	const declared = isMarked ? undefined : DECLARED.exec(head.toString("latin1"))?.[1];
	// A declaration that could be read byte by byte is not in UTF-16, whatever it says.
	const encoding = wide ?? (/^utf-?16/i.test(declared ?? "") ? "utf-8" : (declared ?? "utf-8"));
	try {
		return { kind: "text", text: new TextDecoder(encoding).decode(bytes) };
	} catch {
		return {
			kind: "invalid",
			reason: `${file} is in the encoding ${encoding}, which is not known`,
		};
	}
}

async function locate(
	checkout: string,
	file: string,
): Promise<string | { readonly problem: string } | undefined> {
	const outside = { problem: `the report's path ${file} is outside of the checkout` };
	if (path.isAbsolute(file) || file.includes("\0")) return outside;
	const wanted = path.resolve(checkout, file);
	if (!isInside(path.resolve(checkout), wanted)) return outside;
	try {
		const root = await realpath(checkout);
		const place = path.join(await realpath(path.dirname(wanted)), path.basename(wanted));
		return isInside(root, place) ? place : outside;
	} catch (error) {
		return isMissing(error)
			? undefined
			: { problem: `${file} cannot be reached: ${String(error)}` };
	}
}

function isInside(directory: string, file: string): boolean {
	const relative = path.relative(directory, file);
	return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}

function codeOf(error: unknown): unknown {
	return error instanceof Error && "code" in error ? error.code : undefined;
}

function isMissing(error: unknown): boolean {
	const code = codeOf(error);
	return code === "ENOENT" || code === "ENOTDIR";
}
