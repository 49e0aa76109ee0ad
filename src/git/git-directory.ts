import { randomUUID } from "node:crypto";
import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { IDENTITY } from "./run-git.ts";

/** A repository that Sparring writes, apart from its objects. */
export interface GitDirectory {
	readonly path: string;
	readonly bare: boolean;
	readonly objectFormat: "sha1" | "sha256";
	/** Objects directory to borrow from. */
	readonly alternates: string;
	/** Content of a `shallow` file; null when the history is complete. */
	readonly shallow: Buffer | null;
	/** Content of HEAD: a commit id, or a symbolic ref. */
	readonly head: string;
	/** Value of `core.sharedRepository`; null for git's default. */
	readonly shared: string | null;
	/** Content of `info/attributes`, which overrides every `.gitattributes`. */
	readonly attributes: string | Buffer;
	/** Additional lines of the configuration. */
	readonly settings?: readonly string[];
}

/** Writes a repository, or rewrites its files. Each file is replaced atomically. */
export function writeGitDirectory(directory: GitDirectory): void {
	for (const folder of FOLDERS) mkdirSync(join(directory.path, folder), { recursive: true });
	for (const [name, content] of filesOf(directory)) {
		replaceFile(join(directory.path, name), content);
	}
}

/**
 * Writes a repository where there is none, with no more than git and those who work there need: each folder and file
 * costs the disk. A kill may leave a partial one, which the caller must remove.
 */
export function writeNewGitDirectory(directory: GitDirectory): void {
	for (const folder of NEEDED_FOLDERS) mkdirSync(join(directory.path, folder));
	const needed = filesOf(directory).filter(([, content]) => content.length > 0);
	for (const [name, content] of needed) {
		writeFileSync(join(directory.path, name), content, { flag: "wx" });
	}
}

/**
 * Moves the HEAD of a repository that is as `writeNewGitDirectory` made it, apart from HEAD and `index`: one that stays costs
 * the disk less than a new one.
 *
 * @returns false where anything is different, such as a link, a second name of a file, or something that somebody added:
 * then it has to be written again
 */
export function renewGitDirectory(directory: GitDirectory): boolean {
	try {
		if (!isAsWritten(directory)) return false;
		writeFileSync(join(directory.path, HEAD), `${directory.head}\n`);
		return true;
	} catch {
		// Something is missing, or cannot be read or written.
		return false;
	}
}

const HEAD = "HEAD";
const INDEX = "index";

function isAsWritten(directory: GitDirectory): boolean {
	const needed = new Map(filesOf(directory).filter(([, content]) => content.length > 0));
	const folders = NEEDED_FOLDERS.filter((folder) => folder !== "");
	const names = new Set([...folders, ...needed.keys(), INDEX]);
	const pathOf = (name: string): string => join(directory.path, name);
	return (
		["", ...folders].every(
			(folder) =>
				isOwnFolder(pathOf(folder)) &&
				readdirSync(pathOf(folder)).every((name) => names.has(join(folder, name))),
		) &&
		[...needed.keys(), INDEX].every((name) => isOwnFile(pathOf(name))) &&
		[...needed].every(([name, content]) => {
			return name === HEAD || readFileSync(pathOf(name)).equals(Buffer.from(content));
		})
	);
}

function isOwnFolder(path: string): boolean {
	const stats = lstatSync(path);
	return stats.isDirectory() && (stats.mode & 0o700) === 0o700;
}

/** A file with a second name could be changed by it, and changing it would change what else bears that name. */
function isOwnFile(path: string): boolean {
	const stats = lstatSync(path);
	return stats.isFile() && stats.nlink === 1 && (stats.mode & 0o600) === 0o600;
}

const FOLDERS = ["objects/info", "objects/pack", "refs/heads", "info"] as const;

/** `info` is for those who add to `info/exclude`; git makes the others when it needs them. */
const NEEDED_FOLDERS = ["", "objects", "objects/info", "refs", "info"] as const;

function filesOf(directory: GitDirectory): readonly (readonly [string, string | Buffer])[] {
	const { shallow } = directory;
	return [
		["config", configText(directory)],
		["objects/info/alternates", `${alternatesLine(directory.alternates)}\n`],
		["info/attributes", directory.attributes],
		["info/exclude", ""],
		...(shallow === null ? [] : [["shallow", shallow] as const]),
		// Last: without HEAD git sees no repository.
		["HEAD", `${directory.head}\n`],
	];
}

function configText({ bare, objectFormat, shared, settings = [] }: GitDirectory): string {
	const sha256 = objectFormat === "sha256";
	return [
		"[core]",
		`\trepositoryformatversion = ${sha256 ? 1 : 0}`,
		"\tfilemode = true",
		`\tbare = ${bare}`,
		`\tlogallrefupdates = ${!bare}`,
		...(shared === null || !/^\w+$/.test(shared) ? [] : [`\tsharedRepository = ${shared}`]),
		...(sha256 ? ["[extensions]", "\tobjectformat = sha256"] : []),
		"[gc]",
		"\tauto = 0",
		"[user]",
		`\tname = ${IDENTITY.name}`,
		`\temail = ${IDENTITY.email}`,
		...settings,
		"",
	].join("\n");
}

/**
 * A path as a line of `objects/info/alternates`, C-quoted if git would misread a plain line.
 *
 * @example `alternatesLine("/a\nb")` is `"\"/a\\nb\""` with its two quotes
 */
export function alternatesLine(path: string): string {
	if (!/["\n#\\]/.test(path)) return path;
	const escaped = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
	return `"${escaped}"`;
}

/** Writes a temporary file and renames it, so that no reader sees a partial file, even after a kill. */
function replaceFile(path: string, content: string | Buffer): void {
	const aside = join(dirname(path), `.${randomUUID()}.new`);
	writeFileSync(aside, content, { flag: "wx" });
	renameSync(aside, path);
}
