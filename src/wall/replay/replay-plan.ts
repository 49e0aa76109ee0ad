import { posix } from "node:path";
import { isNamedAsTest } from "../../evidence/test-files.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { TreeEdit } from "../../git/write-tree.ts";
import { forwardings } from "./forwarding.ts";
import { isShared, mergeShared } from "./shared-files.ts";
import type { Sides } from "./sides.ts";

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
	/** Whether the task allows the change, so that the player's version is replayed. */
	readonly isAllowed: (change: FileChange) => boolean;
	readonly readBase: (file: string) => Promise<string | null>;
	readonly readHead: (file: string) => Promise<string | null>;
}

/** Plans a replay: the player's product with the tests, data and configuration of the base. Reads only shared files. */
export async function planReplay(input: PlanInput): Promise<ReplayPlan> {
	const { changes, sides, isAllowed } = input;
	const open = changes.filter((change) => !isAllowed(change));
	const back = open.filter(({ kind, path }) => kind !== "added" && sides.tests.has(path));
	const restored = new Set(back.map(({ path }) => path));
	const needed = await neededBy(changes.filter(isAllowed), input);
	const out = open.filter(
		({ kind, path }) =>
			kind === "added" &&
			((sides.isTestWhenNew(path) && !needed(path)) || collides(path, restored)),
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
		...(back.length + out.length + shared.length === 0 ? [] : await leads(input)),
	];
	const acts = restored.size + shared.length > 0 || out.some(({ path }) => !isNamedAsTest(path));
	return {
		edits,
		restored: [...restored, ...shared.map(({ path }) => path)],
		leftOut: out.map(({ path }) => path),
		differs: edits.length === 0 ? "none" : acts ? "changed" : "added",
	};
}

/** Modules that moved, at their old places. */
async function leads({ changes, readBase, readHead }: PlanInput): Promise<TreeEdit[]> {
	const found = await forwardings(changes, { readBase, readHead });
	return found.map(({ path, text }) => ({ kind: "write", path, mode: "100644", text }));
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

/** Whether a path needs a directory where a restored file stands, or the other way round. */
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
