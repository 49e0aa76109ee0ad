import type { Evidence } from "../evidence/evidence.ts";
import { whoseFault } from "../evidence/fault-side.ts";
import type { CodeMutant } from "../evidence/mutation/module-mutants.ts";
import { filesAt, treeOf } from "../git/changes.ts";
import { commitWithFiles } from "../git/with-files.ts";
import { writeText } from "../git/write-tree.ts";
import { stepWrite } from "../store/records.ts";
import { mutationPolicy } from "../workflow/mutation-policy.ts";
import type { CheckDefinition, Workflow } from "../workflow/workflow.ts";
import { type CheckGround, checkSuite } from "./check-suite.ts";

/** What mutants are run with. */
export type MutantGround = CheckGround;

/** What became of a mutant. `invalid`: nothing could be run on it. */
interface MutantRun {
	readonly outcome: "detected" | "undetected" | "invalid";
	/** Of all checks that ran on it, with the setup where one was needed. */
	readonly ms: number;
}

/** What became of mutants; those that were not run in time are pending. */
export interface MutantTally {
	readonly detected: number;
	readonly undetected: readonly CodeMutant[];
	readonly pending: number;
	readonly ms: number;
}

/** An acceptance check with its evidence on the commit itself. */
interface PassedCheck {
	readonly check: CheckDefinition;
	readonly own: Evidence;
}

/** The commit that mutants are made of. */
interface MutantsToRun {
	readonly commit: string;
	/** The evidence of its acceptance checks, among others. */
	readonly stored: readonly Evidence[];
	/** What is spent of the time already. */
	readonly spentMs: number;
}

/** The acceptance checks, with their evidence. */
export function passedChecks(
	{ checks }: Pick<Workflow, "checks">,
	stored: readonly Evidence[],
): PassedCheck[] {
	return checks.flatMap((check): PassedCheck[] => {
		const own = stored.find((piece) => piece.check === check.name && piece.kind === "acceptance");
		return own === undefined ? [] : [{ check, own }];
	});
}

/** Time that a check has on a mutant, which may never end: three times what it took before, and five seconds. */
export const patience = ({ check, own }: PassedCheck): number =>
	Math.min(check.timeoutMs, own.ms * 3 + 5_000);

/**
 * Runs the acceptance checks on one mutant after another, in this order, until the time of the policy is spent. A mutant is
 * detected by the first check that does not pass on it.
 *
 * What became of a mutant is stored before the next one runs, and counts in the time again after a kill.
 */
export async function runMutants(
	ground: MutantGround,
	{ commit, stored, spentMs }: MutantsToRun,
	mutants: readonly CodeMutant[],
): Promise<MutantTally> {
	const checks = passedChecks(ground.workflow, stored);
	const usualMs = checks.reduce((sum, { own }) => sum + own.ms, 0);
	const modes = new Map(
		(await filesAt(ground.vault, commit)).map(({ path, mode }) => [path, mode]),
	);
	const { timeoutMs } = mutationPolicy(ground.workflow);
	const runs: { readonly mutant: CodeMutant; readonly run: MutantRun }[] = [];
	let leftMs = timeoutMs - spentMs;
	for (const [index, mutant] of mutants.entries()) {
		if (leftMs < usualMs) break;
		const mode = modes.get(mutant.file) ?? "100644";
		const run = await runMutant(ground, checks, { mutant, mode, commit, leftMs, nth: index + 1 });
		if (run === null) break;
		runs.push({ mutant, run });
		leftMs -= run.ms;
	}
	const of = (outcome: MutantRun["outcome"]) => runs.filter(({ run }) => run.outcome === outcome);
	return {
		detected: of("detected").length,
		undetected: of("undetected").map(({ mutant }) => mutant),
		pending: mutants.length - runs.length,
		ms: timeoutMs - spentMs - leftMs,
	};
}

interface PlacedMutant {
	readonly mutant: CodeMutant;
	readonly mode: string;
	readonly commit: string;
	/** Time that is left of the limit. */
	readonly leftMs: number;
	/** From 1, for the names of outputs. */
	readonly nth: number;
}

/** @returns null when the time ended before the checks did, so that nothing is known of the mutant */
async function runMutant(
	ground: MutantGround,
	checks: readonly PassedCheck[],
	{ mutant, mode, commit: of, leftMs, nth }: PlacedMutant,
): Promise<MutantRun | null> {
	const { vault, log } = ground;
	const files = [{ path: mutant.file, mode, oid: await writeText(vault, mutant.text) }];
	const made = { of, files, parents: [of], message: "A mutant of a turn's commit", at: 0 };
	const commit = await commitWithFiles(vault, made);
	const tree = await treeOf(vault, commit);
	const key = log.key<MutantRun>(`mutant/${tree}`);
	const known = await ground.read.step(key);
	if (known !== undefined) return known;
	let ms = 0;
	let outcome: MutantRun["outcome"] = "undetected";
	for (const passed of checks) {
		const timeoutMs = Math.min(patience(passed), leftMs - ms);
		if (timeoutMs <= 0) return null;
		const startedAt = ground.clock.now();
		const piece = await runOn(ground, passed, { commit, tree, nth, timeoutMs });
		// A mutant of a file that the setup depends on is set up again.
		ms += Math.max(piece.ms, ground.clock.now() - startedAt);
		if (piece.status === "pass") continue;
		const isCut = piece.exitCode === null && timeoutMs < patience(passed);
		if (isCut) return null;
		outcome = whoseFault(piece, passed.own) === "player" ? "detected" : "invalid";
		break;
	}
	const run = { outcome, ms };
	await ground.commit([stepWrite(key, run)]);
	return run;
}

/** Runs a check on a mutant. Its evidence speaks of a tree that nobody wrote, and is not stored. */
async function runOn(
	ground: MutantGround,
	{ check, own }: PassedCheck,
	at: {
		readonly commit: string;
		readonly tree: string;
		readonly nth: number;
		readonly timeoutMs: number;
	},
): Promise<Evidence> {
	const { commit, tree, nth, timeoutMs } = at;
	const name = `mutant:${check.name}`;
	const [piece] = await checkSuite(ground, {
		checkout: ground.places.checks,
		name: "checks",
		commit,
		tree,
		purpose: "turn",
		checks: [{ ...check, name, timeoutMs }],
		turn: ground.log.turn,
		attempt: nth,
		cold: false,
		baseline: new Map([[name, own]]),
		isKept: false,
	});
	if (piece === undefined) throw new Error(`check ${check.name} left no evidence on a mutant`);
	return piece;
}
