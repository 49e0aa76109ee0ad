import { mkdirSync, symlinkSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { bytesOfText } from "../kernel/byte-text.ts";
import { shellWord } from "../kernel/shell-word.ts";
import type { AttributesFile, FilterAttributes } from "./filter-attributes.ts";
import { filterAttributes } from "./filter-attributes.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { readObjects, treeListing } from "./objects.ts";
import { settingsIn, type TreeEntry, treeEntries } from "./parsing.ts";
import { type Repository, repositoryPlace } from "./repository.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { NO_CONVERSION, ownDirectory, shallowFile } from "./vault.ts";

export interface FilterDriver {
	readonly name: string;
	readonly clean?: string;
	readonly smudge?: string;
	readonly process?: string;
	readonly required?: string;
}

export interface BaseFilters extends FilterAttributes {
	readonly drivers: readonly FilterDriver[];
	readonly lfsStorage: string;
	readonly files: readonly TreeEntry[];
}

/**
 * Filters that a commit's `.gitattributes` name, with their commands from the user's configuration; null when there
 * are none.
 */
export async function baseFilters(
	repository: Repository,
	commit: string,
): Promise<BaseFilters | null> {
	const { files, attributes } = await attributesAt(repository, commit);
	const { filters, lines } = filterAttributes(attributes);
	if (filters.length === 0) return null;
	const names = new Set(filters.map(({ name }) => name));
	const { drivers, storage } = await userSettings(repository);
	return {
		filters,
		lines,
		drivers: drivers.filter(({ name }) => names.has(name)),
		lfsStorage: storageOf(repository, storage),
		files,
	};
}

export async function attributesAt(
	repository: Repository,
	commit: string,
): Promise<{
	readonly files: readonly TreeEntry[];
	readonly attributes: readonly AttributesFile[];
}> {
	const listing = await treeListing(repository, commit);
	const files = listing.includes(ATTRIBUTES) ? treeEntries(listing) : [];
	const rules = files.filter(({ path, mode }) => mode.startsWith("100") && isAttributes(path));
	if (rules.length === 0) return { files: [], attributes: [] };
	const blobs = await readObjects(
		repositoryPlace(repository),
		rules.map(({ oid }) => oid),
	);
	const attributes = rules.map(({ path }, index): AttributesFile => {
		return { path, content: blobs[index]?.content ?? Buffer.of() };
	});
	return { files, attributes };
}

const ATTRIBUTES = ".gitattributes";

function isAttributes(path: Buffer): boolean {
	const text = path.toString("latin1");
	return text === ATTRIBUTES || text.endsWith(`/${ATTRIBUTES}`);
}

const settingsOfFilters: GitQuery<[key: string, value: string][]> = {
	args: ["config", "-z", "--get-regexp", "^(filter\\..*|lfs\\.storage)$"],
	exitCodes: [0, 1],
	parse: ({ stdout }) => settingsIn(stdout),
};

async function userSettings(
	repository: Repository,
): Promise<{ readonly drivers: readonly FilterDriver[]; readonly storage: string | null }> {
	const { host, root } = repository;
	const place: GitPlace = { host, configuration: "users", cwd: root };
	const drivers = new Map<string, FilterDriver>();
	let storage: string | null = null;
	for (const [key, value] of await runGit(place, settingsOfFilters)) {
		if (key === "lfs.storage") storage = value;
		const [, name, setting] = /^filter\.(.+)\.(clean|smudge|process|required)$/s.exec(key) ?? [];
		if (name === undefined || setting === undefined) continue;
		drivers.set(name, { ...drivers.get(name), name, [setting]: value });
	}
	return { drivers: [...drivers.values()], storage };
}

function storageOf({ commonDir, host }: Repository, storage: string | null): string {
	if (storage === null || storage === "") return join(commonDir, "lfs");
	if (storage.startsWith("~/")) return join(host.home, storage.slice(2));
	return isAbsolute(storage) ? storage : join(commonDir, storage);
}

/**
 * Adds the filters of a run's base commit to the vault. In its checkouts they run for the paths that the base commit's
 * attributes name, whatever a later `.gitattributes` says. Can be called again at any time.
 *
 * Filter commands run in the user's own work tree, so a relative name never resolves to a file that a player wrote.
 */
export async function withBaseFilters(vault: Vault, baseCommit: string): Promise<Vault> {
	const { repository } = vault;
	const filters = await baseFilters(repository, baseCommit);
	if (filters === null || filters.drivers.length === 0) return vault;
	const checkoutGitDir = join(vault.gitDir, "filters.git");
	const plainGitDir = join(checkoutGitDir, "plain.git");
	const { lfsStorage = filters.lfsStorage } = repository;
	const isOwn = lfsStorage !== filters.lfsStorage;
	const stores = isOwn ? [lentLfs(vault.gitDir, filters.lfsStorage)] : [];
	const settings = settingsOf(repository, { ...filters, lfsStorage });
	const shallow = shallowFile(repository);
	const excludes = bytesOfText(vault.ignoreRules);
	const plain = Buffer.concat([Buffer.from(NO_CONVERSION), filters.lines]);
	for (const [path, attributes] of [
		[checkoutGitDir, filters.lines],
		[plainGitDir, plain],
	] as const) {
		const directory = { path, shallow, attributes, excludes, settings };
		writeGitDirectory({ ...ownDirectory(repository, directory), stores });
	}
	return { ...vault, checkoutGitDir, plainGitDir };
}

// Git LFS borrows from the `lfs` beside each directory of objects that is borrowed from.
function lentLfs(gitDir: string, storage: string): string {
	const dir = join(gitDir, "lent");
	if (mkdirSync(join(dir, "objects"), { recursive: true }) !== undefined)
		symlinkSync(storage, join(dir, "lfs"));
	return join(dir, "objects");
}

function settingsOf(repository: Repository, { drivers, lfsStorage }: BaseFilters): string[] {
	const here = `cd ${shellWord(repository.root)} || exit; `;
	// Git replaces `%f` in `clean` and `smudge`, but not in `process`.
	const escaped = here.replaceAll("%", "%%");
	return [
		...drivers.flatMap(({ name, clean, smudge, process, required }) => [
			`[filter ${configQuoted(name)}]`,
			...setting("clean", commandIn(escaped, clean)),
			...setting("smudge", commandIn(escaped, smudge)),
			...setting("process", commandIn(here, process)),
			...setting("required", required),
		]),
		// Otherwise a tracked .lfsconfig decides: it could name a download server, or leave pointers instead of files.
		"[lfs]",
		`\tstorage = ${configQuoted(lfsStorage)}`,
		"\turl = none",
		"\tskipdownloaderrors = false",
		"\tfetchinclude = ",
		"\tfetchexclude = ",
	];
}

export function setting(name: string, value: string | undefined): string[] {
	return value === undefined ? [] : [`\t${name} = ${configQuoted(value)}`];
}

/** An empty command means none. */
function commandIn(here: string, command: string | undefined): string | undefined {
	return command === undefined || command === "" ? command : `${here}${command}`;
}

export function configQuoted(text: string): string {
	return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
