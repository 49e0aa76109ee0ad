import { existsSync, rmSync } from "node:fs";
import type { Checkout } from "../git/checkout.ts";
import type { ProcessHost } from "../process/process.ts";
import { runSetup, type SetupRequest, type SetupResult } from "./setup.ts";

/** A checkout to bring to a commit and to set up. */
export interface CheckoutSetup extends Omit<SetupRequest, "checkout"> {
	readonly checkout: Checkout;
	readonly commit: string;
}

/**
 * Brings a checkout to a commit and runs its setup where it must. What a setup writes over tracked files is put back:
 * the checks would not test the commit otherwise, and it is nobody's work.
 *
 * @throws as `runSetup` does
 */
export async function setUpCheckout(
	{ checkout, commit, ...setup }: CheckoutSetup,
	signal: AbortSignal,
	run?: ProcessHost["run"],
): Promise<SetupResult> {
	// What a setup made is gone with the directory, whatever the state file says.
	if (!existsSync(checkout.dir)) rmSync(setup.stateFile, { force: true });
	await checkout.forceTo(commit);
	const result = await runSetup({ ...setup, checkout: checkout.dir }, signal, run);
	// A setup may have written its own `.env` over the user's.
	await checkout.putCopies();
	if (!result.ran) return result;
	const touched = await checkout.changedFiles(commit);
	if (touched.length > 0) await checkout.forceTo(commit);
	return result;
}
