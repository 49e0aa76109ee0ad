import { shown, whole } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import { counted } from "../../kernel/counted.ts";
import { isLibraryModule } from "../reading/python-library.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { APART, final, type Violation, violationOf } from "../reading/violation.ts";
import type { Followed } from "./followed-files.ts";

const INSTALLED =
	/(?:^|\/)(?:node_modules|\.venv|venv|site-packages|__pypackages__|\.yarn\/(?:releases|plugins))\//;
const SAMPLE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

/** The folder of installed packages that has a file; null where it is in none, or in a sample. */
function folderOf(file: string): string | null {
	const found = INSTALLED.exec(`${file}/`);
	return found === null || SAMPLE.test(file)
		? null
		: file.slice(0, found.index + found[0].length - 1);
}

/** Files of installed packages that changed, a violation for each folder of them. */
export function installedChanges(changes: readonly FileChange[]): Violation[] {
	return [...Map.groupBy(changes, ({ path }) => folderOf(path))].flatMap(
		([folder, [first, ...more]]) => {
			if (folder === null || first === undefined) return [];
			const what =
				more.length === 0
					? whole(first, "a file of an installed package")
					: `${shown(folder)}: ${counted(more.length + 1, "file")} of installed packages changed; put them back, and have a .gitignore name the folder`;
			return [final(first.path, `${what}. No allowance lets it pass; a person may do it ${APART}`)];
		},
	);
}

/** Files that a command would run or load instead of the ones that it names. */
export async function hijackChanges(
	pair: TreePair,
	owner: string,
	{ python, folders }: Followed,
): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const change of pair.changes) {
		if (folders.some((folder) => folder === "." || change.path.startsWith(`${folder}/`))) {
			found.push(violationOf(change, `a file on the PATH of ${owner}`));
		}
		if (python.size === 0 || change.kind === "deleted") continue;
		const [first = ""] = change.path.replace(/\.pyc?$/, "").split("/");
		const isModule = change.path.includes("/") || /\.pyc?$/.test(change.path);
		const named = [...python].some((name) => name.split(".")[0] === first);
		if (!isModule || !(named || isLibraryModule(change.path)) || (await isOwn(pair, first, python)))
			continue;
		const text = `${shown(change.path)}: Python finds this module before the one that ${owner} runs; rename it`;
		found.push(final(change.path, text));
	}
	return found;
}

async function isOwn(pair: TreePair, name: string, named: ReadonlySet<string>): Promise<boolean> {
	const modules = [...named].filter((module) => module.startsWith(`${name}.`));
	const places = [name, ...modules.map((module) => module.replaceAll(".", "/"))].flatMap(
		(place) => [`${place}.py`, `${place}/__init__.py`, `${place}/__main__.py`],
	);
	for (const place of places) if ((await pair.readBase(place)) !== null) return true;
	return false;
}
