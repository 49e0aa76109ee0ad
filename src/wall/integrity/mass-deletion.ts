import { shown } from "../../evidence/path-match.ts";
import type { TreePair } from "../reading/tree-pair.ts";

const NAMES_SHOWN = 20;

/**
 * A note when more than half of the files at the start of the task are deleted, so that an empty tree is noticed. Files
 * that moved unchanged do not count.
 *
 * @returns at most one sentence, with the names of the first 20 files
 */
export async function massDeletion(pair: TreePair): Promise<readonly string[]> {
	const { changes } = pair;
	const added = new Set(changes.flatMap(({ kind, newOid }) => (kind === "added" ? [newOid] : [])));
	const gone = changes.filter(({ kind, oldOid }) => kind === "deleted" && !added.has(oldOid));
	if (gone.length === 0) return [];
	const all = await pair.countBase();
	if (gone.length * 2 <= all) return [];
	const names = gone.slice(0, NAMES_SHOWN).map(({ path }) => shown(path));
	const rest = gone.length > names.length ? ` and ${gone.length - names.length} more` : "";
	return [
		`most of the project was deleted: ${gone.length} of ${all} files: ${names.join(", ")}${rest}`,
	];
}
