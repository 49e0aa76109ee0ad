import { halt, type NodeInput, type NodeResult } from "../node.ts";
import { taskStarted } from "../records/task.ts";

type Input = Pick<
	NodeInput,
	"facts" | "state" | "read" | "log" | "keep" | "refs" | "checks" | "files"
>;

/**
 * `initialize`: fixes the commit that the task starts on, sets up the player's checkout and takes the baseline.
 *
 * A task that is reopened keeps its start and its last commit, and pays for no second baseline.
 */
export async function initialize(input: Input): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, read, log, checks } = input;
	const start = await startCommit(input);
	const writes = [log.task({ status: "running" })];
	if (facts.task.formalReview === true) {
		// What is reviewed is all that the run has merged.
		return { update: { start: facts.run.baseCommit, commit: start, next: "go" }, writes };
	}
	const commit = (await read.task()).commit ?? start;
	const why = await checks.preparePlayer(commit);
	if (why !== null && state.turn === 0) {
		const stopped = halt("environment", { kind: "setup_failed", why });
		return { update: { ...stopped, start, commit } };
	}
	await checks.takeBaseline(start);
	return { update: { start, commit, next: "go" }, writes };
}

/** The start is stored before anything is built on it, so that a kill cannot change it. */
async function startCommit({
	facts: { task },
	read,
	log,
	keep,
	refs,
	files,
}: Input): Promise<string> {
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
