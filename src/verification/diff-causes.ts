import { posix } from "node:path";
import type { VerificationCause } from "./cause.ts";
import { type ChangedText, linesOf } from "./changed-text.ts";
import { componentOf, folderOf, isProductCode } from "./component.ts";
import { isStored, type Language, languageOf } from "./language.ts";
import { causesOfChanged } from "./path-causes.ts";

/** What is known of the repository around a change. */
export interface ChangeSurroundings {
	/** Directories that hold a manifest. */
	readonly manifests: ReadonlySet<string>;
	/** Files that name a changed type, by the type's name; of one that nobody looked for there is no entry. */
	readonly users: ReadonlyMap<string, readonly string[]>;
}

/** Lines that a comment begins with say nothing. */
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--)/;

/** Changed lines of a file that are code, added and removed ones. */
const codeLines = (change: ChangedText): string[] => {
	const { added, removed } = linesOf(change);
	return [...added, ...removed].filter((line) => !COMMENT.test(line));
};

/**
 * The types that a change declares, drops or alters, by name: those whose declaration or body has changed lines.
 *
 * @example a field added to `export interface Task {` gives `Task`
 */
export function changedTypes(change: ChangedText): string[] {
	const language = languageOf(change.path);
	if (language === undefined || !isProductCode(change.path)) return [];
	const { added, removed } = linesOf(change);
	return [
		...new Set([
			...typesAround(language, change.after, added),
			...typesAround(language, change.before, removed),
		]),
	];
}

/** The types of a text in whose declaration one of the lines stands. */
function typesAround({ type }: Language, text: string | null, lines: readonly string[]): string[] {
	const wanted = new Set(lines);
	const found = new Set<string>();
	let open: string | null = null;
	for (const line of (text ?? "").split(/\r?\n/)) {
		const declared = type.exec(line)?.[1];
		if (declared !== undefined) open = declared;
		// What begins at the margin and is no closing bracket ends a declaration.
		else if (/^[^\s})\]]/.test(line)) open = null;
		if (open !== null && wanted.has(line)) found.add(open);
	}
	return [...found];
}

/** What an import leads to, as the component it is in; null for one that stays, or that leaves the repository. */
function importedComponent(
	{ path }: ChangedText,
	target: string,
	{ manifests }: ChangeSurroundings,
): string | null {
	const own = componentOf(path, manifests);
	const found = resolved(path, target, manifests);
	return found === null || found === own ? null : found;
}

function resolved(path: string, target: string, manifests: ReadonlySet<string>): string | null {
	if (path.endsWith(".py")) {
		const dots = /^\.*/.exec(target)?.[0].length ?? 0;
		if (dots < 2) return null;
		const up = posix.normalize(`${folderOf(path)}/${"../".repeat(dots - 1)}`);
		return componentOf(posix.join(up, target.slice(dots).replaceAll(".", "/"), "x.py"), manifests);
	}
	if (target.startsWith("."))
		return componentOf(
			posix.join(folderOf(path), target.replace(/\/?$/, ""), "..", "x.ts"),
			manifests,
		);
	// A package of the same repository: a manifest's directory ends with its name.
	const name = target.replace(/^@[^/]+\//, "");
	return [...manifests].find((each) => each !== "" && name.endsWith(posix.basename(each))) ?? null;
}

function causesOfFile(change: ChangedText, around: ChangeSurroundings): VerificationCause[] {
	const { path } = change;
	if (!isProductCode(path)) return [];
	if (!change.isRead) return [{ kind: "unreadable", path }];
	const language = languageOf(path);
	if (language === undefined) return [];
	const lines = codeLines(change);
	const causes: VerificationCause[] = [];
	if (lines.some((line) => language.api.test(line))) causes.push({ kind: "api_contract", path });
	if (lines.some((line) => isStored(language, line))) causes.push({ kind: "migration", path });
	if (lines.some((line) => language.remote.test(line)))
		causes.push({ kind: "cross_component_call", path, to: "another service" });
	for (const line of linesOf(change).added) {
		// A group that did not take part is undefined, whatever its type says.
		const target = language.imports.exec(line)?.slice(1).find(Boolean);
		const to = target === undefined ? null : importedComponent(change, target, around);
		if (to !== null)
			causes.push({ kind: "cross_component_call", path, to: to === "" ? "the top" : to });
	}
	return [...causes, ...sharedTypes(change, around)];
}

/** Types of a change that files of another component name. */
function sharedTypes(
	change: ChangedText,
	{ manifests, users }: ChangeSurroundings,
): VerificationCause[] {
	const own = componentOf(change.path, manifests);
	return changedTypes(change).flatMap((name): VerificationCause[] => {
		const known = users.get(name);
		// Where nobody could look, the type counts as shared.
		const isShared =
			known === undefined ||
			known.some((user) => isProductCode(user) && componentOf(user, manifests) !== own);
		return isShared ? [{ kind: "shared_type", path: change.path, name }] : [];
	});
}

/**
 * What a real change says: its paths, and of JavaScript, TypeScript, Python and Go its lines. Doubt counts: a code file
 * that could not be read is a cause, and so is a type of which nobody knows who uses it. Each cause once.
 */
export function causesOfDiff(
	changes: readonly ChangedText[],
	around: ChangeSurroundings,
): VerificationCause[] {
	const found = [
		...causesOfChanged(
			changes.map(({ path, after, isRead }) => ({ path, isGone: isRead && after === null })),
			around.manifests,
		),
		...changes.flatMap((change) => causesOfFile(change, around)),
	];
	const seen = new Map(found.map((cause) => [JSON.stringify(cause), cause]));
	return [...seen.values()];
}
