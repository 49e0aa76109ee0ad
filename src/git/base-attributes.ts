import { mkdir, writeFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { makeTemporary } from "../process/temporary.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { readObjects, treeListing } from "./objects.ts";
import { below, joinZero, settingsIn, type TreeEntry, treeEntries, zeroFields } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import { type GitQuery, runGit } from "./run-git.ts";

export interface AttributesFile {
	readonly path: Buffer;
	readonly content: Buffer;
}

export interface BaseAttributes {
	/** All files of the commit; empty where none of them is a `.gitattributes`. */
	readonly files: readonly TreeEntry[];
	readonly rules: readonly AttributesFile[];
}

export interface FilterDriver {
	readonly name: string;
	readonly clean?: string;
	readonly smudge?: string;
	readonly process?: string;
	readonly required?: string;
}

export interface BaseFilters extends BaseAttributes {
	/** Those that the user's configuration defines and the commit's attributes mention. */
	readonly drivers: readonly FilterDriver[];
	readonly lfsStorage: string;
}

export const LFS = "lfs";

const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

// Git checks out no such path either.
const OUTSIDE = /(?:^|\/)(?:\.\.?|\.git)(?:\/|$)/i;

export async function attributesAt(
	repository: Repository,
	commit: string,
): Promise<BaseAttributes> {
	const listing = await treeListing(repository, commit);
	const files = listing.includes(".gitattributes") ? treeEntries(listing) : [];
	const found = files.filter(({ path, mode }) => {
		const text = path.toString("latin1");
		return mode.startsWith("100") && ATTRIBUTES.test(text) && !OUTSIDE.test(text);
	});
	if (found.length === 0) return { files: [], rules: [] };
	const blobs = await readObjects(
		repositoryPlace(repository),
		found.map(({ oid }) => oid),
	);
	const rules = found.map(({ path }, nth): AttributesFile => {
		return { path, content: blobs[nth]?.content ?? Buffer.of() };
	});
	return { files, rules };
}

/** Writes them to a folder: whoever gives it to git as a work tree need not read them. */
export async function writeAttributes(
	folder: string,
	rules: readonly AttributesFile[],
): Promise<void> {
	await mkdir(folder, { recursive: true });
	for (const { path, content } of rules) {
		const file = below(folder, path);
		await mkdir(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
		await writeFile(file, content);
	}
}

/** Null where no `.gitattributes` of the commit mentions a filter. */
export async function baseFilters(
	repository: Repository,
	commit: string,
): Promise<BaseFilters | null> {
	const { files, rules } = await attributesAt(repository, commit);
	if (!rules.some(({ content }) => content.includes("filter="))) return null;
	const { drivers, storage } = await userSettings(repository);
	const lfsStorage = storageOf(repository, storage);
	return { files, rules, drivers: drivers.filter(({ name }) => mentions(rules, name)), lfsStorage };
}

/** The line, from 1 on, in which a file of attributes gives the filter to files; 0 where none does. */
export function lineOfFilter({ content }: AttributesFile, filter: string): number {
	const isNamed = (line: string): boolean =>
		!/^\s*#/.test(line) && line.split(/\s/).includes(`filter=${filter}`);
	return content.toString("utf8").split("\n").findIndex(isNamed) + 1;
}

export const mentions = (rules: readonly AttributesFile[], filter: string): boolean =>
	rules.some((file) => lineOfFilter(file, filter) > 0);

const settingsOfFilters: GitQuery<[key: string, value: string][]> = {
	args: ["config", "-z", "--get-regexp", "^(filter\\..*|lfs\\.storage)$"],
	exitCodes: [0, 1],
	parse: ({ stdout }) => settingsIn(stdout),
};

async function userSettings({ host, root }: Repository) {
	const drivers = new Map<string, FilterDriver>();
	let storage = "";
	const place = { host, configuration: "users", cwd: root } as const;
	for (const [key, value] of await runGit(place, settingsOfFilters)) {
		if (key === "lfs.storage") storage = value;
		const [, name, setting] = /^filter\.(.+)\.(clean|smudge|process|required)$/s.exec(key) ?? [];
		if (name === undefined || setting === undefined) continue;
		drivers.set(name, { ...drivers.get(name), name, [setting]: value });
	}
	return { drivers: [...drivers.values()], storage };
}

function storageOf({ commonDir, host }: Repository, storage: string): string {
	if (storage === "") return join(commonDir, "lfs");
	if (storage.startsWith("~/")) return join(host.home, storage.slice(2));
	return isAbsolute(storage) ? storage : join(commonDir, storage);
}

/** The files of a commit by their filter, as git tells it. */
export async function filesByFilter(
	{ objectFormat, objectsDir, host }: Repository,
	{ files, rules }: BaseAttributes,
): Promise<ReadonlyMap<string, TreeEntry[]>> {
	await using dir = await makeTemporary("spar-filters-");
	const workTree = join(dir.path, "tree");
	// Of its own, since the user's may have other rules in `info/attributes`.
	const gitDir = join(dir.path, "git");
	await writeAttributes(workTree, rules);
	writeGitDirectory({
		path: gitDir,
		bare: true,
		objectFormat,
		alternates: objectsDir,
		shallow: null,
		head: "ref: refs/heads/none",
		shared: null,
		attributes: "",
		excludes: "",
	});
	const values = await runGit(
		{ host, configuration: "sealed", cwd: workTree, gitDir, workTree },
		{
			args: ["check-attr", "-z", "--stdin", "filter"],
			stdin: joinZero(files.map(({ path }) => path)),
			parse: ({ stdout }) => zeroFields(stdout).filter((_field, nth) => nth % 3 === 2),
		},
	);
	const found = new Map<string, TreeEntry[]>();
	for (const [nth, file] of files.entries()) {
		const name = values[nth]?.toString("utf8") ?? "";
		if (!file.mode.startsWith("100") || NO_FILTER.has(name)) continue;
		const group = found.get(name) ?? [];
		group.push(file);
		found.set(name, group);
	}
	return found;
}

const NO_FILTER = new Set(["unspecified", "unset", "set"]);
