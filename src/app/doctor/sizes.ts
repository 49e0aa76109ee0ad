import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { formatBytes } from "../../kernel/bytes.ts";
import { Fault } from "../../kernel/fault.ts";
import { leftOverCheckouts } from "../checkouts-home.ts";
import { allocatedBytes } from "../disk-size.ts";
import { knownCheckouts } from "../known-checkouts.ts";
import { type Places, placesOf, setupShelf } from "../places.ts";
import { setupCacheSize } from "../setup-cache.ts";
import type { DoctorLine, DoctorPlace } from "./doctor-line.ts";

/** What Sparring keeps on the disk for a repository, and what it kept for repositories that are gone. */
export async function sizeLines(
	root: string,
	env: DoctorPlace["env"],
): Promise<readonly DoctorLine[]> {
	const places = knownPlaces(root, env);
	if (places === null) return [];
	const seen = new Set<string>();
	return [
		await stateSizeLine(places, seen),
		await checkoutsSizeLine(places, seen),
		await setupCacheLine(places),
		...(await leftOverLines(places, seen)),
	];
}

/** Null where another line says why there is no place for checkouts. */
function knownPlaces(root: string, env: DoctorPlace["env"]): Places | null {
	try {
		return placesOf(root, env);
	} catch (error) {
		if (error instanceof Fault) return null;
		throw error;
	}
}

async function stateSizeLine({ stateDir }: Places, seen: Set<string>): Promise<DoctorLine> {
	const parts: { readonly name: string; readonly bytes: number }[] = [];
	for (const name of await readdir(stateDir).catch(() => [])) {
		parts.push({ name, bytes: await allocatedBytes(join(stateDir, name), seen) });
	}
	const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
	const shown = parts
		.toSorted((one, other) => other.bytes - one.bytes)
		.slice(0, 4)
		.map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`);
	const list = shown.length === 0 ? "" : ` (${shown.join(", ")})`;
	const detail = `${stateDir}: ${formatBytes(total)}${list}`;
	return { name: "state size", ok: true, detail, fix: null };
}

async function checkoutsSizeLine(places: Places, seen: Set<string>): Promise<DoctorLine> {
	const name = "checkouts size";
	const directory = knownCheckouts(places);
	if (directory === null) return { name, ok: true, detail: "none yet", fix: null };
	const bytes = await allocatedBytes(directory, seen);
	return { name, ok: true, detail: `${directory}: ${formatBytes(bytes)}`, fix: null };
}

async function setupCacheLine(places: Places): Promise<DoctorLine> {
	const { results, bytes } = await setupCacheSize(places);
	const detail =
		results === 0
			? "nothing is kept"
			: `${setupShelf(places)}: ${formatBytes(bytes)}, ${results} kept`;
	return { name: "setup cache", ok: true, detail, fix: null };
}

async function leftOverLines(places: Places, seen: Set<string>): Promise<DoctorLine[]> {
	const lines: DoctorLine[] = [];
	for (const { directory, root } of await leftOverCheckouts(places)) {
		const size = formatBytes(await allocatedBytes(directory, seen));
		lines.push({
			name: "left-over checkouts",
			ok: "warn",
			detail: `${directory}: ${size}, of ${root}, which is gone`,
			fix: `Remove it: rm -r '${directory.replaceAll("'", "'\\''")}', or spar prune --force. If the repository was moved, run any spar resume or spar run there first.`,
		});
	}
	return lines;
}
