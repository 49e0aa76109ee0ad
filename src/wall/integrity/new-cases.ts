import { depthOf } from "../reading/added-lines.ts";
import { declared } from "./declarations.ts";

/** Leaves out the others. */
const FOCUSES = /\bonly\b|\b(?:fit|fdescribe|fcontext)\b/;

const ANNOTATES = /^\s*(?:@|\[|#\[)/;

/** Another name for what declares cases, such as `const zstdIt = hasZstd ? it : it.skip`. */
const ALIAS =
	/^\s*(?:const|let|var)\s+([\w$]+)\s*=\s*(?:[\w.!]+\s*\?\s*)?(?:it|test)(?:\.skip)?(?:\s*:\s*(?:it|test)(?:\.skip)?)?;?\s*$/;
const CALLED = /^\s*([\w$]+)\(/;

const wordsOf = (text: string): readonly string[] => text.match(/[\w$]+/g) ?? [];

function newAlias(line: string, base: string): string[] {
	const name = ALIAS.exec(line)?.[1];
	return name === undefined || wordsOf(base).includes(name) ? [] : [name];
}

/** Tells whether something else than cases uses another name for what declares them. */
const isUsed = (alias: string, lines: readonly string[]): boolean =>
	lines.some(
		(line) =>
			wordsOf(line).includes(alias) &&
			CALLED.exec(line)?.[1] !== alias &&
			ALIAS.exec(line)?.[1] !== alias,
	);

/**
 * A test file of which no line of the base is gone, with its new cases under their plain name where the file gives them
 * another, and without what gives it.
 */
export function withPlainCases(base: string, head: string): string {
	const lines = head.split(/\r?\n/);
	const aliases = lines.flatMap((line) => newAlias(line, base));
	const own = new Set(aliases.filter((alias) => !isUsed(alias, lines)));
	const plain = lines.map((line) => {
		if (own.has(ALIAS.exec(line)?.[1] ?? "")) return "";
		const name = CALLED.exec(line)?.[1] ?? "";
		return own.has(name) ? line.replace(name, "it") : line;
	});
	return plain.join("\n");
}

/**
 * A test file without the lines that new cases bring along, so that what these carry, such as a skip for a platform, is theirs.
 * The text as it is where a case of the base is gone, since a new one may be that one.
 */
export function withoutNewCases(base: string, head: string, path: string): string {
	const old = new Set(base.split(/\r?\n/).map((line) => line.trim()));
	const lines = head.split(/\r?\n/);
	const aliases = new Set(lines.flatMap((line) => newAlias(line, base)));
	const isOfAlias = (line: string): boolean => aliases.has(CALLED.exec(line)?.[1] ?? "");
	const isCase = (line: string): boolean =>
		!ANNOTATES.test(line) && (declared(line, path) > 0 || isOfAlias(line));
	const now = new Set(lines.map((line) => line.trim()));
	if (base.split(/\r?\n/).some((line) => isCase(line) && !now.has(line.trim()))) return head;
	const ownerOf = (at: number): string | undefined =>
		ANNOTATES.test(lines[at] ?? "")
			? lines.slice(at).find(isCase)
			: lines.slice(0, at + 1).findLast(isCase);
	const isOfNew = (line: string, at: number): boolean => {
		const [alias] = newAlias(line, base);
		// Where all that an alias is used for is new cases, it is theirs.
		if (alias !== undefined && !isUsed(alias, lines)) return true;
		const owner = ownerOf(at);
		if (old.has(line.trim()) || FOCUSES.test(line) || owner === undefined) return false;
		const isIn = line === owner || ANNOTATES.test(line) || depthOf(line) > depthOf(owner);
		return isIn && !old.has(owner.trim());
	};
	return lines.filter((line, at) => !isOfNew(line, at)).join("\n");
}
