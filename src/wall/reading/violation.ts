import { shown, whole } from "../../evidence/path-match.ts";
import type { FileChange } from "../../git/file-change.ts";
import type { AllowedKind } from "../../workflow/workflow.ts";

/** A change that blocks, unless the task allows it. */
export interface Violation {
	readonly path: string;
	/** Change that has to be allowed; null: nothing can allow it. */
	readonly change: AllowedKind | null;
	readonly text: string;
}

/** A file that must not change, which a task may allow. */
export function violationOf(change: FileChange, what: string): Violation {
	return { path: change.path, change: allowanceFor(change), text: whole(change, what) };
}

/** Allowance that a change of a file needs; null where nothing can allow it. */
export function allowanceFor({ kind }: Pick<FileChange, "kind">): AllowedKind | null {
	if (kind === "type-changed") return null;
	return kind === "deleted" ? "delete" : "edit";
}

/** A part of a file that must not change, which a task may allow. */
export function edited(path: string, what: string): Violation {
	return { path, change: "edit", text: `${shown(path)}: ${what}` };
}

/** The way on with what no task can allow and people do on purpose. */
export const APART =
	"in a commit of its own, against which the rest is judged (spar check --base COMMIT)";

/** A change that no task can allow. */
export function final(path: string, text: string): Violation {
	return { path, change: null, text };
}
