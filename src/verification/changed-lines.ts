import type { ChangedText } from "./changed-text.ts";

/** A changed line of code with what it stands in: the lines of smaller indentation above it, the outermost first. */
export interface LineInContext {
	readonly line: string;
	/** Each with the annotations above it. */
	readonly within: readonly string[];
	/** Annotations right above the line. */
	readonly annotations: string;
}

/** Most of a line that is looked at, in characters; longer ones are generated. */
const MAX_LINE = 1_000;

/** Lines that a comment begins with say nothing; `#[derive]` and `#include` do. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*(?:\s|\/|$)|#(?:\s|!(?!\[)|$)|--(?:\s|$)|%%|;;)/;

const ANNOTATION = /^\s*(?:@\w|#?\[[A-Za-z].*\]\s*$)/;

const indentOf = (line: string): number =>
	(/^\s*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;

interface OpenLine {
	readonly indent: number;
	readonly text: string;
}

/** Closes what a line of this indentation does not stand in; a closing bracket belongs to what it closes. */
function closeTo(open: OpenLine[], indent: number, closes: boolean): void {
	while ((open.at(-1)?.indent ?? -1) > indent - (closes ? 0 : 1)) open.pop();
}

/** The lines of one text that are among the wanted ones, with what they stand in. */
export function linesInContext(text: string, wanted: ReadonlySet<string>): LineInContext[] {
	const found: LineInContext[] = [];
	const open: OpenLine[] = [];
	let annotations = "";
	const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "" && !COMMENT.test(line));
	for (const line of lines) {
		const indent = indentOf(line);
		const closes = /^\s*[)\]}]/.test(line);
		closeTo(open, indent, closes);
		if (wanted.has(line))
			found.push({
				line: line.slice(0, MAX_LINE),
				within: open.map((each) => each.text),
				annotations,
			});
		const isAnnotation = ANNOTATION.test(line);
		if (!isAnnotation && !closes)
			open.push({ indent, text: `${annotations}${line}`.slice(0, MAX_LINE) });
		annotations = isAnnotation ? `${annotations}${line}\n` : "";
	}
	return found;
}

const TYPE =
	/\b(?:class|struct|interface|type|enum|trait|record|object|protocol|union|message|service|module|defmodule|newtype|data|typedef|actor|extension|contract)\s+(?:class\s+|struct\s+)?([A-Za-z_]\w+)/;

const CALLABLE =
	/\b(?:def|defn|defmacro|fn|func|function|fun|sub|proc|macro|const|val|define)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_]\w+)|^\s*(?!return|else|new|await|throw|yield|if|for|while|case|in|not|and|or)(?:[\w<>[\],.*&?:]+\s+)+\**([A-Za-z_]\w+)\s*\([^;=]*$/;

/** Signs that a file says of each declaration if it is public. */
const MARKED = /^\s*(?:pub|export|public)\b/m;
const HIDDEN = /\b(?:private|fileprivate|defp)\b|\b(?:def|class)\s+_(?!_)/;

const nameIn = (line: string): string | undefined => {
	const [, type] = TYPE.exec(line) ?? [];
	const [, word, plain] = CALLABLE.exec(line) ?? [];
	return type ?? word ?? plain;
};

/**
 * Names of public declarations that a change alters or drops: a type by its members, everything else by its first lines.
 * Members of the public API of a language are told from the rest by its own words, such as `export`, `pub` and `private`.
 *
 * @example a field added to `export interface Task {` gives `Task`
 */
export function alteredNames(
	{ path, before, after }: ChangedText,
	wanted: ReadonlySet<string>,
): string[] {
	const named = (text: string | null, isOld: boolean): string[] => {
		const isMarked = MARKED.test(text ?? "") && !path.endsWith(".go");
		const isPublic = (line: string): boolean =>
			!HIDDEN.test(line) && (!isMarked || MARKED.test(line.replace(/^\s*[@#[][^\n]*\n/gm, "")));
		return linesInContext(text ?? "", wanted).flatMap(({ line, within }) => {
			const types = within
				.map((each, index) => ({ each, index }))
				.filter(({ each }) => TYPE.test(each));
			const inner = types.at(-1);
			const between = within.slice((inner?.index ?? -1) + 1);
			const inBody = between.some((each) => /\(/.test(each) && !/[(,]\s*$/.test(each));
			if (inBody || HIDDEN.test(line)) return [];
			const heads = [
				inner?.each,
				between.find((each) => /\(\s*$/.test(each)),
				isOld ? line : undefined,
			];
			return heads.flatMap((head) =>
				head !== undefined && isPublic(head) ? (nameIn(head) ?? []) : [],
			);
		});
	};
	const names = [...named(before, true), ...named(after, false)];
	return [...new Set(names)].filter((name) => name.length > 2 && isExported(path, name));
}

/** Go tells what is public by its first letter. */
const isExported = (path: string, name: string): boolean =>
	!path.endsWith(".go") || /^[A-Z]/.test(name);
