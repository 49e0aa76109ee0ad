import { lstat, mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { sha256 } from "../kernel/json.ts";
import { stateFault } from "./state-fault.ts";

/** Where a repository's state and checkouts live. Absolute paths. */
export interface Places {
	/** Top of the repository's work tree. */
	readonly root: string;
	/** `.sparring` in it. */
	readonly stateDir: string;
	readonly database: string;
	/** Parent of the checkouts of every run of this repository: outside of it. */
	readonly checkouts: string;
}

/** Names that repositories of the same name do not share: 8 digits of the path's hash. */
function repositoryName(root: string): string {
	const name = basename(root).replaceAll(/[^A-Za-z0-9._-]/g, "_") || "repository";
	return `${name}-${sha256(root).slice(0, 8)}`;
}

/**
 * The places of a repository: checkouts stand under `$SPAR_CHECKOUTS`, else under `$XDG_STATE_HOME/sparring`, else
 * under `~/.local/state/sparring`.
 *
 * @throws Fault `usage` when the checkouts would stand inside the repository
 */
export function placesOf(root: string, env: Readonly<Record<string, string | undefined>>): Places {
	const stateDir = join(root, ".sparring");
	const home = env["HOME"] ?? homedir();
	const named = env["SPAR_CHECKOUTS"];
	const stateHome = env["XDG_STATE_HOME"] || join(home, ".local", "state");
	const parent = named === undefined || named === "" ? join(stateHome, "sparring") : resolve(named);
	if (isInside(root, parent)) {
		throw new Fault(`checkouts would stand in ${parent}, which is inside the repository ${root}`, {
			code: "usage",
			hint: "Set SPAR_CHECKOUTS to a directory outside of every repository.",
		});
	}
	return {
		root,
		stateDir,
		database: join(stateDir, "sparring.db"),
		// Readers never ask, and the name costs a hash.
		get checkouts() {
			return join(parent, repositoryName(root));
		},
	};
}

function isInside(parent: string, path: string): boolean {
	const way = relative(parent, path);
	return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

/** Makes `.sparring`, which ignores itself. @throws Fault `state-unwritable` or `disk-full` */
export async function makeStateDirectory(places: Places): Promise<void> {
	const present = await lstat(places.stateDir).catch(() => null);
	if (present !== null && !present.isDirectory()) {
		const what = present.isSymbolicLink() ? "a symbolic link" : "a file";
		throw new Fault(`${places.stateDir} is ${what}, but Sparring keeps its state there`, {
			code: "state-unwritable",
			hint: "Move it away, then run again.",
		});
	}
	try {
		await mkdir(places.stateDir, { recursive: true });
		await writeFile(join(places.stateDir, ".gitignore"), "*\n");
	} catch (error) {
		throw stateFault(places.stateDir, error);
	}
}

/** Directory of a run's checkouts. */
export function runDirectory(places: Places, runId: string): string {
	return join(places.checkouts, runId);
}

/** Makes the directory of a run's checkouts and the link to it in `.sparring/worktrees`. */
export async function makeRunDirectory(places: Places, runId: string): Promise<string> {
	const directory = runDirectory(places, runId);
	const link = join(places.stateDir, "worktrees", runId);
	try {
		await mkdir(directory, { recursive: true });
		await mkdir(join(places.stateDir, "worktrees"), { recursive: true });
		const present = await readlink(link).catch(() => null);
		if (present === directory) return directory;
		await rm(link, { recursive: true, force: true });
		await symlink(directory, link);
		return directory;
	} catch (error) {
		throw stateFault(directory, error);
	}
}
