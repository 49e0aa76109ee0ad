import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import type { Tool } from "./copy-files.ts";
import { type Listing, leadsOut } from "./listing.ts";

/**
 * The first file or link below a directory that holds the path of the checkout in which it was made: it would not work
 * elsewhere, or would lead back there. Texts and programs are searched; a path in something compressed is not found.
 *
 * @param checkout absolute directory in which the files were made
 * @returns relative to `files`; null when there is none
 * @throws Error when the files cannot be searched
 */
export async function fileWithOwnPath(
	{ files, checkout }: { readonly files: string; readonly checkout: string },
	links: Listing["links"],
	tool: Tool,
): Promise<string | null> {
	const own = [...new Set([checkout, await realpath(checkout), encodeURI(checkout)])];
	const link = links.find(
		(each) => leadsOut(each) || own.some((path) => each.target.startsWith(path)),
	);
	if (link !== undefined) return link.path;
	const wanted = own.flatMap((path) => ["-e", path]);
	const { exitCode, stdout, output, startError } = await tool([
		"grep",
		"-rlF",
		...wanted,
		"--",
		files,
	]);
	if (exitCode === 1) return null;
	const [first = ""] = stdout.split("\n");
	if (isAbsolute(first)) return relative(files, first);
	throw new Error(`grep: ${startError ?? output.trim().slice(-200)}`);
}
