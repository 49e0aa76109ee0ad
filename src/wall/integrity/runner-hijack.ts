import { shown } from "../../evidence/path-match.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { final, type Violation, violationOf } from "../reading/violation.ts";
import type { Followed } from "./followed-files.ts";

/** Modules that Python and pytest load early. No project has its own. */
const EARLY =
	/^(?:_pytest|pytest|pluggy|iniconfig|sitecustomize|usercustomize|unittest|abc|argparse|ast|bdb|builtins|codecs|collections|configparser|contextlib|copy|dataclasses|datetime|difflib|doctest|enum|fnmatch|functools|glob|importlib|inspect|io|itertools|json|linecache|logging|math|operator|os|pathlib|pdb|pickle|platform|pprint|random|re|shutil|signal|site|socket|string|struct|subprocess|sys|sysconfig|tempfile|textwrap|threading|time|tokenize|traceback|types|typing|uuid|warnings|weakref|xml|zipfile)$/;

const STANDARD =
	/^(?:array|asyncio|base64|bisect|calendar|cmath|concurrent|csv|decimal|email|errno|fractions|gc|getopt|getpass|gettext|gzip|hashlib|heapq|hmac|html|http|ipaddress|locale|marshal|mimetypes|multiprocessing|numbers|optparse|pkgutil|queue|runpy|sched|secrets|select|selectors|shelve|shlex|sqlite3|ssl|stat|statistics|tomllib|unicodedata|urllib|zlib|zoneinfo)(?:\/__init__)?\.pyc?$/;

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
		if (
			!isModule ||
			!(named || EARLY.test(first) || STANDARD.test(change.path)) ||
			(await isOwn(pair, first, python))
		)
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
