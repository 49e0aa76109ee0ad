import type { CommitView } from "../../formats/commit-view.ts";
import { importedBy } from "../../wall/reading/imported.ts";

export interface TestedProduct {
	readonly base: CommitView;
	readonly head: CommitView;
	readonly isTest: (path: string) => boolean;
	/** Files of the base's tests. */
	readonly before: readonly string[];
	/** Files of the tests of the work. */
	readonly now: readonly string[];
}

/**
 * Files of the product that tests imported, and that are still there and lead to nothing that is tested now: what tests
 * notice of a copy says nothing of them.
 */
export async function abandonedBy({
	base,
	head,
	isTest,
	before,
	now,
}: TestedProduct): Promise<readonly string[]> {
	const present = new Set(await head.files());
	const had = [...(await importsOf(before, base))].filter((path) => present.has(path));
	const direct = await importsOf(now, head);
	const candidates = had.filter((path) => !(direct.has(path) || isTest(path)));
	if (candidates.length === 0) return [];
	const reached = await reachedFrom(now, head);
	const found: string[] = [];
	for (const path of candidates) {
		if (reached.has(path)) continue;
		const below = await reachedFrom([path], head);
		const isBlank = (await head.texts([path])).get(path)?.trim() === "";
		if (!isBlank && ![...below].some((file) => direct.has(file))) found.push(path);
	}
	return found;
}

async function importsOf(paths: readonly string[], view: CommitView): Promise<ReadonlySet<string>> {
	const [files, texts] = [new Set(await view.files()), await view.texts(paths)];
	return new Set(paths.flatMap((path) => importedBy(path, { files, texts })));
}

const DEEPEST = 20;

async function reachedFrom(
	paths: readonly string[],
	view: CommitView,
): Promise<ReadonlySet<string>> {
	const seen = new Set<string>();
	let layer: readonly string[] = paths;
	for (let depth = 0; layer.length > 0 && depth < DEEPEST; depth += 1) {
		layer = [...(await importsOf(layer, view))].filter((path) => !seen.has(path));
		for (const path of layer) seen.add(path);
	}
	return seen;
}
