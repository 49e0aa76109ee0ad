import { spoiltOf } from "../../checks/fault-side.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { replayOf } from "../../kernel/replayed.ts";
import { STALL_WINDOW } from "../../review/stall.ts";
import { judgedSuspicions } from "../../review/suspicion-answers.ts";
import type { Write } from "../../store/records.ts";
import { decideTurn, type TurnDecision, type TurnFacts } from "../decide-turn.ts";
import type { Route } from "../edges.ts";
import { isUnchanged } from "../judge-round.ts";
import { halt, type NodeResult, spoilt } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { mergesNext } from "../present-task.ts";
import { overruledWhole } from "../records/findings.ts";
import { gated, routed, subtaskCompleted } from "../records/turn.ts";
import { reportProblemIn } from "../told-player.ts";

export async function policyGate(input: NodeInput): Promise<NodeResult<Route | "halt">> {
	const { pair, files } = input;
	// What was changed during the turn would be written over and never be seen.
	const trouble = await pair.trouble();
	if (trouble !== null)
		return { update: halt("corrupt_session", { kind: "session_corrupt", why: trouble }) };
	const first = await turnFacts(input);
	const decided = decideTurn(first);
	const replayed = decided.route === "approve" ? await replayBeforeApproval(input, first) : null;
	const silent = replayed === null ? [] : spoiltOf(replayed, await input.read.baseline());
	if (silent.length > 0) return { update: spoilt("turn", silent) };
	const decision = replayed === null ? decided : decideTurn(await turnFacts(input));
	const { report, update } = decision;
	// Before the records: whoever runs this again after a kill writes the same file.
	if (report !== null) await files.gateReport(report);
	const result = {
		update,
		writes: await decisionWrites(input, decision),
		afterCommit: () => pair.write(),
	};
	return report === null ? { ...result, passedThrough: "no gate applies" } : result;
}

/** Replays the base's tests on what would be approved. Null: there is nothing to replay, or it is done. */
async function replayBeforeApproval(
	{ facts, state, read, checks }: NodeInput,
	{ evidence, tree }: TurnFacts,
): Promise<readonly Evidence[] | null> {
	const { task, workflow } = facts;
	if (task.formalReview === true) return null;
	const stored = evidence.filter((piece) => piece.tree === tree);
	const isDone = workflow.checks
		.filter(({ kind }) => kind === "acceptance")
		.every(({ name }) => stored.some(({ check }) => check === replayOf(name)));
	if (isDone) return null;
	const { commit, start } = state;
	// Where a merge follows at once, its own cold run tells; a person who signs off first is to see what it says.
	if (mergesNext(facts)) return await checks.replayCold(commit);
	const baseline = await read.baseline();
	const given = { commit, start, baseline, stored, early: false };
	return (await checks.replay(given)).evidence;
}

async function turnFacts(input: NodeInput): Promise<TurnFacts> {
	const { facts, state, read, log, commits } = input;
	const { startCommit, subtaskStart } = await read.task();
	const newest = await read.turns(STALL_WINDOW);
	const isSame = await isUnchanged(input);
	return {
		facts,
		state,
		turn: await read.turn(log.turn),
		tree: await commits.treeOf(state.commit),
		evidence: await read.evidence(log.turn),
		baseline: await read.baseline(),
		open: await read.open(),
		verification: await read.verification(log.turn),
		score: await read.score(log.turn),
		conflicts: facts.task.pair === undefined ? [] : await read.conflicts(),
		items: await read.items(),
		older: newest.filter(({ turn }) => turn !== state.turn),
		isUnchanged: isSame,
		reportProblem: isSame ? await reportProblemIn(read, state.turn) : null,
		subtaskStart,
		startTree: startCommit === null ? null : await commits.treeOf(startCommit),
		suspicions: judgedSuspicions(await read.suspected(log.turn), await read.findings()),
		allowed: (await read.wall(log.turn)).allowed,
		now: log.timestamp(),
	};
}

async function decisionWrites({ log, pair }: NodeInput, decision: TurnDecision): Promise<Write[]> {
	const { report, overruled, turn, doneSubtask } = decision;
	return [
		...(report === null ? [] : gated(log, report)),
		...(overruled === null ? [] : overruledWhole(log, overruled)),
		{ kind: "turn", turn },
		...(await pair.moved(turn, doneSubtask?.id ?? null)),
		...(doneSubtask?.isLast === false ? subtaskCompleted(log, doneSubtask) : []),
		...routed(log, decision),
	];
}
