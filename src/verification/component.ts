import { posix } from "node:path";
import { isTestFile } from "../evidence/test-files.ts";
import { isManifest } from "../setups/setup-key.ts";

// A file in no list here is a declaration: an unknown file is not harmless.
const CODE =
	/\.(?:[cm]?[jt]sx?|vue|svelte|astro|html?|css|s[ac]ss|less|pyx?|pyi|go|rs|rb|erb|java|kts?|scala|groovy|cs|fsx?|vb|php|swift|mm?|exs?|eex|heex|erl|hrl|dart|clj[cs]?|cc?|cpp|cxx|hh?|hpp|hxx|hs|mli?|elm|lua|r|jl|pl|pm|zig|nim|cr|d|sol|f90|pas|ad[bs]|lisp|scm|rkt|sh|bash|zsh|ps1)$/i;

const PLAIN = /(?:^|\/)[a-z0-9][\w-]*$/;

/** Texts for people, pictures, results of tools, and what the tamper wall looks after: none of it breaks a component. */
const HARMLESS =
	/\.(?:mdx?|rst|adoc|txt|log|tap|snap|png|jpe?g|gif|svg|webp|avif|ico|bmp|woff2?|ttf|otf|eot|mp[34]|wav|ogg|webm|mov|pdf)$|(?:^|\/)(?:node_modules|vendor|dist|\.github|docs?)\/|(?:^|\/)(?:\.git\w+|\.editorconfig|\.mailmap|(?:LICEN[CS]E|AUTHORS|NOTICE|CODEOWNERS|CHANGELOG|README)[\w-]*)$/i;

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|testdata|__snapshots__)\//i;

const ROOT = /^(?:src|lib|app|sources?)$/i;

export type FilePart = "code" | "test" | "harmless" | "manifest" | "declaration";

/** @example `compose.yaml` and `proto/user.proto` are declarations, `Cargo.toml` is a manifest */
export function partOf(path: string): FilePart {
	if (isTestFile(path) || TEST_FOLDER.test(path)) return "test";
	if (isManifest(path)) return "manifest";
	if (HARMLESS.test(path)) return "harmless";
	return CODE.test(path) || PLAIN.test(path) ? "code" : "declaration";
}

/** Tells whether a file is product code: neither a test nor text. */
export function isProductCode(path: string): boolean {
	return CODE.test(path) && !isTestFile(path);
}

export function folderOf(path: string): string {
	return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

export interface ComponentMap {
	readonly all: ReadonlySet<string>;
	readonly of: (path: string) => string;
	readonly has: (path: string) => boolean;
}

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

// Each directory with a manifest is one, and in it each folder below the one that holds its sources. A folder that
// holds only folders, such as `packages`, is none: its entries are. With `src/index.ts`, `src/db/rows/a.ts` and
// `src/web/b.ts` they are the top, `src/db` and `src/web`.
export function componentMap(files: readonly string[]): ComponentMap {
	const code = files.filter((path) => partOf(path) === "code");
	const owners = new Set(files.filter(isManifest).map(folderOf));
	const holding = new Set(code.map(folderOf));
	const entries = foldersOfCode(code);
	const modules = new Set(code.map((path) => path.replace(/\.\w+$/, "")));
	const countIn = (folder: string): number => entries.get(folder)?.size ?? 0;

	const ownerOf = (folder: string): string =>
		folder === "" || owners.has(folder) ? folder : ownerOf(folderOf(folder));

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

/** Names that other components call a directory by, as `["@time", "src/clock"]` of the paths in `tsconfig.json`. */
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

export interface KnownComponents {
	readonly map: ComponentMap;
	readonly names: readonly DeclaredName[];
}

interface Reference {
	readonly text: string;
	readonly parts: readonly string[];
	readonly isImported: boolean;
	readonly isQuoted: boolean;
}

const IMPORT =
	/^\s*(?:[#%(:-]*\s*)?(?:import|from|use|using|uses|require\w*|include\w*|alias|open|load|source|extern|needs|library|export)\b|\b(?:require|import|include|load)\w*\s*\(|\bfrom\s+["']|^\s*[\w.]*\s*"[\w.-]+(?:\/[\w.-]+)+"\s*$/;

const KEYWORD =
	/^(?:import|from|use|using|uses|require\w*|include\w*|alias|open|load|source|extern|needs|library|export|as|static|pub|mod)$/;

const USE = /^\w+\.\w+/;

const HERE = /^(?:crate|self|super|app|src|root)$/;

const partsOf = (text: string): string[] =>
	text
		.toLowerCase()
		.replace(/[-_]/g, "")
		.split(/[^a-z0-9]+/)
		.filter((part) => part !== "");

function referencesIn(line: string): Reference[] {
	const isImported = IMPORT.test(line);
	const found = [...line.matchAll(/(["'`<]?)((?:\.{1,3}\/?)?[@~#$]?[\w@~./\\:-]+)(\(?)/g)].map(
		([, quote = "", raw = "", call = ""]) => {
			const text = raw.replace(/^(?:package|node|npm|file):/, "").replace(/[.:/-]+$/, "");
			const isJoined = /::|\\/.test(text) || (call !== "" && /^\w+:\w+$/.test(text));
			const whole = /^\.+$/.test(raw) ? raw : text;
			return {
				text: whole,
				parts: partsOf(whole),
				isImported: isImported || isJoined,
				isQuoted: quote !== "",
			};
		},
	);
	const quoted = found.filter(({ isQuoted }) => isQuoted);
	const words = found.filter(({ text }) => !KEYWORD.test(text));
	return isImported && quoted.length > 0 ? quoted : words;
}

function componentAt(map: ComponentMap, path: string): string | null {
	const folder = folderOf(path);
	return map.has(path) || (folder !== "" && map.has(folder)) ? map.of(path) : null;
}

function relative(path: string, text: string): string | null {
	const [, dots = "", rest = ""] = /^(\.+)(.*)$/.exec(text) ?? [];
	if (dots === "") return null;
	if (rest.startsWith("/") || text === "..") return posix.join(folderOf(path), text);
	if (!path.endsWith(".py")) return null;
	return posix.join(folderOf(path), "../".repeat(dots.length - 1), rest.replaceAll(".", "/"));
}

function declared(text: string, names: readonly DeclaredName[]): string | null {
	const same = (one: string): string => one.toLowerCase().replaceAll("_", "-");
	for (const [name, directory] of names) {
		const rest = text.slice(name.length);
		if (!same(text).startsWith(same(name)) || /^[\w-]/.test(rest)) continue;
		const below = rest.replace(/^\W+/, "");
		return posix.join(directory, below.includes("/") ? below : below.replace(/\W+/g, "/"));
	}
	return null;
}

const startsWith = (parts: readonly string[], sought: readonly string[], at = 0): boolean =>
	sought.length > 0 && sought.every((part, index) => parts[at + index] === part);

const namespaceIn = (text: string): string[] =>
	partsOf(/^\s*(?:package|namespace|module|defmodule)\s+([\w.\\:]+)/m.exec(text)?.[1] ?? "").slice(
		0,
		2,
	);

interface ComponentSpelling {
	readonly component: string;
	readonly name: readonly string[];
	readonly end: readonly string[];
}

function spellingOf(component: string): ComponentSpelling {
	const path = component.split("/");
	const end = path.length > 1 ? path.slice(-2).flatMap(partsOf) : [];
	return { component, name: partsOf(path.at(-1) ?? ""), end };
}

interface NamingFile {
	readonly path: string;
	readonly before: string;
	readonly after: string;
}

export class ComponentNames {
	readonly #file: NamingFile;
	readonly #known: KnownComponents;
	readonly #own: string;
	readonly #others: readonly ComponentSpelling[];
	readonly #namespace: readonly string[];

	constructor(file: NamingFile, known: KnownComponents) {
		this.#file = file;
		this.#known = known;
		this.#own = known.map.of(file.path);
		this.#others = [...known.map.all]
			.filter((each) => each !== this.#own && each !== "")
			.map(spellingOf);
		this.#namespace = namespaceIn(file.after);
	}

	in(line: string): string | null {
		for (const reference of referencesIn(line)) {
			const { text, isImported, isQuoted } = reference;
			const isTold = isImported || (isQuoted && text.includes("/"));
			if (!isTold && !USE.test(text)) continue;
			const found = this.#reached(reference);
			if (found === null || found === this.#own) continue;
			if (isTold || this.#isNewUse(text, found)) return found;
		}
		return null;
	}

	#reached(reference: Reference): string | null {
		const { map, names } = this.#known;
		const byPath = relative(this.#file.path, reference.text);
		const target = byPath ?? declared(reference.text, names);
		const at = target === null ? null : componentAt(map, target);
		const spelt = (): ComponentSpelling | undefined =>
			this.#others.find((each) => this.#spells(reference, each, target !== null));
		return at ?? spelt()?.component ?? null;
	}

	#spells({ text, parts }: Reference, { name, end }: ComponentSpelling, isOwn: boolean): boolean {
		if (parts.some((_part, at) => startsWith(parts, end, at))) return true;
		if (startsWith(parts, name)) return true;
		const isHere = isOwn || /^[@~#$]/.test(text) || HERE.test(parts[0] ?? "");
		if (isHere && startsWith(parts, name, 1)) return true;
		const isBelow = this.#namespace.length > 0 && startsWith(parts, this.#namespace);
		return isBelow && parts.some((_part, at) => startsWith(parts, name, at));
	}

	#isNewUse(text: string, component: string): boolean {
		const use = USE.exec(text)?.[0];
		if (use === undefined || this.#file.before.includes(use)) return false;
		const imports = this.#file.after.split("\n").filter((line) => IMPORT.test(line));
		return imports.some((line) =>
			referencesIn(line).some((each) => this.#reached(each) === component),
		);
	}
}
