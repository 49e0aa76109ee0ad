import { shown } from "./path-match.ts";
import { isTestFile } from "./test-files.ts";
import { weakenings } from "./test-markers.ts";
import type { TreePair } from "./tree-pair.ts";

/** Test files of the base by the path that they moved to, content unchanged. */
export type Moves = ReadonlyMap<string, string>;

/** Deleted test files whose content stands, unchanged, under another test path. */
export function movedTests({ changes }: TreePair): Moves {
	const free = new Map<string, string[]>();
	for (const { kind, path, newOid } of changes) {
		if (kind !== "added" || !isTestFile(path)) continue;
		free.set(newOid, [...(free.get(newOid) ?? []), path]);
	}
	const moves = new Map<string, string>();
	for (const { kind, path, oldOid } of changes) {
		const target = kind === "deleted" && isTestFile(path) ? free.get(oldOid)?.shift() : undefined;
		if (target !== undefined) moves.set(path, target);
	}
	return moves;
}

/** Test files of the base that were deleted, replaced, or are weaker than they were. */
export async function testChanges(pair: TreePair, moves: Moves): Promise<string[]> {
	const violations: string[] = [];
	for (const { kind, path } of pair.changes) {
		if (!isTestFile(path) || kind === "added") continue;
		if (kind === "deleted") {
			if (!moves.has(path))
				violations.push(`${shown(path)}: this test file was deleted; restore it`);
			continue;
		}
		if (kind === "type-changed") {
			violations.push(`${shown(path)}: this test file was replaced by something else; restore it`);
			continue;
		}
		const weaker = weakenings((await pair.readBase(path)) ?? "", (await pair.readHead(path)) ?? "");
		violations.push(
			...weaker.map(
				(how) => `${shown(path)}: this test file was weakened, ${how}; restore what was taken out`,
			),
		);
	}
	return violations;
}
