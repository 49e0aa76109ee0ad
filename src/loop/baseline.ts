import { holdsForGood } from "../evidence/baseline-stand.ts";
import { definitionHash } from "../evidence/definition.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { treeOf } from "../git/changes.ts";
import type { Write } from "../store/records.ts";
import { type CheckGround, checkSuite } from "./check-suite.ts";
import type { Ground } from "./context.ts";
import { BASELINE_TURN } from "./task-reader.ts";

/** What a baseline is taken with. */
export type BaselineGround = CheckGround & Pick<Ground, "records" | "baselines">;

/**
 * Runs what has no evidence for this tree yet that holds for good; a fault of the environment shows itself again in turn 1.
 * Of tasks that begin on the same tree, the first runs it for all.
 */
export async function takeBaseline(context: BaselineGround, start: string): Promise<void> {
	const tree = await treeOf(context.vault, start);
	await context.baselines.run(tree, () => takeMissing(context, { start, tree }));
}

async function takeMissing(
	context: BaselineGround,
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
