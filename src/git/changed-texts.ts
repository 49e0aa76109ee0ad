import { attempt } from "../kernel/attempt.ts";
import { type DiffLine, diffLines, writtenPath } from "./diff-lines.ts";
import { lineOf, PLAIN } from "./parsing.ts";
import { type GitQuery, runGit } from "./run-git.ts";
import { type Vault, vaultPlace } from "./vault.ts";

/** A stretch of a file: lines that stayed, or lines that were replaced. Each line ends with its `\n`, if it has one. */
export type TextPart =
	| { readonly same: readonly string[] }
	| { readonly old: readonly string[]; readonly fresh: readonly string[] };

export interface ChangedFileText {
	readonly path: string;
	readonly kind: "added" | "modified" | "deleted";
	/** Mode after the change; before it where the file is deleted. */
	readonly mode: string;
	/** Null for what is no UTF-8 text, is a link or a submodule, or came after the limit. */
	readonly parts: readonly TextPart[] | null;
}

const ALL_LINES = 99_999_999;

const WITH_RAW = ["--raw", "--no-renames", "--no-abbrev"];

/** The file on one side of a change, from its parts. */
export function sideOf(parts: readonly TextPart[], side: "old" | "fresh"): string {
	return parts.flatMap((part) => ("same" in part ? part.same : part[side])).join("");
}

/**
 * The files that differ between two commits, with their texts, in one call of git. A rename is a deletion and an
 * addition.
 *
 * @param maxBytes of all texts together; files after it have no parts
 */
export function changedTexts(
	vault: Vault,
	from: string,
	to: string,
	maxBytes: number,
): Promise<ChangedFileText[]> {
	return runGit(vaultPlace(vault), changedTextsQuery(from, to, maxBytes));
}

function changedTextsQuery(
	from: string,
	to: string,
	maxStdout: number,
): GitQuery<ChangedFileText[]> {
	return {
		// The raw lines come first, so that every file is named even where its text does not fit.
		args: ["diff-tree", "-r", "-p", `-U${ALL_LINES}`, ...WITH_RAW, ...PLAIN, from, to, "--"],
		maxStdout,
		parse: ({ stdout, truncated }) => parseChangedTexts(stdout, truncated),
	};
}

interface TextSection {
	path: string;
	readonly parts: TextPart[];
	same: string[];
	old: string[];
	fresh: string[];
	isText: boolean;
}

function parseChangedTexts(bytes: Buffer, truncated: boolean): ChangedFileText[] {
	const { files, sections } = readDiff(bytes);
	for (const [index, section] of sections.entries()) {
		close(section);
		const file = files.get(section.path);
		if (file === undefined) continue;
		const isWhole = !truncated || index < sections.length - 1;
		const isRead = isWhole && section.isText && isPlain(file.mode);
		files.set(file.path, { ...file, parts: isRead ? decoded(section.parts) : null });
	}
	return [...files.values()];
}

function readDiff(bytes: Buffer) {
	const files = new Map<string, ChangedFileText>();
	const sections: TextSection[] = [];
	for (const line of diffLines(bytes)) {
		const reading = sections.at(-1);
		const file = reading === undefined ? rawFile(line.text) : undefined;
		if (file !== undefined) files.set(file.path, file);
		if (line.mark === "head" && line.text.startsWith("diff --git ")) sections.push(newReading());
		else if (reading !== undefined) readLine(reading, line);
	}
	return { files, sections };
}

const newReading = (): TextSection => ({
	path: "",
	parts: [],
	isText: true,
	same: [],
	old: [],
	fresh: [],
});

const isPlain = (mode: string): boolean => mode === "100644" || mode === "100755";

const EMPTY =
	/^(?:0+|e69de29bb2d1d6434b8b29ae775ad8c2e48c5391|473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813)$/;

const KINDS: Readonly<Record<string, ChangedFileText["kind"]>> = { A: "added", D: "deleted" };

/** A line of `--raw`. What has no hunks, such as an empty file or a change of mode, is whole without any. */
function rawFile(line: string): ChangedFileText | undefined {
	const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\t(.*)$/.exec(line);
	if (match === null) return undefined;
	const [, oldMode = "", newMode = "", old = "", fresh = "", status = "", name = ""] = match;
	const kind = KINDS[status] ?? "modified";
	const hasNoLines = old === fresh || (EMPTY.test(old) && EMPTY.test(fresh));
	return {
		path: writtenPath(name),
		kind,
		mode: kind === "deleted" ? oldMode : newMode,
		parts: hasNoLines ? [] : null,
	};
}

function readLine(reading: TextSection, { mark, text }: DiffLine): void {
	if (mark === "\\") withoutEnd(reading);
	else if (mark === "---" || mark === "+++") reading.path = text || reading.path;
	else if (mark === " ") {
		if (reading.old.length + reading.fresh.length > 0) close(reading);
		reading.same.push(`${text}\n`);
	} else if (mark === "+" || mark === "-") {
		if (reading.same.length > 0) close(reading);
		reading[mark === "-" ? "old" : "fresh"].push(`${text}\n`);
	} else if (/^(?:Binary files |GIT binary patch)/.test(text)) reading.isText = false;
}

function withoutEnd(reading: TextSection): void {
	// The mark stands right behind its line, which is the newest of its kind.
	for (const lines of [reading.fresh, reading.old, reading.same]) {
		const last = lines.at(-1);
		if (last === undefined) continue;
		lines[lines.length - 1] = last.replace(/\n$/, "");
		return;
	}
}

function close(reading: TextSection): void {
	const { same, old, fresh } = reading;
	if (same.length > 0) reading.parts.push({ same });
	if (old.length + fresh.length > 0) reading.parts.push({ old, fresh });
	reading.same = [];
	reading.old = [];
	reading.fresh = [];
}

function decoded(parts: readonly TextPart[]): TextPart[] | null {
	const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
	const all = (lines: readonly string[]) =>
		lines.map((line) => decoder.decode(Buffer.from(line, "latin1")));
	const decode = (part: TextPart): TextPart =>
		"same" in part ? { same: all(part.same) } : { old: all(part.old), fresh: all(part.fresh) };
	return attempt(() => parts.map(decode), null);
}

/** Paths of the files of a commit that hold a word, in text files. */
export function filesNaming(vault: Vault, commit: string, word: string): Promise<string[]> {
	return runGit(vaultPlace(vault), {
		args: ["grep", "-I", "-l", "-w", "-F", "--full-name", "-e", word, commit, "--"],
		exitCodes: [0, 1],
		parse: (answer) =>
			lineOf(answer)
				.split("\n")
				.flatMap((line) => (line === "" ? [] : [line.slice(line.indexOf(":") + 1)])),
	});
}
