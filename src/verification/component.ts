import { posix } from "node:path";
import { isTestFile } from "../evidence/integrity/test-files.ts";
import { isManifest } from "../evidence/setup-key.ts";

/** Programs, and what pages are made of. What is in no list here is a declaration: an unknown file is not harmless. */
const CODE =
	/\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|css|s[ac]ss|less|pyx?|pyi|go|rs|rb|erb|java|kts?|scala|groovy|cs|fsx?|vb|php|swift|mm?|exs?|eex|heex|erl|hrl|dart|clj[cs]?|cc?|cpp|cxx|hh?|hpp|hxx|hs|mli?|elm|lua|r|jl|pl|pm|zig|nim|cr|d|sol|f90|pas|ad[bs]|lisp|scm|rkt|sh|bash|zsh|ps1)$/i;

/** A name without an ending, as scripts have it; `Dockerfile` and its like begin with a capital. */
const PLAIN = /(?:^|\/)[a-z0-9][\w-]*$/;

/** Texts for people, pictures, results of tools, and what the tamper wall looks after: none of it breaks a component. */
const HARMLESS =
	/\.(?:mdx?|rst|adoc|txt|log|tap|snap|png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|mov|pdf)$|(?:^|\/)(?:node_modules|vendor|dist|\.github|docs?)\/|(?:^|\/)(?:\.git\w+|\.editorconfig|\.mailmap|(?:LICEN[CS]E|AUTHORS|NOTICE|CODEOWNERS|CHANGELOG|README)[\w-]*)$/i;

/** Folders with what tests need besides their code. */
const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|__snapshots__)\//i;

/** Folders that hold the sources of one package, by the conventions of package managers. */
const ROOT = /^(?:src|lib|app|sources?)$/i;

/** Part that a file has in a repository, by its path; `declaration`: configuration, schema, deployment, or unknown. */
export type FilePart = "code" | "test" | "harmless" | "manifest" | "declaration";

/** @example `compose.yaml` and `proto/user.proto` are declarations, `Cargo.toml` is a manifest */
export function partOf(path: string): FilePart {
	if (isTestFile(path) || TEST_FOLDER.test(path)) return "test";
	if (isManifest(path)) return "manifest";
	if (HARMLESS.test(path)) return "harmless";
	return CODE.test(path) || PLAIN.test(path) ? "code" : "declaration";
}

/** Whether a file is product code: neither a test nor text. */
export function isProductCode(path: string): boolean {
	return CODE.test(path) && !isTestFile(path);
}

/** The directory of a path; `""` at the top. */
export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The components of a repository. */
export interface ComponentMap {
	/** Paths of all that hold code; `""` is the top. */
	readonly all: ReadonlySet<string>;
	/** Component of a file or a folder, as a path. */
	readonly of: (path: string) => string;
	/** Tells whether a folder holds code, at any depth, or a path without its ending is a file of code. */
	readonly has: (path: string) => boolean;
}

/** Folders that hold code, with the folders of code in each. */
function foldersOfCode(code: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
	const entries = new Map<string, Set<string>>();
	for (const path of code)
		for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
			const above = folderOf(folder);
			entries.set(above, (entries.get(above) ?? new Set()).add(folder));
			if (!entries.has(folder)) entries.set(folder, new Set());
		}
	return entries;
}

/**
 * Components by the files of a repository, in any language: each directory with a manifest, and in it each folder below
 * the one that holds its sources. A folder that holds only folders, such as `packages`, is none: its entries are.
 *
 * @example with `src/index.ts`, `src/db/rows/a.ts` and `src/web/b.ts` they are the top, `src/db` and `src/web`
 */
export function componentMap(files: readonly string[]): ComponentMap {
	const code = files.filter((path) => partOf(path) === "code");
	const owners = new Set(files.filter(isManifest).map(folderOf));
	const holding = new Set(code.map(folderOf));
	const entries = foldersOfCode(code);
	const modules = new Set(code.map((path) => path.replace(/\.\w+$/, "")));
	const countIn = (folder: string): number => entries.get(folder)?.size ?? 0;

	const ownerOf = (folder: string): string =>
		folder === "" || owners.has(folder) ? folder : ownerOf(folderOf(folder));

	/** The folder below its owner in which components lie, for a path that leads there. */
	const baseOf = (owner: string, rest: string[]): string => {
		let at = owner;
		while (rest[0] !== undefined) {
			const isAlone = countIn(at) === 1 && (at === owner || !holding.has(at));
			// `src/app` is a folder of the sources, not another root.
			const isRoot = ROOT.test(rest[0]) && !ROOT.test(posix.basename(at));
			if (!isAlone && !isRoot) break;
			at = posix.join(at, rest.shift() ?? "");
		}
		return at;
	};

	const of = (path: string): string => {
		const folder = entries.has(path) ? path : folderOf(path);
		const owner = ownerOf(folder);
		const rest = posix
			.relative(owner, folder)
			.split("/")
			.filter((part) => part !== "");
		const base = baseOf(owner, rest);
		let at = base;
		// A top folder of several folders is a package of packages, as in Python.
		const isContainer = (): boolean =>
			!holding.has(at) || (base === owner && folderOf(at) === base && countIn(at) > 1);
		while (rest[0] !== undefined && (at === base || (isContainer() && !ROOT.test(rest[0]))))
			at = posix.join(at, rest.shift() ?? "");
		return at === base ? owner : at;
	};
	const has = (path: string): boolean =>
		entries.has(path) || modules.has(path) || modules.has(path.replace(/\.\w+$/, ""));
	return { all: new Set(code.map(of)), of, has };
}

/** A name that a manifest or a compiler's configuration gives to a directory. */
export type DeclaredName = readonly [name: string, directory: string];

/** Files in which a directory gets a name. */
export function declaresNames(path: string): boolean {
	return (
		/(?:^|\/)[jt]sconfig[^/]*\.json$/.test(path) || (isManifest(path) && !/lock|\.sum$/.test(path))
	);
}

/**
 * Names that other components call a directory by.
 *
 * @example `paths: { "@time/*": ["./src/clock/*"] }` of `tsconfig.json` gives `["@time", "src/clock"]`
 */
export function declaredNames(path: string, text: string): DeclaredName[] {
	const folder = folderOf(path);
	if (!declaresNames(path)) return [];
	if (/[jt]sconfig/.test(path)) {
		const base = /"baseUrl"\s*:\s*"([^"]+)"/.exec(text)?.[1] ?? ".";
		return [...text.matchAll(/"([^"*]+?)\/?\*?"\s*:\s*\[\s*"([^"*]*?)\/?\*?"/g)].map(
			([, name = "", target = ""]) =>
				[name, posix.join(folder, base, target).replace(/^\.$|\/$/, "")] as const,
		);
	}
	const name =
		/^\s*"?name"?\s*[:=]\s*"?([^"\s,]+)"?|"name"\s*:\s*"([^"]+)"|^module\s+(\S+)|<artifactId>([^<]+)/m
			.exec(text)
			?.slice(1)
			.find(Boolean);
	return name === undefined ? [] : [[name, folder]];
}
