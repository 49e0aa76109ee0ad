import { spread } from "../formats/mutation/spread.ts";

type ChangePart =
	| { readonly same: readonly string[] }
	| { readonly old: readonly string[]; readonly fresh: readonly string[] };

/** A changed file with its text in parts. */
export interface MutableFile {
	readonly path: string;
	readonly mode: string;
	readonly parts: readonly ChangePart[];
}

/** A file with a part of its change taken back. */
export interface SuiteMutant {
	/** Its place for people: `src/limiter.js:12`. */
	readonly place: string;
	readonly path: string;
	readonly mode: string;
	/** Null: the file is gone, as before the change. */
	readonly text: string | null;
}

/** A line without a letter or digit, or one that is a comment or an import: nothing is learnt from taking it back. */
const IDLE =
	/^[^\p{L}\p{N}]*$|^\s*(?:\/\/|\/\*|\*|#|--|import\b|from\s+\S+\s+import\b|package\b|use\s|using\s|export\s+(?:\*|\{))/u;

const linesBefore = (parts: readonly ChangePart[]): number =>
	parts.reduce((sum, part) => sum + ("same" in part ? part.same : part.fresh).length, 0);

const textOf = (parts: readonly ChangePart[]): string =>
	parts.flatMap((part) => ("same" in part ? part.same : part.fresh)).join("");

function hunksOf({ path, mode, parts }: MutableFile): SuiteMutant[] {
	if (parts.every((part) => !("same" in part)) && parts.length === 1) return [];
	return parts.flatMap((part, index): SuiteMutant[] => {
		if ("same" in part) return [];
		const before = parts.slice(0, index);
		const reverted: ChangePart = { same: part.old };
		const text = textOf([...before, reverted, ...parts.slice(index + 1)]);
		return [{ place: `${path}:${linesBefore(before) + 1}`, path, mode, text }];
	});
}

function linesOf({ path, mode, parts }: MutableFile): SuiteMutant[] {
	return parts.flatMap((part, index): SuiteMutant[] => {
		if ("same" in part) return [];
		const [before, after] = [parts.slice(0, index), parts.slice(index + 1)];
		return part.fresh.flatMap((line, nth): SuiteMutant[] => {
			if (IDLE.test(line)) return [];
			const rest: ChangePart = { same: part.fresh.filter((_line, at) => at !== nth) };
			const place = `${path}:${linesBefore(before) + nth + 1}`;
			return [{ place, path, mode, text: textOf([...before, rest, ...after]) }];
		});
	});
}

/**
 * Mutants of a change, in any language: first each hunk taken back by itself, then single new lines left out, spread
 * over the change. One that cannot be loaded proves nothing; the caller sees that when it runs it.
 */
export function mutantsOf(files: readonly MutableFile[], limit: number): SuiteMutant[] {
	const hunks = spread(files.flatMap(hunksOf), limit);
	return [...hunks, ...spread(files.flatMap(linesOf), Math.max(0, limit - hunks.length))];
}
