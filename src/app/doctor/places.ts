import { constants } from "node:fs";
import { access, mkdtemp, rm, stat, statfs } from "node:fs/promises";
import path from "node:path";
import { formatDuration } from "../../kernel/duration.ts";
import { Fault } from "../../kernel/fault.ts";
import { knownCheckouts } from "../known-checkouts.ts";
import { placesOf } from "../places.ts";
import type { DoctorLine } from "./doctor-line.ts";

const MEBIBYTE = 1_048_576;

/** Free space below which checkouts of an ordinary project soon fail. */
const LITTLE_MIB = 1_024;

/** Free space below which a run cannot be expected to work at all. */
const TOO_LITTLE_MIB = 50;

const exists = async (file: string): Promise<boolean> => {
	try {
		await stat(file);
		return true;
	} catch {
		return false;
	}
};

/** The folder itself, or the nearest one above it that exists: where it would be made. */
async function nearestFolder(folder: string): Promise<string> {
	let nearest = folder;
	while (!(await exists(nearest)) && path.dirname(nearest) !== nearest) {
		nearest = path.dirname(nearest);
	}
	return nearest;
}

/** Why nothing can be written in a folder; undefined when it can. Asks the disk: rights alone do not tell. */
async function writeProblem(folder: string): Promise<string | undefined> {
	const nearest = await nearestFolder(folder);
	try {
		await access(nearest, constants.W_OK | constants.X_OK);
		const probe = await mkdtemp(path.join(nearest, ".sparring-doctor-"));
		await rm(probe, { recursive: true });
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Whether the state directory can be written. */
export async function stateLine(root: string): Promise<DoctorLine> {
	const folder = path.join(root, ".sparring");
	const problem = await writeProblem(folder);
	return problem === undefined
		? { name: "state directory", ok: true, detail: folder, fix: null }
		: {
				name: "state directory",
				ok: false,
				detail: `${folder} cannot be written: ${problem}`,
				fix: "Make the repository's folder writable and free some space.",
			};
}

/** Whether the database, when there is one, opens and is sound. */
export async function databaseLine(root: string): Promise<DoctorLine> {
	const name = "database";
	const file = path.join(root, ".sparring", "sparring.db");
	if (!(await exists(file))) {
		return { name, ok: true, detail: "none yet; the first run makes it", fix: null };
	}
	const startedMs = performance.now();
	try {
		const { DatabaseSync } = await import("node:sqlite");
		const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
		try {
			const answer = JSON.stringify(database.prepare("PRAGMA quick_check(1)").get());
			if (!answer.includes('"ok"')) throw new Error(answer);
		} finally {
			database.close();
		}
		const took = formatDuration(performance.now() - startedMs);
		return { name, ok: true, detail: `${file} is sound (checked in ${took})`, fix: null };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return {
			name,
			ok: false,
			detail: `${file} cannot be read: ${why}`,
			fix: "Move the file away and keep it: branches of earlier runs stay, and a new run makes a new database.",
		};
	}
}

/** The place of the checkouts, or the fault that refuses it. */
function checkoutPlace(
	root: string,
	env: Readonly<Record<string, string | undefined>>,
): string | Fault {
	try {
		const places = placesOf(root, env);
		return knownCheckouts(places) ?? places.checkoutsParent;
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
}

/** Whether checkouts can be made, and whether the disk has room for them. */
export async function checkoutPlaceLine(
	root: string,
	env: Readonly<Record<string, string | undefined>>,
): Promise<DoctorLine> {
	const name = "checkouts";
	const folder = checkoutPlace(root, env);
	if (folder instanceof Fault) {
		return { name, ok: false, detail: folder.message, fix: folder.hint ?? null };
	}
	const problem = await writeProblem(folder);
	if (problem !== undefined) {
		return {
			name,
			ok: false,
			detail: `${folder} cannot be written: ${problem}`,
			fix: "Make it writable, or name another place with SPAR_CHECKOUTS.",
		};
	}
	const { bavail, bsize } = await statfs(await nearestFolder(folder));
	const freeMib = Math.floor((bavail * bsize) / MEBIBYTE);
	const enough = freeMib >= LITTLE_MIB;
	return {
		name,
		ok: enough || (freeMib >= TOO_LITTLE_MIB ? "warn" : false),
		detail: `${folder}, ${freeMib} MiB free`,
		fix: enough ? null : "Free some space, or name another place with SPAR_CHECKOUTS.",
	};
}
