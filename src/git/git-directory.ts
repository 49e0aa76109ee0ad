import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
	/** Directory of the objects that it borrows; null: it has all that it is to have. */
	readonly alternates: string | null;
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
		const path = join(directory.path, name);
		mkdirSync(dirname(path), { recursive: true });
		replaceFile(path, content);
	}
}

const FOLDERS = ["objects/info", "objects/pack", "refs/heads", "info"] as const;

function filesOf(directory: GitDirectory): readonly (readonly [string, string | Buffer])[] {
	const { alternates, stores = [], shallow, refs = [] } = directory;
	const borrowed = alternates === null ? [] : [alternates, ...stores];
	const lines = borrowed.map((path) => `${alternatesLine(path)}\n`);
	return [
		["config", configText(directory)],
		...(lines.length === 0 ? [] : [["objects/info/alternates", lines.join("")] as const]),
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
