import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinZero, nothing, zeroFields } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import type { GitPlace } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import { sameBytes } from "./same-bytes.ts";
import { absolute } from "./unfit.ts";

/** What the conversions of git (line ends, encodings, filters) have to do with the changes that it reports. */
export interface Judged {
	/** Files that hold just what a checkout of the commit writes: nobody touched them, whatever git makes of them. */
	readonly untouched: readonly RawChange[];
	/**
	 * Files that somebody changed and whose blob does not round-trip: a checkout of it, added again, gives another one.
	 * `written` is what the checkout wrote.
	 */
	readonly unstable: readonly { readonly change: RawChange; readonly written: Buffer }[];
	/** Directory of the comparison, for further files of the moment. */
	readonly folder: string;
}

/** How many directories are named to git at once; a commit is listed as a whole above it. */
const NAMED_DIRECTORIES = 500;

/**
 * Compares changed files with what a checkout of the commit writes under the commit's own attributes, byte for byte.
 *
 * Git takes a file for changed when adding it would give another blob. Under `*.txt text` that is so for each blob
 * with CRLF, touched or not, as soon as git does not trust the time of the file. Without any `.gitattributes`
 * nothing is converted, and no process runs.
 *
 * @param changes between the commit and the files, as git reports them
 * @param use called while the checkout that was made for the comparison is there
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

/** The changes without the files that nobody touched. */
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

/** A file before and after, with another content: only there can a conversion be what differs. */
function isDoubtful({ oldMode, newMode, oldOid, newOid }: RawChange): boolean {
	return oldMode.startsWith("100") && newMode.startsWith("100") && oldOid !== newOid;
}

/** Whether any `.gitattributes` may have a say: tracked now, tracked in the commit, or lying above a changed file. */
function attributesCount(
	place: GitPlace,
	doubtful: readonly RawChange[],
	changes: readonly RawChange[],
): boolean {
	if (changes.some(({ path }) => path.includes(ATTRIBUTES)) || tracksAttributes(place)) return true;
	return directoriesOf(doubtful).some((folder) =>
		existsSync(Buffer.concat([Buffer.from(`${place.cwd}/`), attributesIn(folder)])),
	);
}

const ATTRIBUTES = ".gitattributes";

/**
 * Whether an index names a `.gitattributes`. Sparring's indexes hold each path as it is, so a look at the bytes spares a
 * process; a path that only contains the name costs one.
 */
export function tracksAttributes({ indexFile }: GitPlace): boolean {
	return indexFile !== undefined && readFileSync(indexFile).includes(ATTRIBUTES);
}

/** Every directory above the files as bytes in `latin1`, the top as an empty text. */
function directoriesOf(changes: readonly RawChange[]): string[] {
	const found = new Set([""]);
	for (const { path } of changes) {
		const text = path.toString("latin1");
		for (let end = text.lastIndexOf("/"); end > 0; end = text.lastIndexOf("/", end - 1)) {
			const folder = text.slice(0, end);
			if (found.has(folder)) break;
			found.add(folder);
		}
	}
	return [...found];
}

function attributesIn(folder: string): Buffer {
	return Buffer.from(folder === "" ? ATTRIBUTES : `${folder}/${ATTRIBUTES}`, "latin1");
}

/** Entries of the commit for the files of attributes that apply to the changed files, as lines for an index. */
async function attributeFiles(
	place: GitPlace,
	commit: string,
	doubtful: readonly RawChange[],
): Promise<Buffer[]> {
	const wanted = new Set(directoriesOf(doubtful).map((folder) => key(attributesIn(folder))));
	// An argument of a process is text, so a path of other bytes cannot be one.
	const canBeNamed = [...wanted].every((path) => /^[ -~]+$/.test(path));
	const named = canBeNamed && wanted.size <= NAMED_DIRECTORIES;
	const entries = await runGit(place, {
		args: ["ls-tree", "-z", "--full-tree", ...(named ? [commit, "--", ...wanted] : ["-r", commit])],
		parse: ({ stdout }) => zeroFields(stdout),
	});
	return entries.filter((entry) => {
		const isFile = entry.subarray(0, 3).equals(Buffer.from("100"));
		return isFile && wanted.has(key(entry.subarray(entry.indexOf("\t") + 1)));
	});
}

/** Writes the files as the commit has them, through its own attributes. */
async function write(
	written: GitPlace,
	doubtful: readonly RawChange[],
	attributes: readonly Buffer[],
): Promise<void> {
	const files = doubtful.map(({ oldMode, oldOid, path }) =>
		Buffer.concat([Buffer.from(`${oldMode} ${oldOid}\t`), path]),
	);
	await runGit(written, {
		args: ["update-index", "-z", "--index-info"],
		stdin: joinZero([...attributes, ...files]),
		mayLock: true,
		parse: nothing,
	});
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
		const same = await sameBytes(absolute(place, change.path), absolute(written, change.path));
		(same ? untouched : touched).push(change);
	}
	if (touched.length === 0) return { untouched, unstable: [] };
	// What differs from the index that it was just written from does not round-trip.
	const differing = await runGit(written, {
		args: ["diff", "--name-only", "-z", "--diff-filter=M", "--no-ext-diff", "--no-textconv", "--"],
		parse: ({ stdout }) => new Set(zeroFields(stdout).map(key)),
	});
	const unstable = touched
		.filter(({ path }) => differing.has(key(path)))
		.map((change) => ({ change, written: absolute(written, change.path) }));
	return { untouched, unstable };
}

const key = (path: Buffer): string => path.toString("latin1");
