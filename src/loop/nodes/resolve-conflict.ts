import { openConflicts } from "../../conflict/conflict.ts";
import { unpaidSettling } from "../conflict-attempt.ts";
import { overruledTurn, rejudged, rulingFacts } from "../judge-round.ts";
import { type NodeResult, passed, unpaid } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { conflictsPaused } from "../records/findings.ts";
import { shortOfTurn } from "../turn-gate.ts";

// Each attempt is stored with its effect on the finding before the next begins, so that no kill repeats one.
export async function resolveConflict(input: NodeInput): Promise<NodeResult<"go" | "halt">> {
	const { facts, read, log } = input;
	const { task } = facts;
	if (task.pair === undefined) return passed("no pair: nobody upholds a finding");
	const turn = await read.turn(log.turn);
	const known = await read.conflicts();
	const needsApproval = task.exitConditions === undefined;
	const ground = { open: await read.open(), known, needsApproval };
	const cases = turn.effective === "feedback" ? openConflicts(ground) : [];
	// A process that ended in the middle of this node may have settled some already.
	const settled = known.some((attempt) => attempt.turn === log.turn);
	if (cases.length === 0 && !settled)
		return passed("no disputed finding that stands in the way was upheld");
	const short = cases.length === 0 ? [] : await shortNow(input);
	if (short.length > 0)
		return passed(`disputes wait, since required evidence did not pass: ${short.join(", ")}`);
	const why = await unpaidSettling(cases, input.seats.tieBreaker);
	if (why !== null) return { update: unpaid(why) };
	// With nobody to ask nothing pauses: the task fails.
	const paused = task.human ? conflictsPaused(log, await read.conflicts()) : [];
	const again = overruledTurn(await rulingFacts(input));
	return { update: { next: "go" }, writes: [...rejudged(log, again), ...paused] };
}

async function shortNow({ facts, state, read, log, commits }: NodeInput): Promise<string[]> {
	return shortOfTurn(facts, {
		tree: await commits.treeOf(state.commit),
		evidence: await read.evidence(log.turn),
		turn: await read.turn(log.turn),
		verification: await read.verification(log.turn),
		now: log.timestamp(),
	});
}
