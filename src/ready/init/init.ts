import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../kernel/fault.ts";
import { findRoot } from "../../places/find-root.ts";
import { foundProject } from "./found-project.ts";
import type { ProjectKind } from "./project-kind.ts";
import { type StarterAgent, starterAgents, type Wanted } from "./starter-agents.ts";
import { type StarterFacts, starterWorkflow } from "./starter-workflow.ts";

const FILE = "sparring.yaml";

/**
 * The nearest folder upward that holds `.git`.
 *
 * @throws Fault `not-a-repository`
 */
export function rootAround(directory: string): string {
	const root = findRoot(directory);
	if (root !== undefined) return root;
	throw new Fault(`${directory} is not in the work tree of a git repository`, {
		code: "not-a-repository",
		hint: "Change into a repository, or create one with: git init",
	});
}

// Editors read the package in the project, which all who work on it have; else the one that runs.
function packageFor({ root, packageFolder }: StarterPlace): string {
	const local = "node_modules/sparring";
	return existsSync(path.join(root, local)) ? `./${local}` : packageFolder;
}

// By their path or by their name alone.
async function unignoredOf(root: string, folders: readonly string[]): Promise<readonly string[]> {
	const text = await readFile(path.join(root, ".gitignore"), "utf8").catch(() => "");
	const named = new Set(
		text.split(/\r?\n/).map((line) => line.trim().replaceAll(/^(?:\*\*\/|\/)|\/$/g, "")),
	);
	return folders.filter((folder) => !named.has(folder) && !named.has(path.basename(folder)));
}

const UNWRITABLE: ReadonlySet<string> = new Set("EACCES EPERM EROFS EISDIR ENOTDIR".split(" "));

/** Fault of a file that cannot be written; any other error as it is. */
export function writeFault(file: string, error: unknown): unknown {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "EEXIST") {
		return new Fault(`${file} exists already`, {
			code: "usage",
			hint: "Edit it, or replace it with: spar init --force",
		});
	}
	if (code === "ENOSPC" || code === "EDQUOT") {
		return new Fault(`no space left to write ${file}`, {
			code: "disk-full",
			hint: "Free some space, then run spar init again.",
			cause: error,
		});
	}
	if (typeof code === "string" && UNWRITABLE.has(code)) {
		return new Fault(`${file} cannot be written: ${code}`, {
			code: "state-unwritable",
			hint: "Make the repository's folder writable, then run spar init again.",
			cause: error,
		});
	}
	return error;
}

/** The file that was written, and its sources. */
export interface WrittenWorkflow {
	/** Absolute path of the file. */
	readonly path: string;
	readonly text: string;
	readonly project: ProjectKind;
	readonly agents: readonly StarterAgent[];
	/** Folders of the dependencies that `.gitignore` does not name. */
	readonly unignored: readonly string[];
}

interface StarterPlace {
	readonly root: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Absolute folder of the package or clone that runs. */
	readonly packageFolder: string;
}

interface StarterWishes extends Wanted {
	/** Shell command of the only acceptance check. */
	readonly command?: string | undefined;
	readonly task?: StarterFacts["task"];
}

/** Text of `sparring.yaml` for a repository, which loads without errors as it is. Writes nothing. */
export async function starterFile(
	place: StarterPlace,
	{ command, task, ...wanted }: StarterWishes,
): Promise<Omit<WrittenWorkflow, "path">> {
	const { root, env } = place;
	const { project, hosts, unixSockets } = await foundProject(root, env, command);
	const agents = starterAgents(env, wanted);
	const unignored = await unignoredOf(root, project.dependencies);
	const text = starterWorkflow({
		project,
		agents,
		unixSockets,
		hosts,
		sparring: packageFor(place),
		unignored,
		task,
	});
	return { text, project, agents, unignored };
}

/**
 * Writes `sparring.yaml` for a repository. The file loads without errors as it is.
 *
 * @throws Fault `usage` when the file exists and `force` is not set, `state-unwritable`, `disk-full`
 */
export async function initWorkflow(
	options: StarterPlace & { readonly force?: boolean },
): Promise<WrittenWorkflow> {
	const made = await starterFile(options, {});
	const file = path.join(options.root, FILE);
	await writeStarter(file, made.text, options.force);
	return { path: file, ...made };
}

/** @throws those of {@link initWorkflow} */
export async function writeStarter(file: string, text: string, force = false): Promise<void> {
	try {
		await writeFile(file, text, { flag: force ? "w" : "wx" });
	} catch (error) {
		throw writeFault(file, error);
	}
}
