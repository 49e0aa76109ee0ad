import type { Evidence } from "../evidence/evidence.ts";
import type { ContextInput, PairContext } from "../review/context.ts";
import type { Site, TaskContext } from "./context.ts";
import { handOver } from "./handed-evidence.ts";
import { openNow } from "./open-findings.ts";
import type { TaskState } from "./state.ts";

/** What both seats are given: open findings, evidence copied beside the call, directive, pair. */
export async function seatInput(
	context: TaskContext,
	state: TaskState,
	site: Site,
	given: { readonly evidence: readonly Evidence[]; readonly workDir: string },
): Promise<ContextInput> {
	const { run, task, places } = context;
	const { evidence, directory } = await handOver(given.evidence, places.stateDir, given.workDir);
	return {
		run: run.runId,
		turn: site.turn,
		base: state.start,
		commit: state.commit,
		task,
		subtask: context.subtask?.id ?? null,
		findings: await openNow(context),
		evidence,
		stateDirectory: directory,
		directive: await directiveOf(context, state),
		pair: pairOf(context, site.turn),
	};
}

/** The pair as prompts and contexts show it; null for a single agent. */
function pairOf(context: TaskContext, turn: number): PairContext | null {
	const { pair, player, bound } = context.task;
	if (pair === undefined) return null;
	return {
		driver: player,
		challenger: pair.challenger,
		iteration: turn,
		maxIterations: Math.max(pair.maxIterations ?? bound, bound),
	};
}

/** A person's directive that binds the task; null when there is none. */
async function directiveOf(context: TaskContext, state: TaskState): Promise<string | null> {
	if (state.directive === null) return null;
	const item = await context.records.item(state.directive);
	return item?.answer?.directive ?? null;
}
