import { join } from "node:path";
import { splitFailing } from "../checks/judge-results.ts";
import { knownInBoth } from "../checks/known-in-both.ts";
import { runSuite } from "../checks/suite.ts";
import { namedFew } from "../confidence/metric.ts";
import type { Drive } from "../drive/drive.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { filesAt, treeOf } from "../git/changes.ts";
import { openCheckout } from "../git/checkout.ts";
import type { Vault } from "../git/vault.ts";
import { judgingVault } from "../judge/judging-vault.ts";
import { SETUP_TIMEOUT_MS } from "../judge/prepare-checkout.ts";
import { tellingLines } from "../judge/telling-lines.ts";
import { anySignal } from "../kernel/any-signal.ts";
import { evidenceWords } from "../kernel/evidence-value.ts";
import type { Masker } from "../masking/masking.ts";
import { checkoutDirectory } from "../places/places.ts";
import { childEnvironment } from "../process/environment.ts";
import { endMarked } from "../process/process-tree.ts";
import { excerpt } from "../review/excerpt.ts";
import { PORT_BASE, portBaseOf } from "../seats/port-base.ts";
import { homeOf } from "../setups/execution.ts";
import { removeLeftOf } from "../setups/own-temporary.ts";
import { type CheckoutSetup, setUpCheckout } from "../setups/set-up-checkout.ts";
import { setupKey } from "../setups/setup-key.ts";
import type { Records, RunRecord } from "../store/records.ts";

export async function checkCold(
	drive: Drive,
	at: {
		readonly vault: Vault;
		readonly directory: string;
		readonly commit: string;
		readonly tree: string;
		readonly masker: Masker;
		readonly merged: string | null;
	},
): Promise<string | null> {
	const { run, workflow } = drive;
	const checks = workflow.checks.filter(({ kind }) => kind === "acceptance");
	const work = join(at.directory, "landing");
	const checkout = openCheckout(judgingVault({ vault: at.vault, workflow }, run.baseCommit), {
		dir: checkoutDirectory(drive.places, work, "checks"),
		indexFile: join(work, "index"),
	});
	// What a killed landing left running works in the directory that is about to go.
	await endMarked(`${run.runId}:landing:`);
	await removeLeftOf(work);
	await checkout.remove();
	// No task of the run is worked on any more: its first slot is free.
	const ports = { [PORT_BASE]: String(portBaseOf(run.runId, 0)) };
	const env = { ...childEnvironment(drive.env), ...ports };
	const signal = anySignal(drive.lease.lost, drive.signal);
	const setup: Omit<CheckoutSetup, "force"> = {
		checkout,
		commit: at.commit,
		commands: workflow.setup,
		key: setupKey(workflow.setup, await filesAt(at.vault, at.commit), workflow.setupInputs),
		stateFile: join(work, "setup.key"),
		env,
		mark: `${run.runId}:landing:setup`,
		work,
		confines: drive.host.confines,
		home: homeOf(checkout.dir),
		masker: at.masker,
		timeoutMs: SETUP_TIMEOUT_MS,
	};
	const baseline = await landingBaseline(drive, at.vault, at.merged);
	const evidence = await runSuite(
		{
			place: {
				checkout,
				work,
				env,
				mark: `${run.runId}:landing:`,
				masker: at.masker,
				blobs: drive.store.blobs,
				outputs: `runs/${run.runId}/evidence/landing`,
				host: drive.host,
			},
			commit: at.commit,
			tree: at.tree,
			purpose: "assembled",
			checks,
			setup: workflow.setup,
			// Nobody takes these results for others.
			variant: "landing",
			prepare: (again) => setUpCheckout({ ...setup, force: !again }, signal, drive.host.run),
			setupChanged: false,
			baseline,
			attempt: 0,
			onEvidence: async () => undefined,
		},
		signal,
	);
	await checkout.remove();
	const hasFiles = drive.store.machines === null;
	return redText(evidence, { baseline, masker: at.masker, hasFiles });
}

/**
 * Cases that were known to fail when the run began and still failed at its last merge: so neither may those break again
 * that the run made green, nor are those known that somebody broke on the integration branch.
 */
export async function landingBaseline(
	{
		run,
		workflow,
		store,
	}: {
		readonly run: RunRecord;
		readonly workflow: { readonly checks: readonly { readonly name: string }[] };
		readonly store: { readonly records: Pick<Records, "evidenceFor"> };
	},
	vault: Vault,
	merged: string | null,
): Promise<ReadonlyMap<string, Evidence>> {
	const { runId, baseCommit } = run;
	const trees = {
		base: await treeOf(vault, baseCommit),
		merged: merged && (await treeOf(vault, merged)),
	};
	const found = new Map<string, Evidence>();
	for (const check of workflow.checks) {
		// In whatever surroundings the run had them.
		const of = { check: check.name };
		const before = await store.records.evidenceFor(runId, trees.base, of);
		const now =
			trees.merged === null ? undefined : await store.records.evidenceFor(runId, trees.merged, of);
		const known = now === undefined ? before : knownInBoth(before, now);
		if (known !== undefined) found.set(check.name, known);
	}
	return found;
}

interface LandingChecks {
	readonly baseline: ReadonlyMap<string, Evidence>;
	readonly masker: Masker;
	readonly hasFiles: boolean;
}

const MAX_NAME = 100;
const MAX_REASON = 200;

const MOST_CHECKS = 2;

/**
 * Tells why checks of a landing did not pass; null when all of them passed.
 *
 * @example `"tests failed: 1 of 3 tests failed: adds; output: .sparring/runs/r1/evidence/landing/assembled-tests.log"`
 */
export function redText(evidence: readonly Evidence[], about: LandingChecks): string | null {
	const short = evidence.filter(({ status }) => status !== "pass");
	if (short.length === 0) return null;
	const rest = short.slice(MOST_CHECKS).map(({ check }) => check);
	return [
		...short.slice(0, MOST_CHECKS).map((piece) => checkText(piece, about)),
		...(rest.length === 0 ? [] : [namedFew("also without a pass", rest)]),
	].join("; ");
}

function checkText(piece: Evidence, { baseline, masker, hasFiles }: LandingChecks): string {
	const { check, status, reason, cases, outputPath } = piece;
	const said = tellingLines(piece).map((line) => `"${excerpt(line, MAX_NAME)}"`);
	const { newly } = splitFailing(cases, baseline.get(check));
	const names = newly.map(({ id }) => excerpt(masker.mask(id), MAX_NAME));
	const file = outputPath === null || !hasFiles ? "" : `; output: .sparring/${outputPath}`;
	const cause = said.length === 0 ? "" : `: ${said.join(", ")}`;
	const why = excerpt(reason ?? "no reason given", MAX_REASON);
	return `${check} ${evidenceWords(status)}: ${why}${namedFew("", names)}${cause}${file}`;
}
