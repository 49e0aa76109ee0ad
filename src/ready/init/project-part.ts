import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { findProgram } from "../../process/find-program.ts";
import type { ReportFormat } from "../../workflow/workflow.ts";

export interface ProjectCheck {
	readonly kind: "acceptance" | "lint";
	readonly run: string;
	// Left by the runner itself; without one its output is read.
	readonly report?: { readonly format: ReportFormat; readonly path: string };
}

export interface ProjectPart {
	readonly name: string;
	// For packages also the file that names where they come from.
	readonly foundBy: string;
	readonly setup: readonly string[];
	readonly checks: readonly ProjectCheck[];
	// Its test script, which watches for changes and never ends, where nothing runs it once.
	readonly watching?: string | undefined;
	// Folders that setup fills and that git must ignore.
	readonly dependencies: readonly string[];
}

export interface ProjectFiles {
	readonly root: string;
	// Undefined when it cannot be read; of a folder then no names.
	readonly read: (name: string) => Promise<string | undefined>;
	readonly list: (folder: string) => Promise<readonly string[]>;
	// A command of this name can be started.
	readonly hasProgram: (name: string) => boolean;
}

/** @param searchPath folders of programs, as in `PATH` */
export function projectFiles(root: string, searchPath: string): ProjectFiles {
	return {
		root,
		hasProgram: (name) => findProgram(name, searchPath, root) !== undefined,
		read: (name) => readFile(path.join(root, name), "utf8").catch(() => undefined),
		list: (folder) => readdir(path.join(root, folder)).catch(() => []),
	};
}

export const acceptance = (run: string): ProjectCheck => ({ kind: "acceptance", run });
