import { Fault } from "../kernel/fault.ts";
import type { Overlap } from "../review/overlap.ts";
import { stepWrite, type Write } from "../store/records.ts";
import type { NodeInput } from "./node.ts";
import { overlapsStep } from "./task-reader.ts";

type Input = Pick<NodeInput, "facts" | "state" | "log" | "commits" | "refs" | "underWay">;

/**
 * An early warning: what a turn's commit would conflict with, were it merged now. It asks for nothing; the merge
 * decides. In a run of one task there is nothing to compare.
 */
export async function overlapsOf(input: Input, commit: string): Promise<readonly Overlap[]> {
	const { facts, state, commits, underWay } = input;
	if (facts.workflow.tasks.length === 1) return [];
	const changes = await commits.changes(state.start, commit);
	const paths = new Set(changes.map(({ path }) => path));
	underWay.note(facts.task.id, { commit, paths });
	const found: Overlap[] = [];
	const merged = await input.refs.integrationTip();
	if (merged !== state.start) found.push(...(await conflictsWith(input, null, merged, commit)));
	for (const other of underWay.touching(facts.task.id, paths))
		found.push(...(await conflictsWith(input, other.taskId, other.commit, commit)));
	return found;
}

async function conflictsWith(
	{ commits }: Input,
	task: string | null,
	theirs: string,
	ours: string,
): Promise<Overlap[]> {
	try {
		const forecast = await commits.forecast(theirs, ours);
		return forecast.clean ? [] : [{ task, files: forecast.conflicts }];
	} catch (error) {
		// The other task's commit may be damaged, which is no trouble of this one.
		if (error instanceof Fault && error.code === "git-failed") return [];
		throw error;
	}
}

/** Keeps a warning for the trace and for the player's next turn. */
export function overlapWrites(log: Input["log"], overlaps: readonly Overlap[]): Write[] {
	if (overlaps.length === 0) return [];
	return [
		stepWrite(overlapsStep(log, log.turn), overlaps),
		...overlaps.map(({ task, files }) =>
			log.event("merge-forecast", { clean: false, conflicts: [...files], against: task }),
		),
	];
}
