import { lstatSync } from "node:fs";
import { rm } from "node:fs/promises";
import { makeWritable, removeTree } from "./file-tree.ts";
import { below, joinZero, pathText, zeroFields } from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import { LONGEST_PATH, type Scanned, scanTree } from "./scan-tree.ts";

export interface Unfit {
	readonly path: string;
	/** Such as `"is a FIFO, a socket or a device"`. */
	readonly why: string;
}

/** Largest `.gitignore`, `.gitattributes` or `.gitmodules`, in bytes: 4 MiB. Git reads them into memory. */
const LARGEST_RULES = 4 * 1_048_576;

const RULES = /(?:^|\/)\.git(?:ignore|attributes|modules)$/;

const LONGEST_SHOWN = 200;

/**
 * Removes what git would block or fail on, at any depth and also in ignored directories: FIFOs, sockets and devices,
 * rule files above 4 MiB, and trees nested too deeply. Opens none of them.
 *
 * @returns what was removed, without ignored paths
 */
export async function removeUnfit(place: GitPlace): Promise<Unfit[]> {
	const found = await scanTree(place, (path, kind) => {
		const why = reasonOf(place, path, kind);
		return why === null ? undefined : { path, why };
	});
	for (const { path } of found) await removeIn(place, path);
	const ignored = await ignoredOf(
		place,
		found.map(({ path }) => path),
	);
	return found
		.filter(({ path }) => !ignored.has(path.toString("latin1")))
		.map(({ path, why }) => ({ path: shortened(path), why }));
}

export const TOO_DEEP = `is nested too deeply: its path has more than ${LONGEST_PATH} bytes`;

/** Tells whether a path is longer than one in a checkout can be. */
export const isTooDeep = (path: Buffer): boolean => path.length > LONGEST_PATH;

function reasonOf({ cwd }: GitPlace, path: Buffer, kind: Scanned): string | null {
	if (isTooDeep(path)) return TOO_DEEP;
	if (kind === "special") return "is a FIFO, a socket or a device";
	if (kind !== "file" || !RULES.test(path.toString("latin1"))) return null;
	const size = sizeOf(cwd, path);
	return size > LARGEST_RULES
		? `has ${size} bytes, more than the ${LARGEST_RULES} allowed for a file with this name`
		: null;
}

export function sizeOf(root: string, path: Buffer): number {
	return lstatSync(below(root, path), { throwIfNoEntry: false })?.size ?? 0;
}

export async function removeIn(place: GitPlace, path: Buffer): Promise<void> {
	try {
		await rm(below(place.cwd, path), { recursive: true, force: true });
	} catch {
		await makeWritable(place.cwd);
		await removeTree(below(place.cwd, path));
	}
}

export async function ignoredOf(
	place: GitPlace,
	paths: readonly Buffer[],
): Promise<ReadonlySet<string>> {
	if (paths.length === 0) return new Set();
	const ignored = await runGit(place, {
		// Without the index, since git refuses paths in submodules that the index has.
		args: ["check-ignore", "--no-index", "-z", "--stdin"],
		// Without `./` a path that starts with a colon would be a pattern.
		notLiteral: true,
		stdin: joinZero(paths.map((path) => Buffer.concat([Buffer.from("./"), path]))),
		exitCodes: [0, 1],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	return new Set(ignored.map((path) => path.subarray(2).toString("latin1")));
}

export function shortened(path: Buffer): string {
	const text = pathText(path);
	return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}
