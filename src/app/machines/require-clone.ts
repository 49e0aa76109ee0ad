import { Fault } from "../../kernel/fault.ts";
import type { Lease, Leases } from "../../store/records.ts";
import { claimCheckouts } from "../checkouts-home.ts";
import { makeStateDirectory, type Places } from "../places.ts";

/**
 * Takes this clone for one worker: two would share checkouts and the vault of a run.
 *
 * @throws Fault `run-held` while another process works here
 */
export async function requireClone(leases: Leases, places: Places): Promise<Lease> {
	await makeStateDirectory(places);
	const { directory } = await claimCheckouts(places);
	// The directory of the checkouts is named by the id of the repository, which each clone has for itself.
	const clone = `clone-${directory.split("/").at(-1) ?? ""}`;
	try {
		return await leases.take(clone);
	} catch (error) {
		if (!(error instanceof Fault && error.code === "run-held")) throw error;
		const holder = await leases.holder(clone);
		const who = holder === undefined ? "" : ` (${holder.host}, pid ${holder.pid})`;
		throw new Fault(`a worker${who} works in this clone already`, {
			code: "run-held",
			hint: "Give that worker more --slots, or start this one in a clone of its own.",
			cause: error,
		});
	}
}
