import {
	lstatSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { IDENTITY } from "./run-git.ts";

export interface RefFile {
	readonly path: string;
	readonly content: string;
}

export interface GitDirectory {
	readonly path: string;
	readonly bare: boolean;
	readonly objectFormat: "sha1" | "sha256";
	readonly alternates: string;
	readonly stores?: readonly string[];
	readonly shallow: Buffer | null;
	readonly head: string;
	readonly shared: string | null;
	readonly attributes: string | Buffer;
	readonly excludes: string | Buffer;
	readonly refs?: readonly RefFile[];
	readonly settings?: readonly string[];
}

/** Writes a repository, or rewrites its files, each atomically. */
export function writeGitDirectory(directory: GitDirectory): void {
	for (const folder of FOLDERS) mkdirSync(join(directory.path, folder), { recursive: true });
	for (const [name, content] of filesOf(directory)) {
		replaceFile(join(directory.path, name), content);
	}
}

/**
 * Writes a repository where there is none, with no more than is needed: each file costs the disk. A kill may leave a
 * partial one.
 */
export function writeNewGitDirectory(directory: GitDirectory): void {
	for (const folder of neededFolders(directory)) mkdirSync(join(directory.path, folder));
	const needed = filesOf(directory).filter(([, content]) => content.length > 0);
	for (const [name, content] of needed) {
		writeFileSync(join(directory.path, name), content, { flag: "wx" });
	}
}

export type Standing = ReadonlyMap<string, string>;

/**
 * Moves the HEAD of a repository that nobody has touched since it stood as `before`; null: this process did not write
 * it.
 *
 * @returns false where anything is different: then it has to be written again
 */
export function renewGitDirectory(directory: GitDirectory, before: Standing | null): boolean {
	try {
		if (before === null || !isUntouched(directory, before)) return false;
		writeFileSync(join(directory.path, HEAD), `${directory.head}\n`);
		return true;
	} catch {
		// Something is missing, or cannot be read or written.
		return false;
	}
}

const HEAD = "HEAD";

/** The contents are compared as well: a change within the same tick of the clock leaves the times as they are. */
function isUntouched(directory: GitDirectory, before: Standing): boolean {
	const now = standingOf(directory);
	const needed = filesOf(directory).filter(([, content]) => content.length > 0);
	return (
		[...now].every(([name, entry]) => before.get(name) === entry) &&
		needed.every(([name, content]) => {
			return name === HEAD || readFileSync(join(directory.path, name)).equals(Buffer.from(content));
		})
	);
}

// What is further below than its own folders shows in the time of the folder above.
export function standingOf(directory: GitDirectory): Standing {
	const standing = new Map<string, string>();
	for (const folder of neededFolders(directory)) {
		const above = join(directory.path, folder);
		standing.set(folder, entryOf(above));
		for (const name of readdirSync(above)) {
			standing.set(join(folder, name), entryOf(join(above, name)));
		}
	}
	return standing;
}

/** No change of content, rights, owner, names, attributes or access list leaves the last of these as it is. */
function entryOf(path: string): string {
	const { mode, uid, gid, nlink, ino, ctimeNs } = lstatSync(path, { bigint: true });
	return [mode, uid, gid, nlink, ino, ctimeNs].join(" ");
}

const FOLDERS = ["objects/info", "objects/pack", "refs/heads", "info"] as const;

const NEEDED_FOLDERS = ["", "objects", "objects/info", "refs", "info"] as const;

function neededFolders({ refs = [] }: GitDirectory): readonly string[] {
	const ofRefs = refs.flatMap(({ path }) => {
		const parts = path.split("/").slice(0, -1);
		return parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
	});
	return [...new Set([...NEEDED_FOLDERS, ...ofRefs])];
}

function filesOf(directory: GitDirectory): readonly (readonly [string, string | Buffer])[] {
	const { alternates, stores = [], shallow, refs = [] } = directory;
	const borrowed = [alternates, ...stores].map((path) => `${alternatesLine(path)}\n`);
	return [
		["config", configText(directory)],
		["objects/info/alternates", borrowed.join("")],
		["info/attributes", directory.attributes],
		["info/exclude", directory.excludes],
		...(shallow === null ? [] : [["shallow", shallow] as const]),
		...refs.map(({ path, content }) => [path, Buffer.from(content, "latin1")] as const),
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

// C-quoted if git would misread a plain line.
export function alternatesLine(path: string): string {
	if (!/["\n#\\]/.test(path)) return path;
	const escaped = path.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
	return `"${escaped}"`;
}

/** Replaces a file so that no reader sees a part of it, even after a kill. */
export function replaceFile(path: string, content: string | Buffer): void {
	const aside = asideOf(path);
	writeFileSync(aside, content, { flag: "wx" });
	renameSync(aside, path);
}
