import { holdsForGood } from "../checks/baseline-stand.ts";
import { definitionHash } from "../checks/definition.ts";
import { runSuite } from "../checks/suite.ts";
import type { RunDefinition } from "../evidence/checklist.ts";
import { countsJson } from "../evidence/counts-json.ts";
import type { Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import { commitView } from "../formats/commit-view.ts";
import { mutantsJson } from "../formats/mutation/mutation-text.ts";
import { treeOf } from "../git/changes.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Write } from "../store/records.ts";
import type { Ground } from "./context.ts";
import { setUp, setupKeyAt } from "./prepare-checkout.ts";
import { BASELINE_TURN } from "./task-reader.ts";
import { tellingLines } from "./telling-lines.ts";

/** Checks to run for a task on one commit, with every result stored at once. */
interface TaskSuite {
	readonly checkout: Checkout;
	readonly name: string;
	readonly commit: string;
	readonly tree: string;
	readonly purpose: EvidencePurpose;
	readonly checks: readonly RunDefinition[];
	readonly turn: number;
	readonly attempt: number;
	readonly cold: boolean;
	readonly baseline: ReadonlyMap<string, Evidence>;
	/** False: the results are not stored. Default: each is. */
	readonly isKept?: boolean;
}

export async function checkSuite(context: Ground, suite: TaskSuite): Promise<Evidence[]> {
	if (suite.checks.length === 0) return [];
	const { places, run, task, blobs } = context;
	const key = await setupKeyAt(context, suite.commit);
	const start = suite.purpose === "baseline" ? suite.commit : await startCommit(context);
	const startKey = start === null ? "" : await setupKeyAt(context, start);
	return runSuite(
		{
			place: {
				checkout: suite.checkout,
				work: places.work,
				env: context.environment([]),
				mark: `${run.runId}:${task.id}:${suite.turn}:${suite.purpose}:${suite.attempt}:`,
				masker: context.masker,
				blobs,
				outputs: `${places.outputs}/turn-${suite.turn}`,
				host: context.host,
			},
			commit: suite.commit,
			tree: suite.tree,
			view: commitView(context.vault, start ?? suite.commit, suite.commit),
			purpose: suite.purpose,
			checks: suite.checks,
			setup: context.workflow.setup,
			prepare: (again) => setUp(context, again && suite.cold ? { ...suite, cold: "again" } : suite),
			setupChanged: key !== startKey,
			baseline: suite.baseline,
			attempt: suite.attempt,
			onEvidence: async (evidence) => {
				if (suite.isKept !== false) await keepEvidence(context, suite, evidence);
			},
		},
		context.signal,
	);
}

async function startCommit(context: Pick<Ground, "read" | "blobs">): Promise<string | null> {
	return (await context.read.task()).startCommit;
}

export async function keepEvidence(
	context: Pick<Ground, "commit" | "run" | "task" | "log">,
	{ turn, attempt }: Pick<TaskSuite, "turn" | "attempt">,
	evidence: Evidence,
): Promise<void> {
	const { check, item, kind, purpose, status, reason, details, tree, ms } = evidence;
	const counts = countsJson(evidence.counts);
	// Of a replay its cases tell: what its runner printed last may be about those that pass.
	const isLost = kind === "replay" && status === "fail";
	const lines = isLost ? details.slice(0, 2) : tellingLines(evidence);
	const said = lines.length === 0 ? undefined : lines;
	const mutants = mutantsJson(evidence);
	const told = {
		check,
		kind,
		purpose,
		status,
		reason,
		said,
		tree,
		ms,
		counts,
		...(item === undefined ? {} : { item }),
		...(mutants === null ? {} : { mutants }),
	};
	await context.commit([
		{
			kind: "evidence",
			runId: context.run.runId,
			taskId: context.task.id,
			turn,
			attempt,
			evidence,
		},
		context.log.event("check-ran", told),
	]);
}

export async function takeBaseline(context: Ground, start: string): Promise<void> {
	const tree = await treeOf(context.vault, start);
	await context.baselines.run(tree, () => takeMissing(context, { start, tree }));
}

async function takeMissing(
	context: Ground,
	{ start, tree }: { readonly start: string; readonly tree: string },
): Promise<void> {
	const { runId } = context.run;
	const stored = await context.read.allEvidence(BASELINE_TURN);
	// Evidence of another tree is of a start that was given up when the integration branch was merged in.
	const taken = new Set(
		stored.filter((piece) => piece.tree === tree && holdsForGood(piece)).map(({ check }) => check),
	);
	const missing = [];
	const reused: Write[] = [];
	for (const check of context.workflow.checks) {
		if (taken.has(check.name)) continue;
		const definition = definitionHash(check, context.workflow.setup);
		const known = await context.records.evidenceFor(runId, tree, { check: check.name, definition });
		if (known === undefined || !holdsForGood(known)) missing.push(check);
		else reused.push(baselineWrite(context, known));
	}
	if (reused.length > 0) await context.commit(reused);
	await checkSuite(context, {
		checkout: context.places.checks,
		name: "checks",
		commit: start,
		tree,
		purpose: "baseline",
		checks: missing,
		turn: BASELINE_TURN,
		attempt: 0,
		cold: false,
		baseline: new Map(),
	});
}

function baselineWrite(context: Pick<Ground, "run" | "task">, known: Evidence): Write {
	return {
		kind: "evidence",
		runId: context.run.runId,
		taskId: context.task.id,
		turn: BASELINE_TURN,
		attempt: 0,
		evidence: { ...known, purpose: "baseline" },
	};
}
