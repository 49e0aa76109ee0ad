import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { runSetup } from "../evidence/setup.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Ground } from "./context.ts";
import { SETUP_TIMEOUT_MS, setupKeyAt } from "./setup-keys.ts";

/** What a checkout is set up with. */
export type SetupGround = Pick<
	Ground,
	| "run"
	| "task"
	| "workflow"
	| "places"
	| "vault"
	| "masker"
	| "environment"
	| "host"
	| "signal"
	| "commit"
	| "log"
>;

/**
 * Brings a checkout to a commit and runs its setup where it must.
 *
 * @returns null when it is ready; else why the setup failed
 */
export async function prepareCheckout(
	context: SetupGround,
	options: { readonly checkout: Checkout; readonly name: string; readonly commit: string },
): Promise<string | null> {
	// What a setup made is gone with the directory, whatever the state file says.
	if (!existsSync(options.checkout.dir))
		await rm(setupStateFile(context, options.name), { force: true });
	await options.checkout.forceTo(options.commit);
	const { setup } = context.workflow;
	if (setup.length === 0) return null;
	const result = await runSetup(
		{
			checkout: options.checkout.dir,
			commands: setup,
			key: await setupKeyAt(context, options.commit),
			stateFile: setupStateFile(context, options.name),
			env: context.environment([]),
			mark: `${context.run.runId}:${context.task.id}:setup:${options.name}`,
			tmpDir: `${context.places.work}/tmp/setup-${options.name}`,
			masker: context.masker,
			timeoutMs: SETUP_TIMEOUT_MS,
			force: false,
		},
		context.signal,
		context.host.run,
	);
	if (result.ran) {
		// What a setup writes over tracked files is nobody's work.
		const touched = await options.checkout.changedFiles(options.commit);
		if (touched.length > 0) await options.checkout.forceTo(options.commit);
		await context.commit([
			context.log.event("setup-ran", {
				checkout: options.name,
				status: result.status,
				ms: result.ms,
				reason: result.reason,
			}),
		]);
	}
	return result.status === "pass" ? null : (result.reason ?? "no reason given");
}

/** File that holds the key of the last good setup of a checkout. */
export function setupStateFile(context: Pick<Ground, "places">, name: string): string {
	return `${context.places.work}/setup-${name}.key`;
}
