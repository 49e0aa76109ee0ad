import path from "node:path";
import { SAMPLES, shown } from "../../evidence/path-match.ts";
import { type Fields, isFields } from "../../formats/reports/json-report.ts";
import { lockChanges } from "./lock-changes.ts";
import { parsePackage } from "./runner-config.ts";
import type { Found, TreePair } from "./tree-pair.ts";
import { edited, type Violation } from "./violation.ts";

const SECTIONS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/** Version specifiers that do not refer to the registry's package with that name. */
const REDIRECT =
	/^(?:file|link|portal|workspace|patch|exec|npm|git|git\+\w+|https?|github|gitlab|bitbucket|gist):|^\.{0,2}\/|^[\w.-]+\/[\w.-]+(?:#|$)/;

/** Programs that checks commonly run through. */
const PROGRAMS: ReadonlySet<string> = new Set([
	"node",
	"npm",
	"npx",
	"sh",
	"bash",
	"env",
	"python",
]);

/**
 * Dependencies that now come from a different source, and packages of the repository that replace a program that a
 * command runs. New dependencies and other versions are allowed.
 *
 * @param words of all commands
 */
export async function dependencyChanges(
	pair: TreePair,
	words: ReadonlySet<string>,
): Promise<Found> {
	const violations: Violation[] = [];
	const notes: string[] = [];
	const root = specifiersOf(parsePackage(await baseManifest(pair)));
	for (const { path: file, kind } of pair.changes) {
		if (kind === "deleted" || SAMPLES.test(file)) continue;
		const name = path.posix.basename(file);
		if (name !== "package.json") continue;
		const base = parsePackage(await pair.readBase(file));
		const head = parsePackage(await pair.readHead(file));
		violations.push(...redirected(file, base, head));
		notes.push(...otherVersions(file, base, head, words));
		if (file !== "package.json") violations.push(...impostors(file, base, head, words, root));
	}
	violations.push(...(await lockChanges(pair)));
	return { violations, notes };
}

function baseManifest(pair: TreePair): Promise<string | null> {
	return pair.changes.some(({ path: file }) => file.endsWith("package.json"))
		? pair.readBase("package.json")
		: Promise.resolve(null);
}

function specifiersOf(manifest: Fields): Map<string, string> {
	return new Map(SECTIONS.flatMap((section) => strings(manifest[section])));
}

/** Overrides of other packages' specifiers, by path in the file. */
function overridesOf(manifest: Fields): Map<string, string> {
	const pnpm = isFields(manifest["pnpm"]) ? manifest["pnpm"]["overrides"] : undefined;
	return new Map(
		[manifest["overrides"], manifest["resolutions"], pnpm].flatMap((part) => strings(part)),
	);
}

/** The strings in a JSON value, by path. */
function strings(value: unknown, at = "", depth = 0): [string, string][] {
	if (!isFields(value) || depth > 20) return [];
	return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
		const name = at === "" ? key : `${at} > ${key}`;
		return typeof inner === "string" ? [[name, inner]] : strings(inner, name, depth + 1);
	});
}

function redirected(file: string, base: Fields, head: Fields): Violation[] {
	const before = specifiersOf(base);
	const direct = [...specifiersOf(head)].filter(([name, specifier]) => {
		const had = before.get(name);
		return had !== undefined && REDIRECT.test(specifier) && placeOf(had) !== placeOf(specifier);
	});
	const had = overridesOf(base);
	const replaced = [...overridesOf(head)].filter(
		([name, specifier]) => REDIRECT.test(specifier) && had.get(name) !== specifier,
	);
	return [...direct, ...replaced].map(([name, specifier]) =>
		edited(
			file,
			`the package ${shown(name)} now comes from ${shown(specifier)}; restore its version`,
		),
	);
}

/** A specifier without its version: `npm:other@2` gives `npm:other`. */
function placeOf(specifier: string): string {
	if (!REDIRECT.test(specifier)) return "registry";
	return specifier.startsWith("workspace:")
		? "workspace:"
		: specifier.replace(/(?<=.)[@#][^@#/]*$/, "");
}

function otherVersions(
	file: string,
	base: Fields,
	head: Fields,
	words: ReadonlySet<string>,
): string[] {
	const after = specifiersOf(head);
	return [...specifiersOf(base)]
		.filter(([name, specifier]) => words.has(name) && after.get(name) !== specifier)
		.map(
			([name, specifier]) =>
				`${shown(file)}: the version of ${name}, which a command runs, was ${specifier} and is ${after.get(name) ?? "none"}`,
		);
}

/** A nested package with the name of a dependency, or with a program that a command names. */
function impostors(
	file: string,
	base: Fields,
	head: Fields,
	words: ReadonlySet<string>,
	root: ReadonlyMap<string, string>,
): Violation[] {
	const [had, has] = [binsOf(base), binsOf(head)];
	const bins = has.filter((bin) => !had.includes(bin) && (words.has(bin) || PROGRAMS.has(bin)));
	const { name } = head;
	const specifier = typeof name === "string" ? root.get(name) : undefined;
	const taken = name !== base["name"] && specifier !== undefined && !REDIRECT.test(specifier);
	return [
		...bins.map((bin) =>
			edited(file, `its program "${bin}" replaces one that a command runs; rename it`),
		),
		...(taken
			? [edited(file, `it has the same name as the dependency ${String(name)}; rename it`)]
			: []),
	];
}

function binsOf({ name, bin }: Fields): string[] {
	if (typeof bin === "string") return [String(name).replace(/^@[^/]*\//, "")];
	return isFields(bin) ? Object.keys(bin) : [];
}
