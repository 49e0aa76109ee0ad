import path from "node:path";
import { parse } from "yaml";
import { SAMPLES, shown } from "../../evidence/path-match.ts";
import { isFields } from "../../formats/reports/json-report.ts";
import type { FileChange } from "../../git/file-change.ts";
import { addedLines } from "../reading/added-lines.ts";
import type { TreePair } from "../reading/tree-pair.ts";
import { edited, type Violation } from "../reading/violation.ts";

/**
 * Packages of a lock file: `name@version`, with where each comes from and what it must hash to. What the file does not say is
 * empty.
 *
 * @example `left-pad@1.3.0` with `["https://registry.example/left-pad/-/left-pad-1.3.0.tgz", "sha512-..."]`
 */
type LockedPackages = ReadonlyMap<string, readonly string[]>;

interface LockFormat {
	readonly name: RegExp;
	/** Files in which a project names what it depends on; a lock follows them. */
	readonly manifests: RegExp;
	readonly read: (text: string) => LockedPackages;
}

const NODE = /(?:^|\/)(?:package\.json|pnpm-workspace\.yaml|\.yarnrc(?:\.yml)?|deno\.jsonc?)$/;
const PYTHON =
	/(?:^|\/)(?:pyproject\.toml|Pipfile|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in))$/;

const IDENTITY =
	/\b(?:resolved|resolution|integrity|checksum|cksum|hash|sha\d+|source|url|git|path|file|revision|rev|remote|tarball|dist|reference)\b/i;

const FORMATS: readonly LockFormat[] = [
	{ name: /^(?:package-lock|npm-shrinkwrap)\.json$/, manifests: NODE, read: npmPackages },
	{ name: /^yarn\.lock$/, manifests: NODE, read: yarnPackages },
	{ name: /^pnpm-lock\.yaml$/, manifests: NODE, read: pnpmPackages },
	{ name: /^(?:bun\.lockb?|deno\.lock)$/, manifests: NODE, read: wholeText },
	{ name: /^(?:poetry|uv|pdm)\.lock$/, manifests: PYTHON, read: tomlPackages },
	{ name: /^Pipfile\.lock$/, manifests: PYTHON, read: wholeText },
	{ name: /^Cargo\.lock$/, manifests: /(?:^|\/)Cargo\.toml$/, read: tomlPackages },
	{ name: /^go\.sum$/, manifests: /(?:^|\/)go\.(?:mod|work)$/, read: goPackages },
	{ name: /^Gemfile\.lock$/, manifests: /(?:^|\/)Gemfile$|\.gemspec$/, read: wholeText },
	{ name: /^composer\.lock$/, manifests: /(?:^|\/)composer\.json$/, read: wholeText },
	{ name: /^mix\.lock$/, manifests: /(?:^|\/)mix\.exs$/, read: wholeText },
	{
		name: /^packages\.lock\.json$/,
		manifests: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
		read: wholeText,
	},
	{ name: /^Package\.resolved$/, manifests: /(?:^|\/)Package\.swift$/, read: wholeText },
];

/** The format of a lock file by its base name; undefined for other files. */
function lockFormat(name: string): LockFormat | undefined {
	return FORMATS.find((format) => format.name.test(name));
}

/** A format of which no entry is known on its own: each difference is one. */
function wholeText(text: string): LockedPackages {
	return new Map([["", [text.replaceAll(/\s+/g, " ")]]]);
}

function npmPackages(text: string): LockedPackages {
	const packages = jsonOf(text)["packages"];
	return new Map(
		Object.entries(isFields(packages) ? packages : {}).flatMap(([path, entry]) => {
			if (path === "" || !isFields(entry)) return [];
			const { version, resolved, integrity, link } = entry;
			const place = link === true ? `link:${String(resolved)}` : resolved;
			return [[`${path}@${String(version)}`, contentOf([place, integrity])] as const];
		}),
	);
}

function jsonOf(text: string): Readonly<Record<string, unknown>> {
	try {
		const value: unknown = JSON.parse(text);
		return isFields(value) ? value : {};
	} catch {
		return {};
	}
}

/** Both formats of yarn: blocks, whose first line names the package and whose lines are indented. */
function yarnPackages(text: string): LockedPackages {
	const blocks = text.split(/\n\s*\n/).map((block) => block.replaceAll(/^#.*\n?/gm, ""));
	return packagesOf(blocks, (block) => {
		const name = /^"?(@?[^@\s"]+)@/.exec(block)?.[1];
		const version = /^\s+version:?\s+"?([^"\s]+)/m.exec(block)?.[1];
		return name === undefined || version === undefined ? null : `${name}@${version}`;
	});
}

function pnpmPackages(text: string): LockedPackages {
	let value: unknown;
	try {
		value = parse(text, { maxAliasCount: 100 });
	} catch {
		return wholeText(text);
	}
	const packages = isFields(value) ? value["packages"] : null;
	return new Map(
		Object.entries(isFields(packages) ? packages : {}).map(([name, entry]) => [
			name.replace(/^\//, ""),
			contentOf(isFields(entry) ? [entry["resolution"]] : []),
		]),
	);
}

function tomlPackages(text: string): LockedPackages {
	return packagesOf(text.split(/^\[\[package\]\]$/m).slice(1), (block) => {
		const [name, version] = ["name", "version"].map(
			(key) => new RegExp(`^${key}\\s*=\\s*"([^"]*)"`, "m").exec(block)?.[1],
		);
		return name === undefined ? null : `${name}@${version ?? ""}`;
	});
}

function goPackages(text: string): LockedPackages {
	return new Map(
		text.split("\n").flatMap((line) => {
			const [module, version, hash] = line.trim().split(/\s+/);
			return hash === undefined ? [] : [[`${module ?? ""}@${version ?? ""}`, [hash]] as const];
		}),
	);
}

function packagesOf(
	blocks: readonly string[],
	nameOf: (block: string) => string | null,
): LockedPackages {
	return new Map(
		blocks.flatMap((block) => {
			const name = nameOf(block);
			const lines = block.split("\n").filter((line) => IDENTITY.test(line));
			return name === null ? [] : [[name, [lines.map((line) => line.trim()).join("\n")]] as const];
		}),
	);
}

const contentOf = (parts: readonly unknown[]): string[] =>
	parts.map((part) => (part == null ? "" : typeof part === "string" ? part : JSON.stringify(part)));

const NAMES_SHOWN = 3;

/**
 * Lock files that name something else for a version that they had, or for which no manifest changed; and code that an
 * installation or a build runs, and that does more than before.
 */
export async function lockChanges(pair: TreePair): Promise<Violation[]> {
	const found: Violation[] = [];
	for (const change of pair.changes) {
		const { path: file, kind } = change;
		if (kind === "deleted" || SAMPLES.test(file)) continue;
		const format = lockFormat(path.posix.basename(file));
		if (format === undefined) {
			found.push(...(await installerChange(pair, file)));
			continue;
		}
		const base = await pair.readBase(file);
		const head = await pair.readHead(file);
		if (base === null || head === null) continue;
		const [before, after] = [format.read(base), format.read(head)];
		const follows = pair.changes.some((other) => format.manifests.test(other.path));
		found.push(...replacedPackages(change, { before, after, follows }));
	}
	return found;
}

interface Locks {
	readonly before: LockedPackages;
	readonly after: LockedPackages;
	readonly follows: boolean;
}

function replacedPackages({ path: file }: FileChange, locks: Locks): Violation[] {
	const { before, after, follows } = locks;
	const swapped = [...after.keys()].filter((name) => name !== "" && isSwapped(name, locks));
	if (swapped.length > 0)
		return [edited(file, `the locked package ${named(swapped)} was replaced; restore its entry`)];
	const fresh = [...after.keys()].filter((name) => !before.has(name));
	const moved = fresh.filter((name) => comesFromElsewhere(name, locks));
	if (moved.length > 0) {
		const what = `the locked package ${named(moved)} comes from another place; restore its entry`;
		return [edited(file, what)];
	}
	const gone = [...before.keys()].filter((name) => !after.has(name));
	const isOther = fresh.length + gone.length > 0 || isSwapped("", locks);
	if (follows || !isOther) return [];
	const which = named([...fresh, ...gone]);
	const what = `it was changed${which === "" ? "" : ` (${which})`}, and no manifest was; restore it`;
	return [edited(file, what)];
}

function isSwapped(name: string, { before, after }: Locks): boolean {
	const was = before.get(name);
	const now = after.get(name) ?? [];
	return was !== undefined && now.some((part, at) => isOther(was[at] ?? "", part));
}

const isOther = (was: string, now: string): boolean => was !== "" && now !== "" && was !== now;

/**
 * Sources of packages in a text: addresses up to the package's file, and kinds of places that are no registry.
 *
 * @example `"https://registry.example/a/-/a-1.0.0.tgz"` gives `["https://registry.example/a"]`
 */
const placesIn = (text: string): string[] =>
	[
		...(text.match(/\b[a-z+]+:\/\/[^"'\s]+/gi) ?? []).map((address) =>
			address.includes("/-/")
				? address.slice(0, address.indexOf("/-/"))
				: address.replace(/^([a-z+]+:\/\/[^/]+).*$/is, "$1"),
		),
		...(text.match(/\b(?:file|link|portal|patch):/gi) ?? []),
	].map((place) => place.toLowerCase());

function comesFromElsewhere(name: string, { before, after }: Locks): boolean {
	const own = bare(name);
	const known = [...before].filter(([other]) => bare(other) === own);
	const places = new Set(known.flatMap(([, parts]) => placesIn(parts.join(" "))));
	const now = placesIn((after.get(name) ?? []).join(" "));
	return known.length > 0 && now.some((place) => !places.has(place));
}

/** A package's name without its version: `a@1.0.0` gives `a`. */
const bare = (name: string): string => name.replace(/(?<=.)@[^@]*$/, "");

function named(names: readonly string[]): string {
	const some = names.slice(0, NAMES_SHOWN).map(shown).join(", ");
	return names.length > NAMES_SHOWN ? `${some} and ${names.length - NAMES_SHOWN} more` : some;
}

/** Programs that an installation or a build runs by their names, with lines that only describe a package. */
const INSTALLERS: readonly (readonly [name: RegExp, plain: RegExp])[] = [
	[
		/^setup\.py$/,
		/^(?:from (?:setuptools|distutils\.core) import (?:setup|find_packages|find_namespace_packages)(?:, *(?:setup|find_packages))*|import setuptools|(?!(?:import|from|def|class|with|try|for|while|if|async)\b)[\w"'\])}{[(,.:=<>!~ *@/;+-]*|#.*)$/,
	],
	[/^build\.rs$/, /^(?:\/\/.*|[})\];,]*|println!\("cargo:rerun-if-changed=[^"]*"\);)$/],
	[
		/^Gemfile$|\.gemspec$/,
		/^(?:#.*|end|source "https:\/\/rubygems\.org"|group .*do|gem ["'][\w-]+["'](?:, *["'][^"']*["'])*(?:, *require: *(?:false|["'][\w/-]+["']))?|\w+\.\w+ *=? *[\w"'.,~> <=[\](){}/:@-]*)$/,
	],
];

const RUNS =
	/\b(?:os|sys|subprocess|shutil|socket|urllib|requests|ctypes|importlib|builtins|platform|Command|Process|Kernel|IO|File|Open3)\b\s*(?:\.|::)|\b(?:exec|eval|compile|open|getattr|setattr|__import__|globals|system|spawn|popen|cmdclass|lambda)\b\s*[(=:]|`/;

const DESCRIPTION =
	/\bopen\(\s*["'](?:README|CHANGELOG|VERSION|requirements)[\w.-]*["'][^()]*\)(?:\.read\(\))?/g;

async function installerChange(pair: TreePair, file: string): Promise<Violation[]> {
	const [, plain] = INSTALLERS.find(([name]) => name.test(path.posix.basename(file))) ?? [];
	if (plain === undefined) return [];
	const added = addedLines((await pair.readBase(file)) ?? "", (await pair.readHead(file)) ?? "");
	const first = added.find(({ text }) => {
		const rest = text.replaceAll(DESCRIPTION, "");
		return !plain.test(rest) || RUNS.test(rest);
	});
	if (first === undefined) return [];
	const what = `line ${first.number}: an installation or a build runs this code: ${shown(first.text.slice(0, 160))}; remove it`;
	return [edited(file, what)];
}
