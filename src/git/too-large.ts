import { formatBytes } from "../kernel/bytes.ts";
import { foldersOf, keyOf, zeroFields } from "./parsing.ts";
import { type GitPlace, runGit } from "./run-git.ts";
import { scanTree } from "./scan-tree.ts";
import { ignoredOf, removeIn, shortened, sizeOf, type Unfit } from "./unfit.ts";

const MIB = 1_048_576;
const GIB = 1_024 * MIB;

// Ten times what large git hosts accept, and small enough to be read and compressed within a minute. Holes count,
// since git reads them as zeros.
const LARGEST_FILE = GIB;

const LARGEST_COMMIT = 4 * GIB;

const COUNTED_FROM = MIB;

export interface SizeLimits {
	readonly file: number;
	/** Of all new and changed files above 1 MiB, in bytes. */
	readonly commit: number;
}

const LIMITS: SizeLimits = { file: LARGEST_FILE, commit: LARGEST_COMMIT };

interface Sized {
	readonly path: Buffer;
	readonly size: number;
}

/**
 * Removes new and changed files that are too large for a commit; if the sum is, the largest. Ignored files and files
 * that equal the index can have any size.
 */
export async function removeTooLarge(
	place: GitPlace,
	limits: SizeLimits = LIMITS,
): Promise<Unfit[]> {
	const large = await scanTree(place, (path, kind): Sized | undefined => {
		const size = kind === "file" ? sizeOf(place.cwd, path) : 0;
		return size > COUNTED_FROM ? { path, size } : undefined;
	});
	large.sort(bySize);
	// Nearly always empty; then git need not be asked which files are new.
	if (excess(large, limits).length === 0) return [];
	const removed: Unfit[] = [];
	for (const { file, why } of excess(await newOnes(place, large), limits)) {
		await removeIn(place, file.path);
		removed.push({ path: shortened(file.path), why });
	}
	return removed;
}

/** Those of some paths that are too large for a commit. */
export function tooLarge(
	root: string,
	paths: readonly Buffer[],
): { readonly path: Buffer; readonly why: string }[] {
	const sized = paths.map((path) => ({ path, size: sizeOf(root, path) }));
	const large = sized.filter(({ size }) => size > COUNTED_FROM).sort(bySize);
	return excess(large, LIMITS).map(({ file, why }) => ({ path: file.path, why: `it ${why}` }));
}

const bySize = (one: Sized, other: Sized): number => one.size - other.size;

function excess(files: readonly Sized[], limits: SizeLimits) {
	let sum = 0;
	return files.flatMap((file) => {
		if (file.size > limits.file) {
			return [
				{
					file,
					why: `has ${formatBytes(file.size)}, more than the ${formatBytes(limits.file)} allowed for a file`,
				},
			];
		}
		if (sum + file.size > limits.commit) {
			const all = formatBytes(limits.commit);
			return [
				{ file, why: `has ${formatBytes(file.size)}, and all new files together exceed ${all}` },
			];
		}
		sum += file.size;
		return [];
	});
}

async function newOnes(place: GitPlace, files: readonly Sized[]): Promise<Sized[]> {
	const ignored = await ignoredOf(
		place,
		files.map(({ path }) => path),
	);
	const names = (args: readonly string[]) =>
		runGit(place, {
			args,
			parse: ({ stdout }) => new Set(zeroFields(stdout).map(keyOf)),
		});
	const tracked = await names(["ls-files", "-z"]);
	const changed = await names(["diff-files", "--name-only", "-z", "--ignore-submodules=all"]);
	return files.filter(({ path }) => {
		const key = keyOf(path);
		// Below something tracked there is a submodule.
		if (foldersOf(key).some((folder) => tracked.has(folder))) return false;
		return tracked.has(key) ? changed.has(key) : !ignored.has(key);
	});
}
