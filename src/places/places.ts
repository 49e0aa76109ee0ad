import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { lstat, mkdir, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { type GitHost, standardHost } from "../git/standard-host.ts";
import { attempt } from "../kernel/attempt.ts";
import type { Blobs } from "../kernel/blobs.ts";
import { Fault } from "../kernel/fault.ts";
import { sha256 } from "../kernel/json.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { isDelivered } from "../kernel/task-state.ts";
import type { TaskRecord } from "../store/records.ts";
import type { TaskPlace } from "../view/read-task.ts";
import { type NamedStore, namedStore } from "./store-address.ts";

export interface Places extends NamedStore {
	readonly root: string;
	readonly stateDir: string;
	readonly database: string;
	readonly checkoutsParent: string;
	readonly host: GitHost;
}

/** Name of the workflow file at the top of a repository. */
export const WORKFLOW_FILE = "sparring.yaml";

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
	const present = attempt(() => realpathSync(path), null);
	const parent = dirname(path);
	if (present !== null || parent === path) return present ?? path;
	return join(realPathOf(parent), basename(path));
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

export type HomePlaces = Pick<Places, "root" | "stateDir" | "checkoutsParent">;

export const ID_FILE = "repository-id";

/** A name, and random characters. */
export const ID = /^[A-Za-z0-9._-]{1,100}-[0-9a-z]{12}$/;

// Null when none of its runs made a checkout yet.
export function idOf(root: string): string | null {
	const id = attempt(() => readFileSync(join(root, ".sparring", ID_FILE), "utf8").trim(), "");
	return ID.test(id) ? id : null;
}

/** The directory of the checkouts as the repository's id names it; null without one. Creates nothing. */
export function knownCheckouts({ root, checkoutsParent }: HomePlaces): string | null {
	const id = idOf(root);
	return id === null ? null : join(checkoutsParent, id);
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

export function gitHost(env: Readonly<Record<string, string | undefined>>): GitHost {
	const configHome = env["XDG_CONFIG_HOME"];
	return {
		path: env["PATH"] ?? standardHost.path,
		home: env["HOME"] ?? homedir(),
		...(configHome === undefined || configHome === "" ? {} : { configHome }),
	};
}

export const PLAYER_CHECKOUT = "player";

const MOST_CHARACTERS = 20;

/**
 * Directory of a checkout: in a folder of its own, under a name that no other one has on this machine. Tools derive names
 * from it, such as Docker Compose of its containers. It keeps it when the repository is renamed or moved.
 *
 * @param work absolute directory of its task, below that of its run
 * @param name of the checkout among those of the task
 */
export function checkoutDirectory({ root }: Places, work: string, name: string): string {
	const folder = join(work, name);
	const present = existsSync(folder) ? readdirSync(folder).filter((each) => ENDING.test(each)) : [];
	const [known, ...others] = present;
	// Not by its ending where it is alone: the library of hashes takes as long to load as a database to open.
	if (known !== undefined && others.length === 0) return join(folder, known);
	const ending = `-${sha256([basename(dirname(work)), basename(work), name].join("/")).slice(0, 6)}`;
	const words = basename(root)
		.toLowerCase()
		.replaceAll(/[^a-z0-9]+/g, "-");
	const repository = words.slice(0, MOST_CHARACTERS).replaceAll(/^-+|-+$/g, "") || "repository";
	return join(folder, present.find((each) => each.endsWith(ending)) ?? `${repository}${ending}`);
}

const ENDING = /-[0-9a-f]{6}$/;

/**
 * Absolute path of a task's player's checkout: where its work is looked at and, after a failure, kept.
 *
 * @returns null where there is none: before the task began, for a formal review, once its work has merged, and after it
 * was removed
 */
export function keptCheckout(
	places: Places,
	{ runId, taskId, ...task }: Pick<TaskRecord, "runId" | "taskId" | "status" | "merged" | "flags">,
): string | null {
	const checkouts = knownCheckouts(places);
	// Of merged work it is about to be removed, where it is still there.
	if (checkouts === null || (task.status === "completed" && isDelivered(task))) return null;
	const directory = checkoutDirectory(places, join(checkouts, runId, taskId), PLAYER_CHECKOUT);
	return existsSync(directory) ? directory : null;
}

export const transcriptFolder = ({ runId, taskId }: TaskPlace): string =>
	`transcripts/${runId}/${taskId}`;

export const outputFolder = ({ runId, taskId }: TaskPlace): string =>
	`runs/${runId}/evidence/${taskId}`;

/** Tells whether the files that a run wrote for people are still there. */
export const hasOutputs = (blobs: Blobs, runId: string): Promise<boolean> =>
	blobs.has(`runs/${runId}`);

/** Tells whether there is a store to read: a database in the repository, which the first run makes. */
export function hasStore(places: Pick<Places, "store" | "database">): boolean {
	return places.store !== null || existsSync(places.database);
}
