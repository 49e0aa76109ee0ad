import { posix } from "node:path";
import type { FileChange } from "../../git/file-change.ts";
import { disarmingLines, type TextPair } from "../integrity/disarming-lines.ts";
import { reordered, rewritten } from "../integrity/vanished.ts";
import { importedNames } from "../language/languages.ts";
import { placesTriedBy } from "../reading/imported.ts";
import { withoutComments } from "../reading/strip-comments.ts";
import { isCode } from "../reading/test-places.ts";

/** Names in lines that are gone or disarm something, then in lines around those, then in lines that are new. */
export type Words = readonly ReadonlySet<string>[];

/** A change of what the base's tests consist of, by which they may notice less. */
export interface ChangedTest {
	readonly path: string;
	readonly words: Words;
}

/** A change on the tests' side with both texts; empty where there is none. */
export interface TestPair extends TextPair, Pick<FileChange, "kind"> {}

/**
 * Changes by which tests of the base may lose power. Further tests, new files that nothing of the base loads, comments
 * and formatting are none.
 *
 * @param texts code of the base on the tests' side
 */
export function changedTests(
	pairs: readonly TestPair[],
	texts: ReadonlyMap<string, string>,
): ChangedTest[] {
	const loaded = new Set([...texts.keys()].flatMap((file) => placesTriedBy(file, texts)).flat());
	return pairs.flatMap((pair) => {
		const { kind, path } = pair;
		if (kind === "added" && !(LOADED.test(path) || loaded.has(path))) return [];
		return changedIn(pair) ?? changedIn(withoutSilent(pair)) ?? [];
	});
}

function changedIn(pair: TestPair): ChangedTest | null {
	const fresh = pair.kind === "modified" ? disarming(pair) : [];
	if (fresh.length === 0 && !isRewritten(pair)) return null;
	return { path: pair.path, words: wordsOf(pair, new Set(fresh)) };
}

/** Lines that became a comment are gone. */
function withoutSilent(pair: TestPair): TestPair {
	const { path, base, head } = pair;
	const bare = (text: string): string => (isCode(path) ? withoutComments(text, path) : text);
	return { ...pair, base: bare(base), head: bare(head) };
}

/** Files that runners load by themselves. */
const LOADED = /(?:^|\/)(?:conftest|__init__|sitecustomize|usercustomize)\.py$/;

function disarming(pair: TestPair): number[] {
	const { fresh } = rewritten(pair.base, pair.head, []);
	return disarmingLines(fresh, pair).map(({ number }) => number);
}

function isRewritten({ kind, path, base, head }: TestPair): boolean {
	if (kind !== "modified" || rewritten(base, head, []).gone.length > 0) return true;
	if (isCode(path) && reordered(path, base, head, []).length > 0) return true;
	const has = new Set(importedNames(path, head).map(pairText));
	return isCode(path) && importedNames(path, base).some((one) => !has.has(pairText(one)));
}

const pairText = ({ name, module }: { readonly name: string; readonly module: string }): string =>
	`${name} ${posix.normalize(module)}`;

const AROUND = 6;

function wordsOf({ base, head }: TestPair, disarming: ReadonlySet<number>): Words {
	const [before, after] = [base.split("\n"), head.split("\n")];
	const gone = linesWithout(before, after);
	const fresh = linesWithout(after, before);
	const acting = after.map((_, at) => disarming.has(at + 1));
	const of = (lines: readonly string[], taken: readonly boolean[]): readonly string[] =>
		lines.filter((_, at) => taken[at]);
	const lines = [
		[...of(before, gone), ...of(after, acting)],
		[...near(before, gone), ...near(after, acting)],
		of(after, fresh),
	];
	return lines.map((some) => new Set(some.join("\n").match(/[A-Za-z_$][\w$]+/g)));
}

/** Tells of each line whether the others lack it, or have it less often. */
function linesWithout(lines: readonly string[], others: readonly string[]): boolean[] {
	const left = new Map<string, number>();
	for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
	return lines.map((line) => {
		const count = left.get(line) ?? 0;
		left.set(line, count - 1);
		return count <= 0;
	});
}

function near(lines: readonly string[], changed: readonly boolean[]): string[] {
	return lines.filter((_, at) =>
		changed.slice(Math.max(0, at - AROUND), at + AROUND).includes(true),
	);
}
