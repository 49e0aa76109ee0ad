import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { Repository } from "../../git/repository.ts";
import { storesBelow } from "../../git/submodules.ts";
import { temporaryParents } from "../../setups/own-temporary.ts";
import { ID } from "../known-checkouts.ts";
import type { Places } from "../places.ts";

export type ConfinedRepository = Pick<Repository, "root" | "commonDir" | "objectsDir">;
export type StatePlaces = Pick<Places, "stateDir" | "checkoutsParent" | "host">;

/**
 * Places that confined processes may not write, those that they may not even see, and those that they see all the same: the objects that
 * checkouts borrow.
 *
 * Closed are the repository with all its work trees, the state, the folder of all checkouts and that of temporary ones. A folder that holds the
 * home directory stays open, since programs have their files there; what Sparring has in it is closed.
 */
export function confinedPlaces(
	{ root, commonDir, objectsDir }: ConfinedRepository,
	{ stateDir, checkoutsParent, host }: StatePlaces,
): { readonly never: string[]; readonly closed: string[]; readonly shared: string[] } {
	const never = [root, commonDir, stateDir];
	const places = [
		...never,
		...workTrees(commonDir),
		checkoutsParent,
		...temporaryParents(),
		...namesIn(checkoutsParent)
			.filter((name) => ID.test(name))
			.map((name) => join(checkoutsParent, name)),
	];
	return {
		never,
		closed: places.filter((place) => !holdsHome(place, host.home)),
		shared: [
			objectsDir,
			join(commonDir, "lfs/objects"),
			...storesBelow(join(commonDir, "modules")),
		],
	};
}

/** The main work tree and the linked ones, by the files in which git keeps them. */
function workTrees(commonDir: string): string[] {
	const main = basename(commonDir) === ".git" ? [dirname(commonDir)] : [];
	const linked = namesIn(join(commonDir, "worktrees")).flatMap((name) => {
		const file = textOf(join(commonDir, "worktrees", name, "gitdir"));
		return file === null ? [] : [dirname(file.trim())];
	});
	return [...main, ...linked];
}

function holdsHome(place: string, home: string): boolean {
	const [real, realHome] = [realPath(place), realPath(home === "" ? homedir() : home)];
	const way = relative(real, realHome);
	return way !== ".." && !way.startsWith("../");
}

function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}

function textOf(file: string): string | null {
	try {
		return readFileSync(file, "utf8");
	} catch {
		return null;
	}
}
