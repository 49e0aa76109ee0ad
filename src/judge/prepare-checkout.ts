import { filesAt, readFileAt, treeOf } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import { keptAnswers } from "../git/kept-answers.ts";
import { missingSubmodules } from "../git/submodules.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { homeOf } from "../setups/execution.ts";
import { ENTRY_FORMAT } from "../setups/kept/entry-file.ts";
import { isDependencies } from "../setups/kept/kept-setups.ts";
import {
	makesEnvironment,
	readsOnlyInputs,
	saysHowToInstall,
} from "../setups/kept/reads-inputs.ts";
import { setUpCheckout } from "../setups/set-up-checkout.ts";
import type { SetupResult } from "../setups/setup.ts";
import { setupKey } from "../setups/setup-key.ts";
import type { Stand } from "./stand.ts";
import { tellingLines } from "./telling-lines.ts";

interface TaskCheckout {
	readonly checkout: Checkout;
	readonly name: string;
	readonly commit: string;
	/** `true`: the setup runs in any case. `again`: only where it must. Nothing that is kept is used with either. */
	readonly cold?: boolean | "again";
}

/** Brings a checkout to a commit and runs its setup where it must. @returns null when it is ready; else why not */
export async function prepareCheckout(ground: Stand, own: TaskCheckout): Promise<string | null> {
	const { status, reason } = await setUp(ground, own);
	return status === "pass" ? null : (reason ?? "no reason given");
}

export async function setUp(ground: Stand, own: TaskCheckout): Promise<SetupResult> {
	const { run, task, places, workflow } = ground;
	const { checkout, name, commit, cold = false } = own;
	// Agents have the user's home, where they are signed in, and what they run in their checkouts has too.
	const isAgents = [places.player, places.coach, places.verifier].includes(checkout);
	const home = isAgents ? null : homeOf(checkout.dir);
	const key = await setupKeyAt(ground, commit);
	const result = await setUpCheckout(
		{
			checkout,
			commit,
			commands: workflow.setup,
			key,
			stateFile: `${places.work}/setup-${name}.key`,
			env: ground.environment([]),
			mark: `${run.runId}:${task.id}:setup:${name}`,
			work: places.work,
			home,
			shown: ground.shown,
			confines: ground.host.confines,
			masker: ground.masker,
			timeoutMs: SETUP_TIMEOUT_MS,
			onRun: () => ground.onStep?.({ name: "setup", run: workflow.setup.join("; "), baseMs: null }),
			force: cold === true,
			kept: cold === false ? () => keptSetup(ground, own, { key, home }) : undefined,
		},
		ground.signal,
		ground.host.run,
	);
	if (result.ran) {
		const { status, ms, reason, output } = result;
		const said =
			status === "pass" ? undefined : tellingLines({ status: "error", outputTail: output });
		await ground.evidence.tell("setup-ran", { checkout: name, status, ms, reason, said });
	}
	return result;
}

// A setup that fits the inputs of the run's base commit is made from that commit, which is the user's, and shared by
// all runs. One for other inputs is made from the task's commit, and stays with the task. Null when nothing kept fits.
async function keptSetup(
	ground: Stand,
	{ checkout, name, commit }: TaskCheckout,
	{ key, home }: { readonly key: string; readonly home: string | null },
): Promise<SetupResult | null> {
	const { setups, run, vault, places, clock } = ground;
	if (setups === null || makesEnvironment(ground.workflow.setup)) return null;
	const startedAt = clock.now();
	const isShared = key === (await setupKeyAt(ground, run.baseCommit));
	const source = isShared ? run.baseCommit : commit;
	const [tree, wanted] = [await treeOf(vault, source), await treeOf(vault, commit)];
	const platform = await setups.platform();
	const kept = await setups.kept.obtain({
		// What one run ignores, and so keeps, another would commit.
		id: sha256(canonicalJson({ format: ENTRY_FORMAT, key, platform, ignored: vault.ignoreRules })),
		shelf: isShared ? setups.shelf : `${places.work}/setups`,
		checkout: places.clean,
		home: homeOf(places.clean.dir),
		commit: source,
		tree,
		submodules: await missingSubmodules(vault.repository, run.baseCommit),
		fitsInputs: (paths) => fitsInputs(ground, source, paths),
		setUp: () =>
			setUp(ground, { checkout: places.clean, name: "clean", commit: source, cold: true }),
	});
	// What fails on another commit may work on this one.
	if (kept.kind === "failed") return tree === wanted ? kept.result : null;
	if (kept.kind !== "kept" || (kept.tree !== null && kept.tree !== wanted)) return null;
	if (!(await setups.kept.copyInto(kept, checkout.dir, home))) return null;
	const touched = await checkout.changedFiles(commit);
	if (touched.length > 0) await checkout.forceTo(commit);
	const ms = clock.now() - startedAt;
	await ground.evidence.tell("setup-copied", { checkout: name, ms });
	return { status: "pass", ran: false, reason: null, output: "", ms };
}

/** Default limit of a setup command. */
export const SETUP_TIMEOUT_MS = 600_000;

const keys = keptAnswers<string>(50);

export async function setupKeyAt(
	ground: Pick<Stand, "workflow" | "vault">,
	commit: string,
): Promise<string> {
	const { setup, setupInputs } = ground.workflow;
	if (setup.length === 0) return "none";
	const { vault } = ground;
	return keys.of(vault, [commit], "", async () => {
		const key = setupKey(setup, await filesAt(vault, commit), setupInputs);
		return vault.copied === null ? key : sha256(`${key} ${vault.copied.digest}`);
	});
}

// The workflow names the inputs, or what git ignores there are dependencies and nothing else was read.
export async function fitsInputs(
	{ workflow, vault }: Pick<Stand, "workflow" | "vault">,
	commit: string,
	paths: readonly string[],
): Promise<boolean> {
	const { setup, setupInputs } = workflow;
	if (setupInputs.length > 0) return true;
	if (!isDependencies(paths)) return false;
	const wanted = (await filesAt(vault, commit)).filter(({ path }) => saysHowToInstall(path));
	const files = wanted.map(async ({ path }) => {
		const content = await readFileAt(vault, commit, path);
		return { path, text: content?.toString("utf8") ?? "" };
	});
	return readsOnlyInputs(setup, await Promise.all(files));
}

/**
 * Tells whether what the setup left in a checkout is what it would leave for each commit with the same inputs. Where it
 * may have read the product, as a build does, it is of this commit alone.
 */
export async function servesAlike(
	ground: Pick<Stand, "workflow" | "vault">,
	checkout: Checkout,
	commit: string,
): Promise<boolean> {
	if (ground.workflow.setup.length === 0) return true;
	return await fitsInputs(ground, commit, (await checkout.untracked(commit)).ignored);
}
