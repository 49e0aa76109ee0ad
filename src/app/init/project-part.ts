import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ReportFormat } from "../../workflow/workflow.ts";

/** A check of a project. */
export interface ProjectCheck {
	readonly kind: "acceptance" | "lint";
	/** Shell line, relative to the top of the project. */
	readonly run: string;
	/** Path of the report that its runner leaves by itself; without one its output is read. */
	readonly report?: { readonly format: ReportFormat; readonly path: string };
}

/** How the part of a project in one language installs its dependencies and runs its tests. */
export interface ProjectPart {
	/** Tells the checks of several parts apart: `tests-node`. */
	readonly name: string;
	/** The file that it was recognised by; for packages also the one that names where they come from. */
	readonly foundBy: string;
	readonly setup: readonly string[];
	/** None when no test command was found. */
	readonly checks: readonly ProjectCheck[];
	/** Folders that setup fills and that git must ignore. */
	readonly dependencies: readonly string[];
}

/** The files of a project, seen from its top. */
export interface ProjectFiles {
	readonly root: string;
	/** Text of a file; undefined when it cannot be read. */
	readonly read: (name: string) => Promise<string | undefined>;
	/** Names in a folder; none when it cannot be read. */
	readonly list: (folder: string) => Promise<readonly string[]>;
}

export function projectFiles(root: string): ProjectFiles {
	return {
		root,
		read: (name) => readFile(path.join(root, name), "utf8").catch(() => undefined),
		list: (folder) => readdir(path.join(root, folder)).catch(() => []),
	};
}

/** The acceptance check of a test command, whose output is read. */
export const acceptance = (run: string): ProjectCheck => ({ kind: "acceptance", run });
