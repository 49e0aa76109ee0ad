import { isAbsolute, join } from "node:path";
import type { AttributesFile, FilterAttributes } from "./filter-attributes.ts";
import { filterAttributes } from "./filter-attributes.ts";
import { writeGitDirectory } from "./git-directory.ts";
import { zeroFields } from "./parsing.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import type { GitPlace, GitQuery } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import type { Vault } from "./vault.ts";
import { NO_CONVERSION, ownDirectory, shallowFile } from "./vault.ts";

/** A filter as the user's configuration defines it: the settings that are there. */
export interface FilterDriver {
	readonly name: string;
	readonly clean?: string;
	readonly smudge?: string;
	readonly process?: string;
	readonly required?: string;
}

/** What a commit and the user's configuration say of filters. */
export interface BaseFilters extends FilterAttributes {
	/** Those of the named filters that the user's configuration defines. */
	readonly drivers: readonly FilterDriver[];
	/** Where the user's repository keeps what Git LFS stores. */
	readonly lfsStorage: string;
	/** Every file of the commit. */
	readonly files: readonly CommitFile[];
}

/** A file of a commit, its path as bytes. */
export interface CommitFile {
	readonly path: Buffer;
	readonly mode: string;
	readonly oid: string;
}

/**
 * The filters that a commit's `.gitattributes` name, with what the user's system, global and repository configuration
 * runs for them; null when they name none. A commit without `.gitattributes` costs one process.
 */
export async function baseFilters(
	repository: Repository,
	commit: string,
): Promise<BaseFilters | null> {
	const place = repositoryPlace(repository);
	const files = await runGit(place, {
		args: ["ls-tree", "-r", "-z", "--full-tree", commit],
		parse: ({ stdout }) => (stdout.includes(ATTRIBUTES) ? parseFiles(stdout) : []),
	});
	const rules = files.filter(({ path, mode }) => mode.startsWith("100") && isAttributes(path));
	if (rules.length === 0) return null;
	const contents = await blobsOf(place, rules);
	const attributes = rules.map(({ path }, index): AttributesFile => {
		return { path, content: contents[index] ?? Buffer.of() };
	});
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

const ATTRIBUTES = ".gitattributes";

function isAttributes(path: Buffer): boolean {
	const text = path.toString("latin1");
	return text === ATTRIBUTES || text.endsWith(`/${ATTRIBUTES}`);
}

function parseFiles(bytes: Buffer): CommitFile[] {
	return zeroFields(bytes).map((field) => {
		const tab = field.indexOf("\t");
		const [mode = "", , oid = ""] = field.subarray(0, tab).toString("latin1").split(" ");
		return { path: field.subarray(tab + 1), mode, oid };
	});
}

/** The contents of blobs, in their order. */
export async function blobsOf(
	place: GitPlace,
	files: readonly Pick<CommitFile, "oid">[],
): Promise<Buffer[]> {
	if (files.length === 0) return [];
	return await runGit(place, {
		args: ["cat-file", "--batch=%(objectsize)"],
		stdin: files.map(({ oid }) => `${oid}\n`).join(""),
		parse: ({ stdout }) => {
			const found: Buffer[] = [];
			for (let at = 0; at < stdout.length; ) {
				const end = stdout.indexOf("\n", at);
				const start = end + 1;
				const size = Number(stdout.subarray(at, end).toString("latin1"));
				found.push(stdout.subarray(start, start + size));
				at = start + size + 1;
			}
			return found;
		},
	});
}

/** Later settings of a name replace earlier ones, as git does: system, user, repository. */
const settingsOfFilters: GitQuery<readonly [key: string, value: string][]> = {
	args: ["config", "-z", "--get-regexp", "^(filter\\..*|lfs\\.storage)$"],
	exitCodes: [0, 1],
	parse: ({ stdout }) =>
		zeroFields(stdout).map((field): [string, string] => {
			const text = field.toString("utf8");
			const end = text.indexOf("\n");
			return end === -1 ? [text, "true"] : [text.slice(0, end), text.slice(end + 1)];
		}),
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

/** A relative path is one in the git directory that all work trees share. */
function storageOf({ commonDir, host }: Repository, storage: string | null): string {
	if (storage === null || storage === "") return join(commonDir, "lfs");
	if (storage.startsWith("~/")) return join(host.home, storage.slice(2));
	return isAbsolute(storage) ? storage : join(commonDir, storage);
}

/**
 * The vault with the filters of a run's base commit: in its checkouts they run for the paths that the base commit's
 * attributes name, whatever a later `.gitattributes` says. May be called again at any time.
 *
 * A program runs in the user's own work tree: a relative name never leads to a file that a player wrote.
 */
export async function withBaseFilters(vault: Vault, baseCommit: string): Promise<Vault> {
	const { repository } = vault;
	const filters = await baseFilters(repository, baseCommit);
	if (filters === null || filters.drivers.length === 0) return vault;
	const checkoutGitDir = join(vault.gitDir, "filters.git");
	const plainGitDir = join(checkoutGitDir, "plain.git");
	const settings = settingsOf(repository, filters);
	const shallow = await shallowFile(repository);
	const plain = Buffer.concat([Buffer.from(NO_CONVERSION), filters.lines]);
	for (const [path, attributes] of [
		[checkoutGitDir, filters.lines],
		[plainGitDir, plain],
	] as const) {
		await writeGitDirectory(ownDirectory(repository, { path, shallow, attributes, settings }));
	}
	return { ...vault, checkoutGitDir, plainGitDir };
}

function settingsOf(repository: Repository, { drivers, lfsStorage }: BaseFilters): string[] {
	const here = `cd ${shellQuoted(repository.root)} || exit; `;
	// Git puts the path of a file for `%f`, but not into the command of a process.
	const escaped = here.replaceAll("%", "%%");
	return [
		...drivers.flatMap(({ name, clean, smudge, process, required }) => [
			`[filter ${configQuoted(name)}]`,
			...(clean === undefined ? [] : [`\tclean = ${configQuoted(commandIn(escaped, clean))}`]),
			...(smudge === undefined ? [] : [`\tsmudge = ${configQuoted(commandIn(escaped, smudge))}`]),
			...(process === undefined ? [] : [`\tprocess = ${configQuoted(commandIn(here, process))}`]),
			...(required === undefined ? [] : [`\trequired = ${configQuoted(required)}`]),
		]),
		// What a tracked .lfsconfig says otherwise: a download from wherever it names, or a pointer in place of a file.
		"[lfs]",
		`\tstorage = ${configQuoted(lfsStorage)}`,
		"\turl = none",
		"\tskipdownloaderrors = false",
		"\tfetchinclude = ",
		"\tfetchexclude = ",
	];
}

/** An empty command means none. */
function commandIn(here: string, command: string): string {
	return command === "" ? "" : `${here}${command}`;
}

function shellQuoted(text: string): string {
	return `'${text.replaceAll("'", "'\\''")}'`;
}

function configQuoted(text: string): string {
	return `"${text.replaceAll(/["\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;
}
