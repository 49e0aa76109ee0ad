import { lstatSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import type { TreeFile } from "./file-change.ts";
import { filesNamed, kindOf, makeWritable } from "./file-tree.ts";
import {
	below,
	foldersOf,
	ignored,
	isPartial,
	joinZero,
	keyOf,
	nothing,
	pathText,
	untracked,
	zeroFields,
} from "./parsing.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { askGit, runGit } from "./run-git.ts";
import { type Tracked, trackedBy } from "./standings.ts";
import type { Vault } from "./vault.ts";

// By the tracked ignore rules alone. A directory without tracked files is one entry and ends with `/`.
interface Strays {
	/** Untracked ignore files, whose rules do not count. */
	readonly planted: readonly Buffer[];
	/** Not ignored by a tracked rule. A directory here may still contain something ignored. */
	readonly unexplained: readonly Buffer[];
	readonly ignored: readonly Buffer[];
}

const listEntries: GitQuery<{ entries: Buffer[]; partial: boolean }> = {
	args: ["ls-files", "--others", "--directory", "-z"],
	parse: (answer) => ({ entries: zeroFields(answer.stdout), partial: isPartial(answer) }),
};

/** True where a work tree holds no other names than a commit has; false where that is not certain. */
export async function holdsOnly(root: string, files: readonly TreeFile[]): Promise<boolean> {
	const names = files.length > MOST_FILES ? null : namesOf(files);
	return names !== null && (await isAllTracked(root, "", trackedBy(names)).catch(() => false));
}

/** Names as a directory tells them, one character a byte; null where a path is no text, whose bytes a listing does not have. */
export const namesOf = (files: readonly TreeFile[]): string[] | null =>
	files.some(({ path }) => NO_TEXT.test(path))
		? null
		: files.map(({ path }) => Buffer.from(path).toString("latin1"));

/** A byte of it, as `pathText` writes it. */
const NO_TEXT = /\\x[0-9a-f]{2}/;

async function isAllTracked(root: string, folder: string, tracked: Tracked): Promise<boolean> {
	const path = below(root, Buffer.from(folder, "latin1"));
	for (const entry of await readdir(path, { withFileTypes: true, encoding: "latin1" })) {
		const name = `${folder}${entry.name}`;
		if (name === ".git") continue;
		const isThere = entry.isDirectory()
			? tracked.directories.has(`${name}/`) && (await isAllTracked(root, `${name}/`, tracked))
			: tracked.files.has(name);
		if (!isThere) return false;
	}
	return true;
}

const MOST_FILES = 1_000;

async function entriesOf(place: GitPlace): Promise<Buffer[]> {
	const first = await runGit(place, listEntries);
	if (!first.partial) return first.entries;
	await makeWritable(place.cwd);
	return (await runGit(place, listEntries)).entries;
}

function hereabouts(path: Buffer): Buffer {
	return Buffer.concat([Buffer.from("./"), path]);
}

/** Gives the file with the rule that ignores an entry; empty when none does. */
function deciding(entries: readonly Buffer[]): GitQuery<{ source: Buffer; entry: Buffer }[]> {
	return {
		args: ["check-ignore", "--verbose", "--non-matching", "-z", "--stdin"],
		notLiteral: true,
		stdin: joinZero(entries.map(hereabouts)),
		exitCodes: [0, 1],
		parse: ({ stdout }) => {
			const fields = zeroFields(stdout);
			return entries.map((entry, index) => {
				const source = fields[index * 4] ?? Buffer.of();
				const pattern = fields[index * 4 + 2] ?? Buffer.of();
				// A pattern with an exclamation mark includes the entry again.
				return { entry, source: pattern[0] === 0x21 ? Buffer.of() : source };
			});
		},
	};
}

function isWithin(file: string, entries: ReadonlySet<string>): boolean {
	return entries.has(file) || foldersOf(file).some((folder) => entries.has(`${folder}/`));
}

async function findStrays(place: GitPlace): Promise<Strays> {
	const entries = await entriesOf(place);
	if (entries.length === 0) return { planted: [], unexplained: [], ignored: [] };
	const known = new Set(entries.map(keyOf));
	const decided = await runGit(place, deciding(entries));
	const isIgnored = ({ source }: { source: Buffer }): boolean =>
		source.length > 0 && !isWithin(keyOf(source), known);
	const left = decided.filter((one) => !isIgnored(one)).map(({ entry }) => entry);
	const others: Buffer[] = [];
	for (const entry of left) if (!(await ignoresItself(place.cwd, entry))) others.push(entry);
	return {
		planted: others.filter((entry) => /(^|\/)\.gitignore$/.test(keyOf(entry))),
		unexplained: others,
		ignored: decided.filter(isIgnored).map(({ entry }) => entry),
	};
}

// As `.venv` and many caches do. A setup made it, so it stays; a snapshot leaves it out by the same rule.
async function ignoresItself(root: string, entry: Buffer): Promise<boolean> {
	if (entry.at(-1) !== 0x2f) return false;
	const file = Buffer.concat([below(root, entry), Buffer.from(".gitignore")]);
	if (kindOf(file) !== "file") return false;
	const rules = (await readFile(file, "utf8")).split(/\r?\n/).map((line) => line.trim());
	return rules.includes("*") && !rules.some((line) => line.startsWith("!"));
}

/**
 * New files that only the user's own rules keep out of a commit.
 *
 * @param since when the work began, in ms since the epoch: what the setup made before is not named
 */
export async function ignoredByUser(
	place: GitPlace,
	{ ignoreRules }: Pick<Vault, "ignoreRules">,
	since: number,
): Promise<string[]> {
	if (ignoreRules === "") return [];
	const isNew = (path: Buffer): boolean => {
		const found = lstatSync(below(place.cwd, path), { throwIfNoEntry: false });
		return found !== undefined && found.ctimeMs >= since;
	};
	const decide = async (found: readonly Buffer[]) => {
		const fresh = found.filter(isNew);
		return fresh.length === 0 ? [] : await runGit(place, deciding(fresh));
	};
	const decided = await decide(await runGit(place, ignored));
	// No rule ignores them, but all that is in them.
	const folders = decided.filter(
		({ source, entry }) => source.length === 0 && entry.at(-1) === SLASH,
	);
	const paths = folders.map(({ entry }) => entry.toString("utf8"));
	const inside = paths.length === 0 ? [] : await decide(await runGit(place, ignoredIn(paths)));
	// Files of rules in the work tree are named by a path that is relative to it.
	const users = [...decided, ...inside].filter(({ source }) => source[0] === SLASH);
	return users.map(({ entry }) => pathText(entry));
}

const ignoredIn = (paths: readonly string[]): GitQuery<Buffer[]> => ({
	args: ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--", ...paths],
	parse: ({ stdout }) => zeroFields(stdout),
});

const SLASH = 0x2f;

/** True where there are untracked files that the tracked rules do not ignore. Empty directories do not count. */
export async function hasStrays(place: GitPlace, root: string): Promise<boolean> {
	const strays = await findStrays(place);
	if (strays.planted.length > 0) return true;
	if ((await ignoreFilesIn(root, strays.unexplained)).length > 0) return true;
	if (strays.unexplained.length === 0) return false;
	return (await runGit(place, untracked)).length > 0;
}

/** Byte-code outside of directories that are untracked as a whole, such as a virtual environment. */
const BYTE_CODE = /(?:^|\/)__pycache__\/(?:[^/]*\.pyc)?$/;

/**
 * Removes untracked files, directories and nested repositories that the tracked rules do not ignore. Also Python's
 * byte-code beside tracked files, ignored or not: Python may run it in place of the source.
 *
 * @returns true when something was removed; tracked files may then be missing
 */
export async function removeStrays(place: GitPlace, root: string): Promise<boolean> {
	let strays = await findStrays(place);
	let changed = await removeLinks(place, root, [...strays.ignored, ...strays.unexplained]);
	// An untracked rule hides what other rules say, so remove it and look again.
	while (strays.planted.length > 0) {
		for (const entry of strays.planted) await rm(below(root, entry), { force: true });
		changed = true;
		strays = await findStrays(place);
	}
	for (const entry of strays.ignored.filter((one) => BYTE_CODE.test(keyOf(one))))
		await rm(below(root, entry), { recursive: true, force: true });
	if (strays.unexplained.length === 0) return changed;
	for (const file of await ignoreFilesIn(root, strays.unexplained)) await rm(file, { force: true });
	await clean(place, root);
	return true;
}

async function clean(place: GitPlace, root: string): Promise<void> {
	const query: GitQuery<void> = { args: ["clean", "-ffd", "--quiet"], parse: nothing };
	if ((await askGit(place, query)).exitCode === 0) return;
	await makeWritable(root);
	await runGit(place, query);
}

async function ignoreFilesIn(root: string, entries: readonly Buffer[]): Promise<Buffer[]> {
	const folders = entries.filter((entry) => entry.at(-1) === 0x2f);
	const found: Buffer[] = [];
	for (const folder of folders) {
		found.push(...(await filesNamed(below(root, folder.subarray(0, -1)), ".gitignore")));
	}
	return found;
}

// Through a link in place of a directory the tracked files look unchanged.
async function removeLinks(
	place: GitPlace,
	root: string,
	entries: readonly Buffer[],
): Promise<boolean> {
	let removed = false;
	for (const entry of entries) {
		if (entry.at(-1) === 0x2f || kindOf(below(root, entry)) !== "link") continue;
		const text = entry.toString("utf8");
		const tracked = await runGit(place, {
			args: ["ls-files", "-z", "--", text],
			parse: ({ stdout }) => stdout.length > 0,
		});
		if (!tracked) continue;
		await rm(below(root, entry), { force: true });
		removed = true;
	}
	return removed;
}
