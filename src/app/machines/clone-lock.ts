import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Fault } from "../../kernel/fault.ts";
import { claimCheckouts } from "../checkouts-home.ts";
import { makeStateDirectory, type Places } from "../places.ts";

export interface CloneLock {
	/** The directory of the clone's checkouts. */
	readonly directory: string;
	release(): void;
}

/**
 * Takes this clone for one worker: two would share checkouts and the vault of a run. The lock is the file system's, by way
 * of SQLite, so it ends with the process, however that ends.
 *
 * @throws Fault `run-held` while another process works here
 */
export async function lockClone(places: Places): Promise<CloneLock> {
	await makeStateDirectory(places);
	const { directory } = await claimCheckouts(places);
	const holder = join(directory, "worker");
	const lock = new DatabaseSync(`${holder}.lock`, { timeout: 0 });
	try {
		lock.exec("BEGIN EXCLUSIVE");
	} catch (cause) {
		lock.close();
		throw new Fault(`a worker (${readFileSync(holder, "utf8")}) works in this clone already`, {
			code: "run-held",
			hint: "Give that worker more --slots, or start this one in a clone of its own.",
			cause,
		});
	}
	writeFileSync(holder, `${hostname()}, pid ${process.pid}`);
	return { directory, release: () => lock.close() };
}
