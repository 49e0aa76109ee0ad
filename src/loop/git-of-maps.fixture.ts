import { createHash } from "node:crypto";
import type { ChangedFileText } from "../git/changed-texts.ts";
import { type FileChange, kindOfChange, type TreeFile } from "../git/file-change.ts";
import type { MergeCommit, MergeForecast } from "../git/merging.ts";
import { Fault } from "../kernel/fault.ts";
import { joinedLines, linesOf, mergedLines, partsOf } from "./merged-lines.fixture.ts";

const FILE = "100644";
const NOBODY = "0".repeat(40);

/** A file as a test writes it: its text, of a mode that is not 100644 with that. */
export type Written = string | { readonly text: string; readonly mode: string };

export type WrittenFiles = Readonly<Record<string, Written | null>>;

export interface MapFile extends TreeFile {
	readonly text: string;
}

/** Files by path. */
export type MapTree = ReadonlyMap<string, MapFile>;

interface MapCommit extends MergeCommit {
	readonly files: MapTree;
}

const hashOf = (kind: string, content: string): string =>
	createHash("sha1")
		.update(`${kind} ${Buffer.byteLength(content)}\0${content}`)
		.digest("hex");

const byBytes = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
	Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Files with some of them written, or removed by null. */
export function withFiles(files: MapTree, written: WrittenFiles): MapTree {
	const now = new Map(files);
	for (const [path, file] of Object.entries(written)) {
		if (file === null) now.delete(path);
		else {
			const { text, mode } = typeof file === "string" ? { text: file, mode: FILE } : file;
			now.set(path, { path, text, mode, oid: hashOf("blob", text) });
		}
	}
	return new Map([...now].sort(byBytes));
}

/** The id of a tree: equal files give the same. */
export function treeIdOf(files: MapTree): string {
	const lines = [...files.values()].map(({ path, mode, oid }) => `${mode} ${oid} ${path}\n`);
	return hashOf("tree", lines.join(""));
}

/**
 * A repository whose commits, trees and refs are maps. It answers what the loop asks of commits as git does; files are
 * texts, and a file never stands where another commit has a folder.
 */
export class GitOfMaps {
	readonly #commits = new Map<string, MapCommit>();
	readonly #trees = new Map<string, MapTree>();
	readonly refs = new Map<string, string>();

	writeTree(files: MapTree): string {
		const tree = treeIdOf(files);
		this.#trees.set(tree, files);
		return tree;
	}

	/** Writes a commit; moves no ref. Its id follows from its content. */
	write(commit: MergeCommit): string {
		const { tree, parents, message, at, by } = commit;
		const files = this.#trees.get(tree);
		if (files === undefined) throw missing(`tree ${tree}`);
		const seconds = Math.floor(at / 1_000);
		const id = hashOf("commit", JSON.stringify([tree, parents, message, seconds, by ?? null]));
		this.#commits.set(id, { ...commit, files });
		return id;
	}

	/** A commit with these files alone. */
	commit(files: WrittenFiles, parents: readonly string[] = [], at = 0): string {
		const tree = this.writeTree(withFiles(new Map(), files));
		return this.write({ tree, parents, message: "written\n", at });
	}

	has(commit: string): boolean {
		return this.#commits.has(commit);
	}

	/** @param commit its id, or one with `^` for its first parent */
	at(commit: string): MapCommit {
		const isParent = commit.endsWith("^");
		const id = isParent ? (this.at(commit.slice(0, -1)).parents[0] ?? "") : commit;
		const found = this.#commits.get(id);
		if (found === undefined) throw missing(`commit ${commit}`);
		return found;
	}

	/** Files of a commit, or of a tree. */
	files(id: string): MapTree {
		return this.#trees.get(id) ?? this.at(id).files;
	}

	text(commit: string, path: string): string | null {
		return this.files(commit).get(path)?.text ?? null;
	}

	/** All that a commit is built on, itself first. */
	history(commit: string): ReadonlySet<string> {
		const seen = new Set([commit]);
		for (const id of seen) for (const parent of this.at(id).parents) seen.add(parent);
		return seen;
	}

	changes(from: string, to: string): FileChange[] {
		return changesOf(this.files(from), this.files(to));
	}

	changedTexts(from: string, to: string): ChangedFileText[] {
		return this.changes(from, to).map(({ path, kind, oldMode, newMode }) => {
			const [before, after] = [this.text(from, path) ?? "", this.text(to, path) ?? ""];
			const mode = kind === "deleted" ? oldMode : newMode;
			const isPlain = mode.startsWith("100") && !`${before}${after}`.includes("\0");
			const told = kind === "type-changed" ? "modified" : kind;
			return { path, kind: told, mode, parts: isPlain ? partsOf(before, after) : null };
		});
	}

	/** Numbers of lines that were added and removed. */
	lines(from: string, to: string): { added: number; removed: number } {
		const parts = this.changedTexts(from, to).flatMap(({ parts: own }) => own ?? []);
		const changed = parts.flatMap((part) => ("same" in part ? [] : [part]));
		const sum = (side: "old" | "fresh") =>
			changed.reduce((all, part) => all + part[side].length, 0);
		return { added: sum("fresh"), removed: sum("old") };
	}

	/** The difference as a unified diff, each file whole. */
	diff(from: string, to: string): string {
		return this.changedTexts(from, to)
			.map(({ path, kind, parts }) => {
				const lines = (parts ?? []).flatMap((part) =>
					"same" in part
						? part.same.map((line) => ` ${line}`)
						: [...part.old.map((line) => `-${line}`), ...part.fresh.map((line) => `+${line}`)],
				);
				const [a, b] = [kind === "added" ? "/dev/null" : `a/${path}`, `b/${path}`];
				const head = `diff --git a/${path} b/${path}\n--- ${a}\n+++ ${kind === "deleted" ? "/dev/null" : b}\n`;
				return `${head}${lines.map((line) => (line.endsWith("\n") ? line : `${line}\n`)).join("")}`;
			})
			.join("");
	}

	/** The newest commit that both are built on. */
	mergeBase(one: string, other: string): string {
		const theirs = this.history(other);
		const found = [...this.history(one)].find((id) => theirs.has(id));
		if (found === undefined) throw missing(`common history of ${one} and ${other}`);
		return found;
	}

	forecast(ours: string, theirs: string): MergeForecast {
		const base = this.files(this.mergeBase(ours, theirs));
		const [mine, other] = [this.files(ours), this.files(theirs)];
		let files: MapTree = new Map();
		const conflicts: string[] = [];
		for (const path of new Set([...base.keys(), ...mine.keys(), ...other.keys()])) {
			const sides = { base: base.get(path), ours: mine.get(path), theirs: other.get(path) };
			const { file, conflict } = mergedFile(sides, { ours, theirs });
			if (file !== undefined) files = new Map([...files, [path, file]]);
			if (conflict) conflicts.push(path);
		}
		const tree = this.writeTree(withFiles(files, {}));
		return conflicts.length === 0
			? { clean: true, tree }
			: { clean: false, tree, conflicts: conflicts.sort() };
	}
}

function missing(what: string): Fault {
	return new Fault(`there is no ${what}`, { code: "git-failed" });
}

export function changesOf(before: MapTree, after: MapTree): FileChange[] {
	const paths = [...new Map([...before, ...after]).entries()].sort(byBytes);
	return paths.flatMap(([path]) => {
		const [old, fresh] = [before.get(path), after.get(path)];
		const [oldMode, newMode] = [old?.mode ?? "000000", fresh?.mode ?? "000000"];
		const [oldOid, newOid] = [old?.oid ?? NOBODY, fresh?.oid ?? NOBODY];
		if (oldMode === newMode && oldOid === newOid) return [];
		return [{ path, kind: kindOfChange(oldMode, newMode), oldMode, newMode, oldOid, newOid }];
	});
}

type Sides = { readonly [Side in "base" | "ours" | "theirs"]: MapFile | undefined };

/** One path of a merge: what only one side changed is taken, and what both changed is merged by lines. */
function mergedFile(
	{ base, ours, theirs }: Sides,
	names: { readonly ours: string; readonly theirs: string },
): { readonly file: MapFile | undefined; readonly conflict: boolean } {
	const isSame = (one?: MapFile, other?: MapFile): boolean =>
		one?.oid === other?.oid && one?.mode === other?.mode;
	if (isSame(ours, theirs) || isSame(base, theirs)) return { file: ours, conflict: false };
	if (isSame(base, ours)) return { file: theirs, conflict: false };
	if (ours === undefined || theirs === undefined) return { file: ours ?? theirs, conflict: true };
	const sides = { base: linesOf(base?.text ?? ""), ours: ours.text, theirs: theirs.text };
	const { lines, conflict } = mergedLines(sides, names);
	const text = joinedLines(lines);
	return { file: { ...ours, text, oid: hashOf("blob", text) }, conflict };
}
