import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { followCommand } from "../../evidence/integrity/followed-files.ts";

/** A check of a project. */
export interface ProjectCheck {
	readonly kind: "acceptance" | "lint";
	/** Shell line, relative to the top of the project. */
	readonly run: string;
	/** True when Sparring reads cases or counts from the runner's output; else the exit code decides. */
	readonly runnerKnown: boolean;
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

/** Runners whose output is recognised without a report. `go test` names what passed only with `-v` or `-json`. */
const KNOWN_RUNNER =
	/\b(?:vitest|jest|mocha|pytest|py\.test)\b|\bnode\b.*\s--test\b|-m unittest\b|\bgo test\b.*\s-(?:v|json)\b/;

/** Whether a shell line starts a runner that Sparring recognises. */
export const isKnownRunner = (line: string): boolean => KNOWN_RUNNER.test(line);

/** What a command runs: its own line, and those of scripts in `package.json` and of a Makefile that it leads to. */
export async function linesBehind(run: string, { read }: ProjectFiles): Promise<readonly string[]> {
	const readBase = async (file: string): Promise<string | null> => (await read(file)) ?? null;
	const manifest = await readBase("package.json");
	return (await followCommand(run, { readBase, manifest, reach: "tools" })).closure.lines;
}

/** The acceptance check of a test command. */
export async function acceptance(run: string, files: ProjectFiles): Promise<ProjectCheck> {
	const lines = await linesBehind(run, files);
	return { kind: "acceptance", run, runnerKnown: lines.some(isKnownRunner) };
}
