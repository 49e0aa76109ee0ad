import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, unlink } from "node:fs/promises";
import path from "node:path";
import { systemCode } from "../kernel/system-code.ts";
import { MAX_REPORT_SIZE } from "./reports/parsed-report.ts";

export type ReportFile =
	| { readonly kind: "text"; readonly text: string }
	| { readonly kind: "missing" | "blocked" | "invalid"; readonly reason: string };

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
	const missing = (reason: string): ReportFile => ({ kind: "missing", reason });
	const noReport = missing(`the check wrote no report at ${file}`);
	if (place === undefined) return noReport;
	if (typeof place !== "string") return { kind: "blocked", reason: place.problem };
	try {
		await using handle = await openPlain(place);
		const found = await handle.stat();
		if (!found.isFile()) return missing(`the report ${file} is not a regular file`);
		if (found.mtimeMs < since - CLOCK_TOLERANCE_MS)
			return missing(`the report ${file} is older than the check's start`);
		if (found.size > MAX_REPORT_SIZE) {
			const limit = `${MAX_REPORT_SIZE / 1024 / 1024} MiB`;
			return { kind: "invalid", reason: `${file} is longer than ${limit}` };
		}
		return decoded(file, await handle.readFile());
	} catch (error) {
		if (isMissing(error)) return noReport;
		return systemCode(error) === "ELOOP"
			? missing(`the report ${file} is a symbolic link`)
			: missing(`the report ${file} cannot be read: ${String(error)}`);
	}
}

/** Opens a file to read it. A link is not followed, and the writer of a pipe not waited for. */
export function openPlain(file: string): Promise<FileHandle> {
	return open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
}

const DECLARED = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;

const MARKS = [
	[/^\xef\xbb\xbf/, "utf-8"],
	[/^(?:\xff\xfe|<\0)/, "utf-16le"],
	[/^(?:\xfe\xff|\0<)/, "utf-16be"],
] as const;

// By its byte order mark, else by the encoding that its XML declares, else in UTF-8.
function decoded(file: string, bytes: Uint8Array): ReportFile {
	const head = Buffer.from(bytes.subarray(0, 400)).toString("latin1");
	const [, marked] = MARKS.find(([mark]) => mark.test(head)) ?? [];
	const declared = DECLARED.exec(head)?.[1] ?? "utf-8";
	// A declaration that could be read byte by byte is not in UTF-16, whatever it says.
	const encoding = marked ?? (/^utf-?16/i.test(declared) ? "utf-8" : declared);
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

function isMissing(error: unknown): boolean {
	return ["ENOENT", "ENOTDIR"].includes(systemCode(error));
}
