import { baselineProblems } from "../../judge/ground-problems.ts";
import { halt, type NodeResult } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { taskStarted } from "../records/task.ts";

// Before the first turn, what is in the way of the first call is told; a run that does not go on then ends here, and
// comes back here when it is resumed. A task that is reopened keeps its start and its last commit.
export async function initialize(input: NodeInput): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, read, log, checks, preflight } = input;
	const start = await startCommit(input);
	const writes = [log.task({ status: "running" })];
	if (facts.task.formalReview === true) {
		// What is reviewed is all that the run has merged.
		return { update: { start: facts.run.baseCommit, commit: start, next: "go" }, writes };
	}
	const commit = (await read.task()).commit ?? start;
	const failure = await checks.preparePlayer(commit);
	// Once a person was asked about this task, the loop's own questions go on.
	const isFirst = state.turn === 0 && state.items === 0;
	if (failure !== null && state.turn === 0) {
		if (isFirst) await preflight([{ kind: "setup", ...failure }]);
		const stopped = halt("environment", { kind: "setup_failed", ...failure });
		return { update: { ...stopped, start, commit } };
	}
	await checks.takeBaseline(start);
	if (isFirst) {
		const evidence = [...(await read.baseline()).values()];
		const lacking = await checks.lacking(start);
		const named = new Set(lacking.flatMap((each) => (each.kind === "lacking" ? [each.check] : [])));
		const found = baselineProblems(evidence, facts.workflow);
		// What is missing there tells why it is red.
		const others = found.filter((each) => each.kind !== "red" || !named.has(each.check));
		await preflight([...lacking, ...others]);
	}
	return { update: { start, commit, next: "go" }, writes };
}

/** The start is stored before anything is built on it, so that a kill cannot change it. */
async function startCommit({ facts, read, log, keep, refs, files }: NodeInput): Promise<string> {
	const { task } = facts;
	const { startCommit: known, branch } = await read.task();
	if (known !== null) return known;
	const start = await refs.integrationTip();
	const begun = {
		branch,
		start_commit: start,
		bound: task.bound,
		player: task.player,
		coach: task.pair?.challenger ?? null,
		feature_id: task.featureId ?? null,
		checkout: files.checkout(),
	};
	await keep(taskStarted(log, begun));
	return start;
}
