import { isUtf8 } from "node:buffer";
import type { GitAnswer, GitQuery } from "./run-git.ts";

/**
 * A git path as text: as it is when it is UTF-8, else each byte above 127 as `\xHH`.
 *
 * The escaped form is for display; it does not name the file.
 *
 * @example the bytes `61 ff` give `"a\\xff"`
 */
export function pathText(bytes: Buffer): string {
	if (isUtf8(bytes)) return bytes.toString("utf8");
	return bytes
		.toString("latin1")
		.replaceAll(
			/[\u0080-\u00ff]/g,
			(character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
		);
}

export function zeroFields(bytes: Buffer): Buffer[] {
	const fields: Buffer[] = [];
	let start = 0;
	while (start < bytes.length) {
		const end = bytes.indexOf(0, start);
		if (end === -1) break;
		fields.push(bytes.subarray(start, end));
		start = end + 1;
	}
	if (start < bytes.length) fields.push(bytes.subarray(start));
	return fields;
}

export function joinZero(fields: readonly (Buffer | string)[]): Buffer {
	const end = Buffer.of(0);
	return Buffer.concat(fields.flatMap((field) => [Buffer.from(field), end]));
}

// Only one line end is removed, since a path may end with one.
export function lineOf({ stdout }: GitAnswer): string {
	const text = stdout.toString("utf8");
	return text.endsWith("\n") ? text.slice(0, -1) : text;
}

export function nothing(): void {}

// Git only warns, with exit code 0, about a directory that it is not allowed to list.
export function isPartial({ stderr }: GitAnswer): boolean {
	return stderr.includes("could not open directory");
}

export interface RawChange {
	/** Such as `"100644"`, `"100755"`, `"120000"` (link) or `"160000"` (submodule); `"000000"` where there is nothing. */
	readonly oldMode: string;
	readonly newMode: string;
	/** All zeros where there is nothing. */
	readonly oldOid: string;
	readonly newOid: string;
	readonly path: Buffer;
}

export function parseRawChanges(bytes: Buffer): RawChange[] {
	const fields = zeroFields(bytes);
	const changes: RawChange[] = [];
	for (let index = 0; index + 1 < fields.length; index += 2) {
		const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) /.exec(
			fields[index]?.toString("latin1") ?? "",
		);
		const path = fields[index + 1];
		if (match === null || path === undefined) continue;
		const [, oldMode = "", newMode = "", oldOid = "", newOid = ""] = match;
		changes.push({ oldMode, newMode, oldOid, newOid, path });
	}
	return changes;
}

export interface TreeEntry {
	readonly mode: string;
	readonly oid: string;
	readonly path: Buffer;
}

/** Reads what `ls-tree -z` prints. */
export function treeEntries(bytes: Buffer): TreeEntry[] {
	return zeroFields(bytes).map((field) => {
		const tab = field.indexOf("\t");
		const [mode = "", , oid = ""] = field.subarray(0, tab).toString("latin1").split(" ");
		return { mode, oid, path: field.subarray(tab + 1) };
	});
}

export function settingsIn(bytes: Buffer): [key: string, value: string][] {
	return zeroFields(bytes).map((field) => {
		const text = field.toString("utf8");
		const end = text.indexOf("\n");
		return end === -1 ? [text, "true"] : [text.slice(0, end), text.slice(end + 1)];
	});
}

const ESCAPES: Readonly<Record<string, string>> = {
	a: "\x07",
	b: "\b",
	f: "\f",
	n: "\n",
	r: "\r",
	t: "\t",
	v: "\v",
};

/**
 * Resolves the C escapes of a quoted name; null when an escape is not valid. Text is bytes in `latin1`.
 *
 * @example `unquoteC("a\\\\tb")` is `"a\tb"`
 */
export function unquoteC(text: string): string | null {
	if (!/^(?:[^\\]|\\(?:[0-3][0-7]{2}|[abfnrtv"\\]))*$/s.test(text)) return null;
	return text.replaceAll(/\\([0-3][0-7]{2}|.)/g, (_all, code: string) =>
		code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
	);
}

/** A path as text that names it, for sets and maps. */
export const keyOf = (path: Buffer): string => path.toString("latin1");

/** @example `"a/b/c"` gives `["a", "a/b"]` */
export const foldersOf = (path: string): string[] =>
	[...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

export function below(directory: string, path: Buffer): Buffer {
	return Buffer.concat([Buffer.from(`${directory}/`), path]);
}

/** Options of a difference that `parseRawChanges` reads. */
export const RAW = ["-z", "--raw", "--no-renames", "--no-abbrev"];

/** Options of a difference as text that no configuration changes. */
export const PLAIN = "--no-ext-diff --no-textconv --no-color --src-prefix=a/ --dst-prefix=b/".split(
	" ",
);

export function rawDifference(from: string, to: string): GitQuery<RawChange[]> {
	return {
		args: ["diff-tree", "-r", ...RAW, from, to, "--"],
		parse: ({ stdout }) => parseRawChanges(stdout),
	};
}

export function stageEntries(entries: readonly Buffer[]): GitQuery<void> {
	return {
		args: ["update-index", "-z", "--index-info"],
		stdin: joinZero(entries),
		mayLock: true,
		parse: nothing,
	};
}

export function indexEntry(mode: string, oid: string, path: Buffer): Buffer {
	return Buffer.concat([Buffer.from(`${mode} ${oid}\t`), path]);
}

/** Untracked files that the ignore rules of the work tree do not ignore; a nested repository ends with `/`. */
export const untracked: GitQuery<Buffer[]> = {
	args: ["ls-files", "--others", "--exclude-standard", "-z"],
	parse: ({ stdout }) => zeroFields(stdout),
};

/** Untracked files that the ignore rules of the work tree ignore; a directory of nothing else ends with `/`. */
export const ignored: GitQuery<Buffer[]> = {
	args: ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
	parse: ({ stdout }) => outermost(zeroFields(stdout)),
};

function outermost(paths: readonly Buffer[]): Buffer[] {
	const folders = new Set(paths.map(keyOf).filter((path) => path.endsWith("/")));
	return paths.filter((path) => {
		const above = foldersOf(keyOf(path).replace(/\/$/, ""));
		return !above.some((folder) => folders.has(`${folder}/`));
	});
}
