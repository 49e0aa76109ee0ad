import { isTestFile } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import { extentOf, helpersOf } from "../test-shape/compare-shapes.ts";
import { shapeOf } from "../test-shape/shape-of.ts";
import type { TestShape } from "../test-shape/test-shape.ts";
import { type ShapePair, type TestTallies, testTallies } from "./test-markers.ts";
import type { TreePair } from "./tree-pair.ts";

/** A changed test file with its texts; an added one has an empty base, a deleted one an empty head. */
export interface ChangedTest {
	readonly change: FileChange;
	readonly base: string;
	readonly head: string;
	readonly tallies: TestTallies;
	/** What both texts assert by their syntax trees; null where one of them has none. */
	readonly shapes: ShapePair | null;
}

/** The changed test files, and what those of the base asserted. */
export async function changedTests(pair: TreePair): Promise<{
	readonly tests: readonly ChangedTest[];
	readonly baseShapes: readonly TestShape[];
}> {
	const texts: { readonly change: FileChange; readonly base: string; readonly head: string }[] = [];
	for (const change of pair.changes) {
		const { kind, path } = change;
		if (!isTestFile(path)) continue;
		const base = kind === "added" ? "" : ((await pair.readBase(path)) ?? "");
		const head = kind === "deleted" ? "" : ((await pair.readHead(path)) ?? "");
		texts.push({ change, base, head });
	}
	const shapesOf = async (side: "base" | "head"): Promise<(TestShape | null)[]> => {
		const files = texts.map((one) => ({ path: one.change.path, text: one[side] }));
		const trees = await pair.trees(files);
		return files.map((file, at) => shapeOf(file, trees[at] ?? null));
	};
	const [before, after] = [await shapesOf("base"), await shapesOf("head")];
	const baseShapes = before.filter((shape) => shape !== null);
	const helpers = [
		helpersOf(baseShapes),
		helpersOf(after.filter((shape) => shape !== null)),
	] as const;
	const known = new Set(baseShapes.flatMap(({ tests }) => tests.map(({ name }) => name)));
	const tests = texts.map((one, at): ChangedTest => {
		const [base, head] = [before[at], after[at]];
		const shapes =
			base == null || head == null
				? null
				: {
						base,
						head,
						had: extentOf(base, helpers[0]),
						has: extentOf(head, helpers[1]),
						isKnown: (name: string) => known.has(name),
					};
		return { ...one, shapes, tallies: testTallies(one.base, one.head, one.change.path, shapes) };
	});
	return { tests, baseShapes };
}
