import { counted } from "../../kernel/counted.ts";
import { isEnded } from "../../kernel/task-state.ts";
import type { LeaseHolder, RunRecord, TaskRecord } from "../../store/records.ts";
import type { ActionPreview } from "../../web/protocol.ts";
import { isUnended, owesLanding } from "../find-run.ts";

/** All that decides what can be done with a run. */
export interface ActionFacts {
	readonly run: RunRecord;
	readonly tasks: readonly TaskRecord[];
	readonly holder: Pick<LeaseHolder, "host" | "pid"> | undefined;
	/** Questions of it that nobody has answered. */
	readonly waiting: number;
	/** Answers that nobody has acted on. */
	readonly answered: number;
	/** Why it is not pruned; null: it can be. */
	readonly pruneObstacle: string | null;
}

/** What each action would do with a run, and why one cannot be done. Pure. */
export function actionPreviews(facts: ActionFacts): readonly ActionPreview[] {
	return [resumeOf(facts), landOf(facts), cancelOf(facts), pruneOf(facts)];
}

const heldBy = ({ holder }: ActionFacts): string | null =>
	holder === undefined ? null : `${holder.host}:${holder.pid} works on it`;

const OWN_PROCESS =
	"It runs as a process of its own: closing this page or `spar ui` does not end it.";

function resumeRefusal(facts: ActionFacts): string | null {
	const { run, waiting, answered } = facts;
	if (run.pruned) return "it was pruned: start a new run";
	if (run.status === "cancelled") return "it was cancelled: start a new run";
	if (run.status === "completed" && !owesLanding(run)) return "it has completed";
	const stands = run.status === "paused_for_user_escalation" && answered === 0;
	if (stands && waiting > 0)
		return `it waits for an answer: see the inbox (${counted(waiting, "question")})`;
	return heldBy(facts);
}

function resumeOf(facts: ActionFacts): ActionPreview {
	const { run, tasks, answered } = facts;
	const open = tasks.filter(({ status }) => !isEnded(status)).length;
	const failed = tasks.filter(({ status }) => status === "failed").length;
	const effects = [
		...(open > 0 ? [`Tasks that go on from their last step: ${open}.`] : []),
		...(answered > 0 ? [`Answers that are acted on: ${answered}.`] : []),
		...(failed > 0 ? [`Failed tasks that go on if they get more turns: ${failed}.`] : []),
		...(owesLanding(run) ? [`What merged is brought into ${run.baseBranch}.`] : []),
		OWN_PROCESS,
	];
	return {
		action: "resume",
		refused: resumeRefusal(facts),
		effects,
		command: `spar resume ${run.runId}`,
	};
}

function landOf(facts: ActionFacts): ActionPreview {
	const { run, tasks } = facts;
	const merged = tasks.filter((task) => task.merged).length;
	const refused = (): string | null => {
		if (merged === 0) return "no task of it has merged anything";
		if (run.landedCommit !== null) return `${run.baseBranch} has it since it was landed`;
		return run.pruned ? "it was pruned: its branches are gone" : heldBy(facts);
	};
	const effects = [
		`${run.baseBranch} gets what ${counted(merged, "task")} merged into ${run.branch}.`,
		`If ${run.baseBranch} has moved, it is merged into the integration branch and checked cold first.`,
		"A checkout of yours that stands on it moves along if it is clean; otherwise nothing is landed.",
		OWN_PROCESS,
	];
	return { action: "land", refused: refused(), effects, command: `spar land ${run.runId}` };
}

function cancelOf(facts: ActionFacts): ActionPreview {
	const { run, tasks, holder, waiting } = facts;
	const open = tasks.filter(({ status }) => !isEnded(status)).length;
	const effects = [
		holder === undefined
			? "Nobody works on it: it is marked as cancelled."
			: `${holder.host}:${holder.pid} is asked to stop: its agents and checks end at once.`,
		`Tasks that are cancelled, and cannot be resumed: ${open}.`,
		...(waiting > 0 ? [`Questions that are closed without an answer: ${waiting}.`] : []),
		"What has merged stays on its branch.",
	];
	const refused = isUnended(run) ? null : `it has ended as ${run.status}`;
	return { action: "cancel", refused, effects, command: `spar cancel ${run.runId}` };
}

function pruneOf(facts: ActionFacts): ActionPreview {
	const { run, pruneObstacle } = facts;
	const refused = run.pruned ? "it was pruned" : (pruneObstacle ?? heldBy(facts));
	const effects = [
		"Its checkouts, outputs, transcripts, branches and private refs are removed.",
		"What a checkout holds and no commit has is archived first, under refs/sparring/archive.",
		"Its records stay: this page still tells what happened.",
	];
	return { action: "prune", refused, effects, command: "spar prune" };
}
