import { isTestFile } from "../evidence/integrity/test-files.ts";

/** Source files: what a component is made of. */
const CODE =
	/\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|rb|java|kts?|scala|groovy|cs|fs|php|swift|exs?|dart|cljc?|cc?|cpp|hh?|hpp|hs|lua)$/i;

/** Folders in which every entry is a package of its own. */
const COLLECTIONS = new Set(
	"packages apps services libs modules plugins components processor processors cmd internal pkg crates".split(
		" ",
	),
);

/** Folders that hold the sources of one package. */
const ROOTS = new Set(["src", "lib", "app", "source"]);

/** Whether a file is product code: neither a test nor text. */
export function isProductCode(path: string): boolean {
	return CODE.test(path) && !isTestFile(path);
}

/** The directory of a path; `""` at the top. */
export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/**
 * The component that a source file belongs to, as a path: in Go its directory, elsewhere the nearest directory with a
 * manifest, and in it the first folder below `src`, or an entry of a folder such as `packages`. What stands directly in
 * `src` belongs to no folder of it.
 *
 * @param manifests directories that hold a manifest, such as `packages/api`; `""` is the top
 * @example `processor/planner/run.ts` is `processor/planner`; `src/limiter.js` is the top, `""`; `src/db/store.ts` is `src/db`
 */
export function componentOf(path: string, manifests: ReadonlySet<string> = new Set()): string {
	const folder = folderOf(path);
	if (path.endsWith(".go")) return folder;
	const parts = folder.split("/");
	const owner = parts
		.map((_part, index) => parts.slice(0, parts.length - index).join("/"))
		.find((directory) => directory !== "" && manifests.has(directory));
	const base = owner === undefined ? 0 : owner.split("/").length;
	const inner = parts.slice(base);
	const at = inner.findIndex((part) => COLLECTIONS.has(part) || ROOTS.has(part));
	const isRoot = at === inner.length - 1 && ROOTS.has(inner[at] ?? "");
	const depth = isRoot ? at : at === -1 ? Math.min(inner.length, 1) : at + 2;
	return parts.slice(0, base + depth).join("/");
}
