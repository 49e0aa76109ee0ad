import { shown } from "./path-match.ts";
import { fewerDeclarations } from "./test-declarations.ts";
import { isTestFile } from "./test-files.ts";
import { weakenings } from "./test-markers.ts";
import type { Moves } from "./test-moves.ts";
import type { TreePair } from "./tree-pair.ts";

/**
 * Test files of the base that were deleted, replaced, or are weaker than they were.
 *
 * @param everyCase the checks name each test on both sides; without that the tests that a file
 * declares are counted
 */
export async function testChanges(
	pair: TreePair,
	moves: Moves,
	everyCase: boolean,
): Promise<string[]> {
	const violations: string[] = [];
	for (const { kind, path } of pair.changes) {
		if (!isTestFile(path) || kind === "added") continue;
		if (kind === "deleted") {
			if (!moves.has(path)) {
				violations.push(
					`${shown(path)}: this test file was deleted, or moved to where it may not run; restore it`,
				);
			}
			continue;
		}
		if (kind === "type-changed") {
			violations.push(`${shown(path)}: this test file was replaced by something else; restore it`);
			continue;
		}
		const base = (await pair.readBase(path)) ?? "";
		const head = (await pair.readHead(path)) ?? "";
		const weaker = weakenings(base, head, path);
		if (!everyCase) weaker.push(...fewerDeclarations(base, head, path));
		violations.push(
			...weaker.map(
				(how) => `${shown(path)}: this test file was weakened, ${how}; restore what was taken out`,
			),
		);
	}
	return violations;
}
