import { existsSync, readFileSync, statSync } from "node:fs";
import { link, mkdir, readdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asideOf } from "../kernel/aside.ts";
import { attempt } from "../kernel/attempt.ts";
import { Fault } from "../kernel/fault.ts";
import { jsonIn, textAt } from "../kernel/fields.ts";
import { randomId } from "../kernel/ids.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { stateFault } from "../kernel/state-fault.ts";
import { replaceFile } from "../store/folder/replace-file.ts";
import { type HomePlaces, ID, ID_FILE, idOf, type Places } from "./places.ts";

const OWNER_FILE = "repository.json";

const ID_LENGTH = 12;

/**
 * Finds or makes the directory of a repository's checkouts, and takes it for this repository.
 *
 * A repository that was renamed or moved takes its id along and finds its checkouts again; the links to them are
 * repaired. A copy carries the id of its original, which the directory's owner file tells: while the original is still
 * there with that id, the copy takes a new one.
 *
 * @throws system errors when a place cannot be written
 */
export async function claimCheckouts(
	places: HomePlaces,
): Promise<{ readonly directory: string; readonly copiedFrom: string | null }> {
	const id = idOf(places.root) ?? (await firstId(places));
	const directory = join(places.checkoutsParent, id);
	const owner = ownerOf(directory);
	if (owner === places.root) return { directory, copiedFrom: null };
	if (owner !== null && isOther(owner, places.root) && idOf(owner) === id) {
		const fresh = newId(places.root);
		await replaceFile(join(places.stateDir, ID_FILE), `${fresh}\n`);
		return { directory: await take(places, fresh), copiedFrom: owner };
	}
	return { directory: await take(places, id), copiedFrom: null };
}

/**
 * The directory of a repository's checkouts for work that leaves nothing in the repository: the same as that of its runs,
 * also of those that come later.
 *
 * @throws Fault `state-unwritable` or `disk-full`
 */
export async function homeOutside(places: HomePlaces): Promise<string> {
	try {
		if (idOf(places.root) !== null) return (await claimCheckouts(places)).directory;
		return await take(places, idBefore(places.root));
	} catch (error) {
		throw error instanceof Fault ? error : stateFault(places.checkoutsParent, error);
	}
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

async function take(places: HomePlaces, id: string): Promise<string> {
	const directory = join(places.checkoutsParent, id);
	await mkdir(directory, { recursive: true });
	const owner = { root: places.root };
	await replaceFile(join(directory, OWNER_FILE), `${JSON.stringify(owner)}\n`);
	await repairLinks(places, directory);
	return directory;
}

// Links lead into this directory; those whose checkouts are not there are removed.
async function repairLinks({ stateDir }: HomePlaces, directory: string): Promise<void> {
	const folder = join(stateDir, "worktrees");
	for (const run of await readdir(folder).catch(() => [])) {
		const [path, target] = [join(folder, run), join(directory, run)];
		const present = await readlink(path).catch(() => null);
		if (present === null || present === target) continue;
		await rm(path, { force: true });
		if (existsSync(target)) await symlink(target, path);
	}
}

function ownerOf(directory: string): string | null {
	const file = join(directory, OWNER_FILE);
	return textAt(jsonIn(attempt(() => readFileSync(file, "utf8"), "")), "root");
}

function isOther(one: string, other: string): boolean {
	const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
	return a === undefined || b === undefined || a.dev !== b.dev || a.ino !== b.ino;
}

/** Id of a repository that has none: of its place and folder, since another one may come to stand there. */
function idBefore(root: string): string {
	const { dev, ino } = statSync(root, { bigint: true });
	const place = sha256(canonicalJson([root, String(dev), String(ino)]));
	return `${nameFor(root)}-${place.slice(0, ID_LENGTH)}`;
}

const newId = (root: string): string => `${nameFor(root)}-${randomId(ID_LENGTH)}`;

const nameFor = (root: string): string =>
	basename(root)
		.replaceAll(/[^A-Za-z0-9._-]/g, "_")
		.slice(0, 60) || "repository";

// Where another process gives one at the same time, one of both is kept.
async function firstId(places: HomePlaces): Promise<string> {
	await mkdir(places.stateDir, { recursive: true });
	const file = join(places.stateDir, ID_FILE);
	// Anything there that is not an id belongs to nobody.
	if (existsSync(file) && idOf(places.root) === null)
		await rm(file, { recursive: true, force: true });
	const aside = asideOf(file);
	// What checks kept serves the first run, too.
	const before = idBefore(places.root);
	const isKnown = ownerOf(join(places.checkoutsParent, before)) === places.root;
	const id = isKnown ? before : newId(places.root);
	await writeFile(aside, `${id}\n`);
	// Unlike a rename, a link never takes the place of a file that is there.
	await link(aside, file).catch(() => undefined);
	await rm(aside, { force: true });
	const kept = idOf(places.root);
	if (kept !== null) return kept;
	// A file system without hard links.
	await replaceFile(file, `${id}\n`);
	return id;
}

/** Directories beside the repository's own whose repository does not exist any more at the place that they name. */
export async function leftOverCheckouts({
	checkoutsParent,
}: HomePlaces): Promise<{ readonly directory: string; readonly root: string }[]> {
	const names = await readdir(checkoutsParent).catch(() => []);
	return names
		.toSorted((one, other) => (one < other ? -1 : 1))
		.flatMap((name) => {
			const directory = join(checkoutsParent, name);
			const root = ID.test(name) ? ownerOf(directory) : null;
			return root === null || existsSync(root) ? [] : [{ directory, root }];
		});
}
