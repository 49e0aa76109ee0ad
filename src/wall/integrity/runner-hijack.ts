import { shown } from "../../evidence/path-match.ts";
import { isLibraryModule } from "../reading/python-library.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { final, type Violation, violationOf } from "../reading/violation.ts";
import type { Followed } from "./followed-files.ts";

const INSTALLED =
	/(?:^|\/)(?:node_modules|\.venv|venv|site-packages|__pypackages__|\.yarn\/(?:releases|plugins))\//;
const SAMPLE = /(?:^|\/)(?:__fixtures__|fixtures?|testdata)\//;

export function isInstalled(file: string): boolean {
	return INSTALLED.test(`${file}/`) && !SAMPLE.test(file);
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
