import path from "node:path";
import { isTestFile } from "../../evidence/test-files.ts";
import type { TreePair } from "../reading/tree-pair.ts";

export type Moves = ReadonlyMap<string, string>;

/**
 * Deleted test files whose unchanged content is at another test path where it still runs.
 *
 * @param everyCase the checks name each test on both sides, so comparing cases shows a test that no longer runs.
 * Otherwise only renames that the same glob would find count: same directory and form of name (`test/a.test.js`,
 * `test/b.test.js`).
 */
export function movedTests({ changes }: TreePair, everyCase: boolean): Moves {
	const free = new Map<string, string[]>();
	for (const { kind, path: file, newOid } of changes) {
		if (kind !== "added" || !isTestFile(file)) continue;
		free.set(newOid, [...(free.get(newOid) ?? []), file]);
	}
	const moves = new Map<string, string>();
	for (const { kind, path: file, oldOid } of changes) {
		if (kind !== "deleted" || !isTestFile(file)) continue;
		const places = free.get(oldOid) ?? [];
		const target = places.find((to) => everyCase || formOf(to) === formOf(file));
		if (target === undefined) continue;
		moves.set(file, target);
		free.set(
			oldOid,
			places.filter((place) => place !== target),
		);
	}
	return moves;
}

function formOf(file: string): string {
	const name = path.posix.basename(file);
	const [, start = "", , end = ""] =
		/^(test_|)(.*?)((?:[._-](?:test|tests|spec|specs|e2e|cy))?(?:\.\w+)?|(?:Test|Tests|Spec|IT)\.\w+)$/.exec(
			name,
		) ?? [];
	return `${path.posix.dirname(file)}/${start}*${end}`;
}
