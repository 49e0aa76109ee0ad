import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ReportFormat } from "../../workflow/workflow.ts";

export interface ProjectCheck {
	readonly kind: "acceptance" | "lint";
	readonly run: string;
	/** Path of the report that its runner leaves by itself; without one its output is read. */
	readonly report?: { readonly format: ReportFormat; readonly path: string };
}

export interface ProjectPart {
	readonly name: string;
	/** The file that it was recognised by; for packages also the one that names where they come from. */
	readonly foundBy: string;
	readonly setup: readonly string[];
	/** None when no test command was found. */
	readonly checks: readonly ProjectCheck[];
	/** Folders that setup fills and that git must ignore. */
	readonly dependencies: readonly string[];
}

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

export const acceptance = (run: string): ProjectCheck => ({ kind: "acceptance", run });
