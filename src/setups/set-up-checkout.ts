import { existsSync, rmSync } from "node:fs";
import type { Checkout } from "../git/checkout.ts";
import type { ProcessHost } from "../process/process.ts";
import { MadeFiles } from "./made-files.ts";
import { isSetUp, runSetup, type SetupRequest, type SetupResult } from "./setup.ts";

/** A checkout to bring to a commit and to set up. */
export interface CheckoutSetup extends Omit<SetupRequest, "checkout"> {
	readonly checkout: Checkout;
	readonly commit: string;
}

/**
 * Brings a checkout to a commit and runs its setup where it must. What a setup writes over tracked files is put back:
 * the checks would not test the commit otherwise, and it is nobody's work.
 *
 * A checkout with a home of its own stands alone in its folder. There is nothing in it afterwards but the commit and what
 * its setup made; where something of that was changed, the setup is made again, from nothing.
 *
 * @throws as `runSetup` does
 */
export async function setUpCheckout(
	{ checkout, commit, ...setup }: CheckoutSetup,
	signal: AbortSignal,
	run?: ProcessHost["run"],
): Promise<SetupResult> {
	const { stateFile, key, force } = setup;
	// What a setup made is gone with the directory, whatever the state file says.
	if (!existsSync(checkout.dir)) rmSync(stateFile, { force: true });
	await checkout.forceTo(commit);
	const made = setup.home !== null ? new MadeFiles(checkout, `${stateFile}.made`) : null;
	// Behind `forceTo`, which takes away what git does not ignore.
	const isMade = !force && isSetUp(stateFile, key) && (await made?.restore());
	if (made !== null && isMade !== true) {
		rmSync(stateFile, { force: true });
		if (await made.clear()) await checkout.forceTo(commit);
	}
	const result = await runSetup({ ...setup, checkout: checkout.dir }, signal, run);
	const touched = result.ran ? await checkout.changedFiles(commit) : [];
	if (touched.length > 0) await checkout.forceTo(commit);
	if (isMade !== true && result.status === "pass" && setup.commands.length > 0) {
		await made?.record(commit);
	}
	// A setup may have written its own `.env` over the user's.
	await checkout.putCopies();
	return result;
}
