import path from "node:path";
import { SAMPLES, shown } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import { addedLines } from "./added-lines.ts";
import { type LockedPackages, lockFormat } from "./locked-packages.ts";
import type { TreePair } from "./tree-pair.ts";
import { edited, type Violation } from "./violation.ts";

/** Most packages that a message names. */
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
	/** A manifest changed as well. */
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

/** Whether the same version is something else now. What one side does not say differs from nothing. */
function isSwapped(name: string, { before, after }: Locks): boolean {
	const was = before.get(name);
	const now = after.get(name) ?? [];
	return was !== undefined && now.some((part, at) => isOther(was[at] ?? "", part));
}

const isOther = (was: string, now: string): boolean => was !== "" && now !== "" && was !== now;

/**
 * Where a text says that packages come from: addresses up to the package's file, and kinds of places that are no registry.
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

/** Whether a known package has another version from a place from which no version of it came. */
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

/** What runs code, whatever else a line holds. */
const RUNS =
	/\b(?:os|sys|subprocess|shutil|socket|urllib|requests|ctypes|importlib|builtins|platform|Command|Process|Kernel|IO|File|Open3)\b\s*(?:\.|::)|\b(?:exec|eval|compile|open|getattr|setattr|__import__|globals|system|spawn|popen|cmdclass|lambda)\b\s*[(=:]|`/;

/** A text of the package that a setup script reads. */
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
