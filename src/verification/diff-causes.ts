import { posix } from "node:path";
import { kindOfPath, kindsOfLine } from "./boundary-words.ts";
import type { VerificationCause } from "./cause.ts";
import { alteredNames, linesInContext } from "./changed-lines.ts";
import { type ChangedText, linesOf } from "./changed-text.ts";
import {
	type ComponentMap,
	componentMap,
	type DeclaredName,
	type FilePart,
	partOf,
} from "./component.ts";
import { ComponentNames, type KnownComponents } from "./references.ts";

/** What is known of the repository around a change. */
export interface ChangeSurroundings {
	/** Paths of its files after the change. */
	readonly files: readonly string[];
	/** Names that its manifests give to directories. */
	readonly names: readonly DeclaredName[];
	/** Files that name a changed declaration, by its name; of one that nobody looked for there is no entry. */
	readonly users: ReadonlyMap<string, readonly string[]>;
}

/** Numbers of a release, which say nothing about what a change touches. */
const versionless = (text: string | null): string | null =>
	text?.replace(/(?<![\d.])\d+\.\d+\.\d+(?!\.?\d)(?:[-+][\w.]+)?/g, "0.0.0") ?? null;

const isRelease = ({ before, after }: ChangedText): boolean =>
	before !== null && versionless(before) === versionless(after);

function changedLines(change: ChangedText): {
	readonly added: Set<string>;
	readonly removed: Set<string>;
} {
	const { added, removed } = linesOf(change);
	return { added: new Set(added), removed: new Set(removed) };
}

/** Names of public declarations that a change alters or drops. */
export function changedDeclarations(change: ChangedText): string[] {
	if (partOf(change.path) !== "code" || isRelease(change)) return [];
	const { added, removed } = changedLines(change);
	return alteredNames(change, new Set([...added, ...removed]));
}

const causeOf = (kind: ReturnType<typeof kindsOfLine>[number], path: string): VerificationCause => {
	if (kind === "cross_component_call") return { kind, path, to: "another service" };
	return kind === "shared_type" ? { kind, path, name: null } : { kind, path };
};

/** Meaning of the name of a file or folder: of code by its words, of a declaration always. */
function causesOfName(path: string, part: FilePart = partOf(path)): VerificationCause[] {
	if (part !== "code" && part !== "declaration") return [];
	const kind = kindOfPath(path) ?? (part === "declaration" ? "shared_configuration" : null);
	return kind === null ? [] : [causeOf(kind, path)];
}

function causesOfLines(change: ChangedText): VerificationCause[] {
	const { added, removed } = changedLines(change);
	const kinds = [
		...linesInContext(change.after ?? "", added),
		...linesInContext(change.before ?? "", removed),
	].flatMap(({ line, within, annotations }) => [
		...kindsOfLine(line),
		// What a line stands in says what it is part of; a call above it does not.
		...[...within, annotations]
			.flatMap(kindsOfLine)
			.filter((kind) => kind === "api_contract" || kind === "migration"),
	]);
	return [...new Set(kinds)].map((kind) => causeOf(kind, change.path));
}

const shownName = (component: string): string => (component === "" ? "the top" : component);

function causesOfReferences(change: ChangedText, known: KnownComponents): VerificationCause[] {
	const { path, before, after } = change;
	const named = new ComponentNames({ path, before: before ?? "", after: after ?? "" }, known);
	return linesInContext(after ?? "", changedLines(change).added).flatMap(
		({ line }): VerificationCause[] => {
			const to = named.in(line);
			return to === null ? [] : [{ kind: "cross_component_call", path, to: shownName(to) }];
		},
	);
}

function causesOfFile(
	change: ChangedText,
	map: ComponentMap,
	around: ChangeSurroundings,
): VerificationCause[] {
	const { path } = change;
	const part = partOf(path);
	if (part === "test" || part === "harmless" || isLock(path)) return [];
	if (!change.isRead || isHuge(change)) return [{ kind: "unreadable", path }];
	if (isRelease(change) && part !== "declaration") return [];
	const references = causesOfReferences(change, { map, names: around.names });
	if (part === "manifest") return references;
	const named = causesOfName(path);
	if (part === "declaration") return named;
	return [
		...named,
		...causesOfLines(change),
		...references,
		...sharedDeclarations(change, map, around),
	];
}

/** Changed lines of one file that are looked at; more are generated, or say nothing that can be told. */
const MAX_LINES = 5_000;

const isHuge = (change: ChangedText): boolean =>
	Object.values(linesOf(change)).some((lines) => lines.length > MAX_LINES);

const isLock = (path: string): boolean =>
	/lock|\.sum$|\.resolved$/i.test(path) && partOf(path) === "manifest";

/** Declarations of a change that files of another component name. */
function sharedDeclarations(
	change: ChangedText,
	map: ComponentMap,
	{ users }: ChangeSurroundings,
): VerificationCause[] {
	const own = map.of(change.path);
	return changedDeclarations(change).flatMap((name): VerificationCause[] => {
		const known = users.get(name);
		// Where nobody could look, it counts as shared.
		const isShared =
			known === undefined || known.some((user) => partOf(user) === "code" && map.of(user) !== own);
		return isShared ? [{ kind: "shared_type", path: change.path, name }] : [];
	});
}

/** One cause for all components that paths touch, where they are several. */
function several(paths: readonly string[], map: ComponentMap): VerificationCause[] {
	const code = paths.filter((path) => partOf(path) === "code" || map.has(path));
	const packages = [...new Set(code.map(map.of))].sort().map(shownName);
	return packages.length > 1 ? [{ kind: "several_packages", packages }] : [];
}

const distinct = (causes: readonly VerificationCause[]): VerificationCause[] => [
	...new Map(causes.map((cause) => [JSON.stringify(cause), cause])).values(),
];

/**
 * Causes by which a real change can break what lies beyond its component: it touches several components, names another one, alters a
 * public declaration that another one names, shows something to callers outside, or is no program at all, such as
 * configuration, a schema, a deployment. Doubt counts. Tests, texts for people and new versions are none. Each cause once.
 */
export function causesOfDiff(
	changes: readonly ChangedText[],
	around: ChangeSurroundings,
): VerificationCause[] {
	const gone = changes.filter(({ isRead, after }) => isRead && after === null);
	const map = componentMap([...around.files, ...gone.map(({ path }) => path)]);
	const staying = changes.filter((change) => !gone.includes(change) && !isRelease(change));
	return distinct([
		...several(
			staying.map(({ path }) => path),
			map,
		),
		...changes.flatMap((change) => causesOfFile(change, map, around)),
	]);
}

/**
 * The same of files and folders that a task names, before there is a change.
 *
 * @example `["processor/planner/", "processor/generator/"]` gives one cause, `several_packages`
 */
export function causesOfPaths(paths: readonly string[]): VerificationCause[] {
	const files = paths.map((path) => (isFolder(path) ? posix.join(path, "any.c") : path));
	const named = paths.flatMap((path) => causesOfName(path, isFolder(path) ? "code" : undefined));
	return distinct([...several(files, componentMap(files)), ...named]);
}

const isFolder = (path: string): boolean =>
	/\/\**$/.test(path) || !/\.|(?:^|\/)[A-Z]\w*$/.test(path);
