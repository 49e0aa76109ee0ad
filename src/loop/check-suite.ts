import type { RunDefinition } from "../evidence/checklist.ts";
import { commitView } from "../evidence/commit-view.ts";
import { countsJson } from "../evidence/counts-json.ts";
import type { Evidence, EvidencePurpose } from "../evidence/evidence.ts";
import { mutantsJson } from "../evidence/mutation/mutation-text.ts";
import { runSuite } from "../evidence/suite.ts";
import type { Checkout } from "../git/checkout.ts";
import type { Ground } from "./context.ts";
import { type SetupGround, setUp } from "./prepare-checkout.ts";
import { setupKeyAt } from "./setup-keys.ts";
import { tellingLines } from "./telling-lines.ts";

/** What checks are run with. */
export type CheckGround = SetupGround & Pick<Ground, "read" | "blobs">;

/** Checks to run for a task on one commit, with every result stored at once. */
export interface TaskSuite {
	readonly checkout: Checkout;
	/** Name of the checkout, for the setup's state and for markers. */
	readonly name: string;
	readonly commit: string;
	readonly tree: string;
	readonly purpose: EvidencePurpose;
	readonly checks: readonly RunDefinition[];
	/** Turn under which the evidence is kept; 0 for the baseline. */
	readonly turn: number;
	readonly attempt: number;
	readonly cold: boolean;
	readonly baseline: ReadonlyMap<string, Evidence>;
	/** False: the results are not stored. Default: each is. */
	readonly isKept?: boolean;
}

/** Runs the checks of a task on a commit and stores each result before the next check starts. */
export async function checkSuite(context: CheckGround, suite: TaskSuite): Promise<Evidence[]> {
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

/** The commit that the task began on. */
async function startCommit(context: Pick<Ground, "read" | "blobs">): Promise<string | null> {
	return (await context.read.task()).startCommit;
}

/** Stores a piece of evidence with its event. */
export async function keepEvidence(
	context: Pick<CheckGround, "commit" | "run" | "task" | "log">,
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
