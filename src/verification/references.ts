import { posix } from "node:path";
import { type ComponentMap, type DeclaredName, folderOf } from "./component.ts";

/** Components, and the names by which a line can refer to them. */
export interface KnownComponents {
	readonly map: ComponentMap;
	readonly names: readonly DeclaredName[];
}

interface Reference {
	readonly text: string;
	/** Its parts, without what sets words apart: `graph-gateway/Ask` is `graphgateway`, `ask`. */
	readonly parts: readonly string[];
	readonly isImported: boolean;
	readonly isQuoted: boolean;
}

/** Words with which a line brings something in, in any language. */
const IMPORT =
	/^\s*(?:[#%(:-]*\s*)?(?:import|from|use|using|uses|require\w*|include\w*|alias|open|load|source|extern|needs|library|export)\b|\b(?:require|import|include|load)\w*\s*\(|\bfrom\s+["']|^\s*[\w.]*\s*"[\w.-]+(?:\/[\w.-]+)+"\s*$/;

const KEYWORD =
	/^(?:import|from|use|using|uses|require\w*|include\w*|alias|open|load|source|extern|needs|library|export|as|static|pub|mod)$/;

/** A use of an imported name: `name.member`. */
const USE = /^\w+\.\w+/;

/** Beginnings that stand for the repository or a package of it. */
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

/** Target of a path of the repository, if there is something. */
function componentAt(map: ComponentMap, path: string): string | null {
	const folder = folderOf(path);
	return map.has(path) || (folder !== "" && map.has(folder)) ? map.of(path) : null;
}

/** A path from a file, with slashes or, in Python, with dots. */
function relative(path: string, text: string): string | null {
	const [, dots = "", rest = ""] = /^(\.+)(.*)$/.exec(text) ?? [];
	if (dots === "") return null;
	if (rest.startsWith("/") || text === "..") return posix.join(folderOf(path), text);
	if (!path.endsWith(".py")) return null;
	return posix.join(folderOf(path), "../".repeat(dots.length - 1), rest.replaceAll(".", "/"));
}

/** Target of a name that a manifest gives, with the path that follows it. */
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

/** The first two parts of the namespace that a file declares for itself. */
const namespaceIn = (text: string): string[] =>
	partsOf(/^\s*(?:package|namespace|module|defmodule)\s+([\w.\\:]+)/m.exec(text)?.[1] ?? "").slice(
		0,
		2,
	);

/** A component by the parts of its name, and of the last two names of its path. */
interface Spelling {
	readonly component: string;
	readonly name: readonly string[];
	readonly end: readonly string[];
}

function spellingOf(component: string): Spelling {
	const path = component.split("/");
	const end = path.length > 1 ? path.slice(-2).flatMap(partsOf) : [];
	return { component, name: partsOf(path.at(-1) ?? ""), end };
}

/** A file that is looked at for what it names. */
export interface NamingFile {
	readonly path: string;
	/** Text before the change: what it called already is no new call. */
	readonly before: string;
	readonly after: string;
}

/** Tells the other components that lines of a file name, in any language. */
export class ComponentNames {
	readonly #file: NamingFile;
	readonly #known: KnownComponents;
	readonly #own: string;
	readonly #others: readonly Spelling[];
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

	/**
	 * The component that a line names; null for none. A line that imports names one by path, by the name in its manifest or
	 * by its own; another line by a path (`billing::pay`), or as what the file imported.
	 */
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

	/** Target of a reference, its own component included. */
	#reached(reference: Reference): string | null {
		const { map, names } = this.#known;
		const byPath = relative(this.#file.path, reference.text);
		const target = byPath ?? declared(reference.text, names);
		const at = target === null ? null : componentAt(map, target);
		const spelt = (): Spelling | undefined =>
			this.#others.find((each) => this.#spells(reference, each, target !== null));
		return at ?? spelt()?.component ?? null;
	}

	/** Tells whether a reference spells a component: the end of its path, or its name behind what stands for the repository. */
	#spells({ text, parts }: Reference, { name, end }: Spelling, isOwn: boolean): boolean {
		if (parts.some((_part, at) => startsWith(parts, end, at))) return true;
		if (startsWith(parts, name)) return true;
		const isHere = isOwn || /^[@~#$]/.test(text) || HERE.test(parts[0] ?? "");
		if (isHere && startsWith(parts, name, 1)) return true;
		const isBelow = this.#namespace.length > 0 && startsWith(parts, this.#namespace);
		return isBelow && parts.some((_part, at) => startsWith(parts, name, at));
	}

	/** `gateway.Ask`, where the file imports the gateway and did not ask so far. */
	#isNewUse(text: string, component: string): boolean {
		const use = USE.exec(text)?.[0];
		if (use === undefined || this.#file.before.includes(use)) return false;
		const imports = this.#file.after.split("\n").filter((line) => IMPORT.test(line));
		return imports.some((line) =>
			referencesIn(line).some((each) => this.#reached(each) === component),
		);
	}
}
