import { existsSync, readFileSync } from "node:fs";
import { lstat, mkdir, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	below,
	foldersOf,
	indexEntry,
	keyOf,
	nothing,
	type RawChange,
	stageEntries,
	zeroFields,
} from "./parsing.ts";
import type { GitPlace } from "./run-git.ts";
import { runGit } from "./run-git.ts";

export interface Judged {
	readonly untouched: readonly RawChange[];
	// Checking such a blob out and adding the file again gives a different blob.
	readonly unstable: readonly { readonly change: RawChange; readonly written: Buffer }[];
	readonly folder: string;
}

const NAMED_DIRECTORIES = 500;

/**
 * Compares changed files with what a checkout of the commit writes under the commit's own attributes, byte for byte:
 * with `*.txt text` git takes every blob with CRLF for changed as soon as it does not trust the file's time. Without
 * any `.gitattributes`, no process runs.
 *
 * @param use called while the temporary checkout exists
 */
export async function judgeChanges<T>(
	place: GitPlace,
	{ commit, changes }: { readonly commit: string; readonly changes: readonly RawChange[] },
	use: (judged: Judged) => Promise<T>,
): Promise<T> {
	const doubtful = changes.filter(isDoubtful);
	if (doubtful.length === 0 || !attributesCount(place, doubtful, changes)) {
		return await use({ untouched: [], unstable: [], folder: tmpdir() });
	}
	const dir = await mkdtemp(`${place.indexFile ?? join(tmpdir(), "spar-index")}-written-`);
	try {
		const workTree = join(dir, "tree");
		await mkdir(workTree);
		const written = { ...place, cwd: workTree, workTree, indexFile: join(dir, "index") };
		await write(written, doubtful, await attributeFiles(place, commit, doubtful));
		const { untouched, unstable } = await compare(place, written, doubtful);
		return await use({ untouched, unstable, folder: dir });
	} finally {
		await rm(dir, { recursive: true, force: true });
	}
}

export async function withoutUntouched(
	place: GitPlace,
	commit: string,
	changes: readonly RawChange[],
): Promise<readonly RawChange[]> {
	return await judgeChanges(place, { commit, changes }, async ({ untouched }) => {
		const same = new Set(untouched.filter(({ oldMode, newMode }) => oldMode === newMode));
		return changes.filter((change) => !same.has(change));
	});
}

// Only such a difference can come from a conversion.
function isDoubtful({ oldMode, newMode, oldOid, newOid }: RawChange): boolean {
	return oldMode.startsWith("100") && newMode.startsWith("100") && oldOid !== newOid;
}

function attributesCount(
	place: GitPlace,
	doubtful: readonly RawChange[],
	changes: readonly RawChange[],
): boolean {
	if (changes.some(({ path }) => path.includes(ATTRIBUTES)) || tracksAttributes(place)) return true;
	return directoriesOf(doubtful).some((folder) =>
		existsSync(below(place.cwd, attributesIn(folder))),
	);
}

const ATTRIBUTES = ".gitattributes";

// Sparring's indexes store paths uncompressed. A path that merely contains the name is a harmless false positive.
export function tracksAttributes({ indexFile }: GitPlace): boolean {
	return indexFile !== undefined && readFileSync(indexFile).includes(ATTRIBUTES);
}

function directoriesOf(changes: readonly RawChange[]): string[] {
	return [...new Set(["", ...changes.flatMap(({ path }) => foldersOf(keyOf(path)))])];
}

function attributesIn(folder: string): Buffer {
	return Buffer.from(folder === "" ? ATTRIBUTES : `${folder}/${ATTRIBUTES}`, "latin1");
}

async function attributeFiles(
	place: GitPlace,
	commit: string,
	doubtful: readonly RawChange[],
): Promise<Buffer[]> {
	const wanted = new Set(directoriesOf(doubtful).map((folder) => keyOf(attributesIn(folder))));
	// Process arguments are text, so other paths cannot be passed.
	const canBeNamed = [...wanted].every((path) => /^[ -~]+$/.test(path));
	const named = canBeNamed && wanted.size <= NAMED_DIRECTORIES;
	const entries = await runGit(place, {
		args: ["ls-tree", "-z", "--full-tree", ...(named ? [commit, "--", ...wanted] : ["-r", commit])],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	return entries.filter((entry) => {
		const isFile = entry.subarray(0, 3).equals(Buffer.from("100"));
		return isFile && wanted.has(keyOf(entry.subarray(entry.indexOf("\t") + 1)));
	});
}

async function write(
	written: GitPlace,
	doubtful: readonly RawChange[],
	attributes: readonly Buffer[],
): Promise<void> {
	const files = doubtful.map(({ oldMode, oldOid, path }) => indexEntry(oldMode, oldOid, path));
	await runGit(written, stageEntries([...attributes, ...files]));
	await runGit(written, { args: ["checkout-index", "--all"], parse: nothing });
}

async function compare(
	place: GitPlace,
	written: GitPlace,
	doubtful: readonly RawChange[],
): Promise<Pick<Judged, "untouched" | "unstable">> {
	const untouched: RawChange[] = [];
	const touched: RawChange[] = [];
	for (const change of doubtful) {
		const same = await sameBytes(below(place.cwd, change.path), below(written.cwd, change.path));
		(same ? untouched : touched).push(change);
	}
	if (touched.length === 0) return { untouched, unstable: [] };
	// A file that differs from the index it was just written from does not round-trip.
	const differing = await runGit(written, {
		args: ["diff", "--name-only", "-z", "--diff-filter=M", "--no-ext-diff", "--no-textconv", "--"],
		parse: ({ stdout }) => new Set(zeroFields(stdout).map(keyOf)),
	});
	const unstable = touched
		.filter(({ path }) => differing.has(keyOf(path)))
		.map((change) => ({ change, written: below(written.cwd, change.path) }));
	return { untouched, unstable };
}

const CHUNK = 1_048_576;

async function sameBytes(one: string | Buffer, other: string | Buffer): Promise<boolean> {
	const [first, second] = await Promise.all([sizeOf(one), sizeOf(other)]);
	if (first === null || first !== second) return false;
	await using left = await open(one);
	await using right = await open(other);
	const [a, b] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
	for (let at = 0; at < first; at += CHUNK) {
		const length = Math.min(CHUNK, first - at);
		const [readA, readB] = await Promise.all([
			left.read(a, 0, length, at),
			right.read(b, 0, length, at),
		]);
		const whole = readA.bytesRead === length && readB.bytesRead === length;
		if (!whole || a.compare(b, 0, length, 0, length) !== 0) return false;
	}
	return true;
}

async function sizeOf(path: string | Buffer): Promise<number | null> {
	const stats = await lstat(path).catch(() => null);
	return stats?.isFile() === true ? stats.size : null;
}
