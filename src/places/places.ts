import { realpathSync } from "node:fs";
import { lstat, mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type GitHost, standardHost } from "../git/standard-host.ts";
import { Fault } from "../kernel/fault.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { knownCheckouts } from "./known-checkouts.ts";
import { type NamedStore, namedStore } from "./store-address.ts";

export interface Places extends NamedStore {
	readonly root: string;
	readonly stateDir: string;
	readonly database: string;
	readonly checkoutsParent: string;
	readonly host: GitHost;
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
	if (isInside(root, parent) || isInside(realPathOf(root), realPathOf(parent))) {
		throw new Fault(`checkouts would stand in ${parent}, which is inside the repository ${root}`, {
			code: "usage",
			hint: "Set SPAR_CHECKOUTS to a directory outside of every repository.",
		});
	}
	const database = join(stateDir, "sparring.db");
	const store = namedStore(root, env);
	return { root, stateDir, database, ...store, checkoutsParent: parent, host: gitHost(env) };
}

export function isInside(parent: string, path: string): boolean {
	const way = relative(parent, path);
	return way === "" || (way !== ".." && !way.startsWith("../") && !isAbsolute(way));
}

/** A path with its links followed; what does not exist yet is kept as it is. */
export function realPathOf(path: string): string {
	const present = realpathIfThere(path);
	const parent = dirname(path);
	if (present !== null || parent === path) return present ?? path;
	return join(realPathOf(parent), basename(path));
}

function realpathIfThere(path: string): string | null {
	try {
		return realpathSync(path);
	} catch {
		return null;
	}
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

/**
 * Directory of a run's checkouts.
 *
 * @throws Fault `checkout-lost` when the repository has lost its id since the run was taken
 */
export function runDirectory(places: Places, runId: string): string {
	const checkouts = knownCheckouts(places);
	if (checkouts !== null) return join(checkouts, runId);
	throw new Fault(`${places.stateDir} does not say any more where the checkouts of ${runId} are`, {
		code: "checkout-lost",
		hint: `Continue with \`spar resume ${runId}\`: checkouts that are missing are made again.`,
	});
}

/** Directory of results of setups for all runs of the repository; null when none of its runs made a checkout yet. */
export function setupShelf(places: Places): string | null {
	const checkouts = knownCheckouts(places);
	return checkouts === null ? null : join(checkouts, "setups");
}

/**
 * Makes the directory of a run's checkouts and the link to it in `.sparring/worktrees`.
 *
 * @param onNotice told when this repository is found to be a copy of another one, whose checkouts it leaves alone
 */
export async function makeRunDirectory(
	places: Places,
	runId: string,
	onNotice: (text: string) => void = () => undefined,
): Promise<string> {
	const { claimCheckouts } = await import("./checkouts-home.ts");
	const link = join(places.stateDir, "worktrees", runId);
	try {
		const { directory: home, copiedFrom } = await claimCheckouts(places);
		if (copiedFrom !== null) {
			onNotice(
				`this repository is a copy of ${copiedFrom}: its checkouts stand in ${home} from now on`,
			);
		}
		const directory = join(home, runId);
		await mkdir(directory, { recursive: true });
		await mkdir(join(places.stateDir, "worktrees"), { recursive: true });
		const present = await readlink(link).catch(() => null);
		if (present === directory) return directory;
		await rm(link, { recursive: true, force: true });
		await symlink(directory, link);
		return directory;
	} catch (error) {
		throw error instanceof Fault ? error : stateFault(places.checkoutsParent, error);
	}
}

export function gitHost(env: Readonly<Record<string, string | undefined>>): GitHost {
	const configHome = env["XDG_CONFIG_HOME"];
	return {
		path: env["PATH"] ?? standardHost.path,
		home: env["HOME"] ?? homedir(),
		...(configHome === undefined || configHome === "" ? {} : { configHome }),
	};
}
