import type { ChangedFileText } from "../git/changed-texts.ts";
import type { Integrity } from "../wall/reading/tree-pair.ts";

const MOST_LINES = 6;

/** Place of a change that blocks, with its first lines before and after it. */
export interface BlockedPlace {
	readonly file: string;
	/** From 1; null where no line says it. */
	readonly line: number | null;
	readonly before: readonly string[];
	readonly after: readonly string[];
	/** Texts for `--allow` that together let it pass, without the reason; empty: nothing does. */
	readonly allow: readonly string[];
}

/** Places of what blocks. */
export function placesOf(
	{ blocked }: Pick<Integrity, "blocked">,
	changed: readonly ChangedFileText[],
): BlockedPlace[] {
	const byFile = Map.groupBy(blocked, ({ path }) => path);
	const elsewhere = addedLines(changed);
	return [...byFile]
		.filter(([file]) => file !== "")
		.map(([file, all]) => {
			const lines = linesOf(
				changed.find(({ path }) => path === file),
				elsewhere,
			);
			const kinds = new Set(all.flatMap(({ change }) => change ?? []));
			const isFinal = all.some(({ change }) => change === null);
			return { file, ...lines, allow: isFinal ? [] : [...kinds].map((kind) => `${file}:${kind}`) };
		});
}

/** Changed test files that a red replay put back, and that nothing else blocks. */
export function rewrittenPlaces(
	{ blocked }: Pick<Integrity, "blocked">,
	restored: readonly string[],
	changed: readonly ChangedFileText[],
): BlockedPlace[] {
	const known = new Set(blocked.map(({ path }) => path));
	const elsewhere = addedLines(changed);
	return changed
		.filter(({ path, kind }) => kind !== "added" && restored.includes(path) && !known.has(path))
		.map((text) => {
			const allow = [`${text.path}:${text.kind === "deleted" ? "delete" : "edit"}`];
			return { file: text.path, ...linesOf(text, elsewhere), allow };
		});
}

export const rewrittenText = ({ file, line }: BlockedPlace): string =>
	`${file}${line === null ? "" : `:${line}`}: this was changed, and the work does not pass the base's tests with the original`;

/** Lines of files that are new. */
const addedLines = (changed: readonly ChangedFileText[]): ReadonlySet<string> =>
	new Set(
		changed
			.filter(({ kind }) => kind === "added")
			.flatMap(({ parts }) => parts ?? [])
			.flatMap((part) => ("same" in part ? [] : part.fresh)),
	);

/** @param elsewhere lines that a file which is gone may have left in another one: of it only the others are shown, if there are any */
function linesOf(
	text: ChangedFileText | undefined,
	elsewhere: ReadonlySet<string>,
): Pick<BlockedPlace, "line" | "before" | "after"> {
	let at = 1;
	let line: number | null = null;
	const [before, after]: [string[], string[]] = [[], []];
	for (const part of text?.parts ?? []) {
		if ("same" in part) {
			at += part.same.length;
			continue;
		}
		line ??= at;
		at += part.fresh.length;
		before.push(...part.old);
		after.push(...part.fresh);
	}
	const own = text?.kind === "deleted" ? before.filter((each) => !elsewhere.has(each)) : [];
	const [first] = own;
	if (first !== undefined) line = before.indexOf(first) + 1;
	const shown = (lines: readonly string[]): string[] =>
		lines.slice(0, MOST_LINES).map((each) => each.replace(/\n$/, ""));
	return { line, before: shown(first === undefined ? before : own), after: shown(after) };
}
