import path, { posix } from "node:path";
import { isNamedAsTest } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { isManifest } from "../../setups/setup-key.ts";
import { changedClasses } from "../reading/changed-classes.ts";
import { isHidden } from "../reading/path-classes.ts";
import { isShared, mergeShared } from "../reading/shared-files.ts";
import type { Sides } from "../reading/sides.ts";
import { isCode, isTestByName } from "../reading/test-places.ts";

const ENOUGH = 0.5;
const PART = 0.2;
const MOVABLE = /\.(?:[cm]?[jt]s|py)$/;

/**
 * Modules that the player moved, renamed or split, as files at their old places that lead to the new ones: the base's
 * tests import them from there.
 *
 * @example `src/a.js` moved to `lib/a.js` gives `src/a.js` with `export * from "../lib/a.js";`
 */
export async function forwardings({
	changes,
	readBase,
	readHead,
}: Pick<PlanInput, "changes" | "readBase" | "readHead">): Promise<TreeEdit[]> {
	const isModule = ({ path: file }: FileChange): boolean =>
		MOVABLE.test(file) && !isTestByName(file);
	const gone = changes.filter((change) => change.kind === "deleted" && isModule(change));
	if (gone.length === 0) return [];
	const added = await Promise.all(
		changes
			.filter((change) => change.kind === "added" && isModule(change))
			.map(async ({ path: file }) => ({ file, text: (await readHead(file)) ?? "" })),
	);
	const found: TreeEdit[] = [];
	for (const { path: file } of gone) {
		const lines = new Set(linesOf((await readBase(file)) ?? ""));
		const ending = path.posix.extname(file);
		const parts = added
			.filter((one) => path.posix.extname(one.file) === ending)
			.map((one) => ({ ...one, kept: linesOf(one.text).filter((line) => lines.has(line)).length }))
			.filter(({ kept }) => kept > 0 && kept >= PART * lines.size);
		const kept = parts.reduce((sum, part) => sum + part.kept, 0);
		if (kept >= ENOUGH * lines.size)
			found.push({ kind: "write", path: file, mode: "100644", text: leadTo(file, parts) });
	}
	return found;
}

function linesOf(text: string): string[] {
	return text
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function leadTo(
	from: string,
	parts: readonly { readonly file: string; readonly text: string }[],
): string {
	if (from.endsWith(".py")) return parts.map(({ file }) => pythonLead(file)).join("");
	return parts.map((part) => scriptLead(from, part)).join("");
}

function pythonLead(file: string): string {
	const name = file
		.replace(/^src\//, "")
		.replace(/(?:\/__init__)?\.py$/, "")
		.replaceAll("/", ".");
	return `import importlib as _i\nglobals().update(vars(_i.import_module("${name}")))\n`;
}

function scriptLead(
	from: string,
	{ file, text }: { readonly file: string; readonly text: string },
): string {
	const relative = path.posix.relative(path.posix.dirname(from), file);
	const target = JSON.stringify(relative.startsWith(".") ? relative : `./${relative}`);
	const isModule = /^[ \t]*(?:import|export)\b/m.test(text);
	if (!isModule) return `module.exports = Object.assign(module.exports, require(${target}));\n`;
	const all = `export * from ${target};\n`;
	return /\bexport\s+default\b|\bas\s+default\b/.test(text)
		? `${all}export { default } from ${target};\n`
		: all;
}

/** The tree of a replay, as edits of the player's. */
export interface ReplayPlan {
	readonly edits: readonly TreeEdit[];
	/** Files of the base that are put back, wholly or in part. */
	readonly restored: readonly string[];
	/** The player's own files that are left out. */
	readonly leftOut: readonly string[];
	/**
	 * `none`: the player's tree is what would be replayed. `added`: only new test files are left out. `changed`: something
	 * that the base's tests consist of, or that acts on them, differs.
	 */
	readonly differs: "none" | "added" | "changed";
}

export interface PlanInput {
	/** Base commit to the player's. */
	readonly changes: readonly FileChange[];
	readonly sides: Sides;
	/** The task allows the change, so the player's version is replayed. */
	readonly isAllowed: (change: FileChange) => boolean;
	readonly readBase: (file: string) => Promise<string | null>;
	readonly readHead: (file: string) => Promise<string | null>;
}

/** Plans a replay: the player's product with the tests, data and configuration of the base. Reads only shared files. */
export async function planReplay(input: PlanInput): Promise<ReplayPlan> {
	const { changes, sides, isAllowed } = input;
	const open = changes.filter((change) => !isAllowed(change));
	const { classOf, displaces } = await changedClasses(changes, input.readHead, sides);
	// The product may need the dependencies that the player declares.
	const declares = ({ path, kind }: FileChange): boolean =>
		isManifest(path) &&
		!sides.tests.has(path) &&
		!posix.basename(path).startsWith(".") &&
		(kind !== "added" || !path.includes("/"));
	// Apparatus by doubt alone may be data of the product; it is asked about, and stays.
	const canAct = ({ path }: FileChange): boolean =>
		sides.tests.has(path) ||
		sides.isTestWhenNew(path) ||
		isCode(path) ||
		isHidden(path) ||
		isShared(path) ||
		isManifest(path);
	const isApparatus = (change: FileChange): boolean =>
		classOf(change.path) === "apparatus" && canAct(change) && !declares(change);
	const back = open.filter((change) => change.kind !== "added" && isApparatus(change));
	const restored = new Set(back.map(({ path }) => path));
	const needed = await neededBy(changes.filter(isAllowed), input);
	const out = open.filter(
		(change) =>
			change.kind === "added" &&
			((isApparatus(change) && !needed(change.path)) ||
				displaces(change) ||
				collides(change.path, restored)),
	);
	const shared = await sharedEdits(
		input,
		open.filter(({ path }) => !restored.has(path)),
	);
	const edits: TreeEdit[] = [
		...out.map(({ path }): TreeEdit => ({ kind: "remove", path })),
		...back.map(({ path, oldMode, oldOid }): TreeEdit => {
			return { kind: "put", path, mode: oldMode, oid: oldOid };
		}),
		...shared,
		// Where nothing of the tests differs, the check has run without them.
		...(back.length + out.length + shared.length === 0 ? [] : await forwardings(input)),
	];
	const acts = restored.size + shared.length > 0 || out.some(({ path }) => !isNamedAsTest(path));
	return {
		edits,
		restored: [...restored, ...shared.map(({ path }) => path)],
		leftOut: out.map(({ path }) => path),
		differs: edits.length === 0 ? "none" : acts ? "changed" : "added",
	};
}

/** Helpers that files which count as the player has them name; they could not do without. */
async function neededBy(
	allowed: readonly FileChange[],
	{ readHead }: Pick<PlanInput, "readHead">,
): Promise<(file: string) => boolean> {
	const texts = await Promise.all(
		allowed.filter(({ kind }) => kind !== "deleted").map(({ path }) => readHead(path)),
	);
	const words = new Set(texts.flatMap((text) => text?.match(/[\w-]+/g) ?? []));
	return (file) => {
		const name = posix.basename(file);
		if (name === "__init__.py") return words.size > 0;
		return !isNamedAsTest(file) && words.has(name.replace(/\.\w+$/, ""));
	};
}

function collides(file: string, restored: ReadonlySet<string>): boolean {
	return [...restored].some(
		(other) => file.startsWith(`${other}/`) || other.startsWith(`${file}/`),
	);
}

async function sharedEdits(
	{ readBase, readHead }: PlanInput,
	changes: readonly FileChange[],
): Promise<TreeEdit[]> {
	const edits: TreeEdit[] = [];
	for (const { kind, path, newMode } of changes) {
		if (kind !== "modified" || !isShared(path)) continue;
		const [base, head] = [await readBase(path), await readHead(path)];
		const text = base === null || head === null ? undefined : mergeShared(path, base, head);
		if (text !== undefined) edits.push({ kind: "write", path, mode: newMode, text });
	}
	return edits;
}
