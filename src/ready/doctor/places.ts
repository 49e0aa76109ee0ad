import { constants, existsSync } from "node:fs";
import { access, mkdtemp, readdir, rm, statfs } from "node:fs/promises";
import path from "node:path";
import { formatBytes } from "../../kernel/bytes.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { Fault } from "../../kernel/fault.ts";
import { leftOverCheckouts } from "../../places/checkouts-home.ts";
import { allocatedBytes } from "../../places/disk-size.ts";
import { knownCheckouts, type Places, placesOf, setupShelf } from "../../places/places.ts";
import { setupCacheSize } from "../../places/setup-cache.ts";
import {
	brokenLine,
	type DoctorLine,
	type DoctorPlace,
	faultLine,
	soundLine,
	warningLine,
} from "../../seats/doctor-line.ts";

type Environment = DoctorPlace["env"];

const MEBIBYTE = 1_048_576;

const LITTLE_MIB = 1_024;

// With less free space a run cannot be expected to work at all.
const TOO_LITTLE_MIB = 50;

function nearestFolder(folder: string): string {
	const above = path.dirname(folder);
	return existsSync(folder) || above === folder ? folder : nearestFolder(above);
}

// Asks the disk: rights alone do not tell.
async function writeProblem(folder: string): Promise<string | undefined> {
	const nearest = nearestFolder(folder);
	try {
		await access(nearest, constants.W_OK | constants.X_OK);
		const probe = await mkdtemp(path.join(nearest, ".sparring-doctor-"));
		await rm(probe, { recursive: true });
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

export async function stateLine(root: string): Promise<DoctorLine> {
	const folder = path.join(root, ".sparring");
	const problem = await writeProblem(folder);
	if (problem === undefined) return soundLine("state directory", folder);
	const fix = "Make the repository's folder writable and free some space.";
	return brokenLine("state directory", `${folder} cannot be written: ${problem}`, fix);
}

export async function databaseLine(root: string): Promise<DoctorLine> {
	const name = "database";
	const file = path.join(root, ".sparring", "sparring.db");
	if (!existsSync(file)) return soundLine(name, "none yet; the first run makes it");
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
		return soundLine(name, `${file} is sound (checked in ${took})`);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		const fix =
			"Move the file away and keep it: branches of earlier runs stay, and a new run makes a new database.";
		return brokenLine(name, `${file} cannot be read: ${why}`, fix);
	}
}

function placesIn(root: string, env: Environment): Places | Fault {
	try {
		const places = placesOf(root, env);
		knownCheckouts(places);
		return places;
	} catch (error) {
		if (error instanceof Fault) return error;
		throw error;
	}
}

export async function checkoutPlaceLine(root: string, env: Environment): Promise<DoctorLine> {
	const name = "checkouts";
	const places = placesIn(root, env);
	if (places instanceof Fault) return faultLine(name, places);
	const folder = knownCheckouts(places) ?? places.checkoutsParent;
	const problem = await writeProblem(folder);
	if (problem !== undefined) {
		const fix = "Make it writable, or name another place with SPAR_CHECKOUTS.";
		return brokenLine(name, `${folder} cannot be written: ${problem}`, fix);
	}
	const { bavail, bsize } = await statfs(nearestFolder(folder));
	const freeMib = Math.floor((bavail * bsize) / MEBIBYTE);
	const enough = freeMib >= LITTLE_MIB;
	return {
		name,
		ok: enough || (freeMib >= TOO_LITTLE_MIB ? "warn" : false),
		detail: `${folder}, ${freeMib} MiB free`,
		fix: enough ? null : "Free some space, or name another place with SPAR_CHECKOUTS.",
	};
}

export async function sizeLines(root: string, env: Environment): Promise<readonly DoctorLine[]> {
	const places = placesIn(root, env);
	// Another line says why there is no place for checkouts.
	if (places instanceof Fault) return [];
	const seen = new Set<string>();
	return [
		await stateSizeLine(places, seen),
		await checkoutsSizeLine(places, seen),
		await setupCacheLine(places),
		...(await leftOverLines(places, seen)),
	];
}

async function stateSizeLine({ stateDir }: Places, seen: Set<string>): Promise<DoctorLine> {
	const parts: { readonly name: string; readonly bytes: number }[] = [];
	for (const name of await readdir(stateDir).catch(() => [])) {
		parts.push({ name, bytes: await allocatedBytes(path.join(stateDir, name), seen) });
	}
	const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
	const shown = parts
		.toSorted((one, other) => other.bytes - one.bytes)
		.slice(0, 4)
		.map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`);
	const list = shown.length === 0 ? "" : ` (${shown.join(", ")})`;
	const detail = `${stateDir}: ${formatBytes(total)}${list}`;
	return soundLine("state size", detail);
}

async function checkoutsSizeLine(places: Places, seen: Set<string>): Promise<DoctorLine> {
	const name = "checkouts size";
	const directory = knownCheckouts(places);
	if (directory === null) return soundLine(name, "none yet");
	const bytes = await allocatedBytes(directory, seen);
	return soundLine(name, `${directory}: ${formatBytes(bytes)}`);
}

async function setupCacheLine(places: Places): Promise<DoctorLine> {
	const { results, bytes } = await setupCacheSize(places);
	const detail =
		results === 0
			? "nothing is kept"
			: `${setupShelf(places)}: ${formatBytes(bytes)}, ${results} kept`;
	return soundLine("setup cache", detail);
}

async function leftOverLines(places: Places, seen: Set<string>): Promise<DoctorLine[]> {
	const lines: DoctorLine[] = [];
	for (const { directory, root } of await leftOverCheckouts(places)) {
		const size = formatBytes(await allocatedBytes(directory, seen));
		const detail = `${directory}: ${size}, of ${root}, which is gone`;
		const fix = `Remove it: rm -r '${directory.replaceAll("'", "'\\''")}', or spar prune --force. If the repository was moved, run any spar resume or spar run there first.`;
		lines.push(warningLine("left-over checkouts", detail, fix));
	}
	return lines;
}
