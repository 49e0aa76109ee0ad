import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Fault } from "../kernel/fault.ts";

/** A file of the page, as it is sent. */
export interface PageFile {
	readonly type: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
}

const TYPES: ReadonlyMap<string, string> = new Map([
	[".html", "text/html; charset=utf-8"],
	[".js", "text/javascript; charset=utf-8"],
	[".css", "text/css; charset=utf-8"],
	[".svg", "image/svg+xml"],
	[".png", "image/png"],
	[".ico", "image/x-icon"],
	[".woff2", "font/woff2"],
	[".json", "application/json"],
	[".webmanifest", "application/manifest+json"],
]);

/**
 * The built page by the target of a request: `/` and each file below the directory. Held in memory, so that no request names a
 * path of the disk. Files of other types, such as source maps, are left out.
 *
 * @throws Fault `program-missing` where it was not built
 */
export async function pageFiles(directory: string): Promise<ReadonlyMap<string, PageFile>> {
	const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(
		() => [],
	);
	const files = new Map<string, PageFile>();
	for (const entry of entries) {
		const type = TYPES.get(extname(entry.name));
		if (!entry.isFile() || type === undefined) continue;
		const path = join(entry.parentPath, entry.name);
		const target = `/${path.slice(directory.length + 1)}`;
		const file = { type, bytes: new Uint8Array(await readFile(path)) };
		files.set(target === "/index.html" ? "/" : target, file);
	}
	if (files.has("/")) return files;
	throw new Fault(`the dashboard's page is not there: ${directory} has no index.html`, {
		code: "program-missing",
		hint: "Build it with `npm run build`; the published package has it.",
	});
}
