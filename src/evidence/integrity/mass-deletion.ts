import { shown } from "./path-match.ts";
import type { TreePair } from "./tree-pair.ts";

/** Names that a note shows; it counts the rest. */
const NAMES_SHOWN = 20;

/**
 * A note when most of the files that the task began with are gone, so that no empty tree passes unseen.
 *
 * A file whose content stands unchanged at another path has moved, and does not count. More than half of all files is
 * "most": `3 of 5` is, `2 of 4` is not.
 *
 * @returns at most one sentence, with the names of the first 20 files
 */
export async function massDeletion({ changes, countBase }: TreePair): Promise<readonly string[]> {
	const added = new Set(changes.flatMap(({ kind, newOid }) => (kind === "added" ? [newOid] : [])));
	const gone = changes.filter(({ kind, oldOid }) => kind === "deleted" && !added.has(oldOid));
	if (gone.length === 0) return [];
	const all = await countBase();
	if (gone.length * 2 <= all) return [];
	const names = gone.slice(0, NAMES_SHOWN).map(({ path }) => shown(path));
	const rest = gone.length > names.length ? ` and ${gone.length - names.length} more` : "";
	return [
		`most of the project is deleted, ${gone.length} of ${all} files: ${names.join(", ")}${rest}`,
	];
}
