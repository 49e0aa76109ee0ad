import { blockedOf, parsePlayerReport } from "../../agents/report.ts";
import type { Snapshot } from "../../git/snapshot.ts";
import { Fault } from "../../kernel/fault.ts";
import type { LeftWork } from "../../kernel/left-work.ts";
import { concernsOf } from "../../review/concerns.ts";
import type { Overlap } from "../../review/player-prompt.ts";
import { type CallRecord, stepWrite, type Write } from "../../store/records.ts";
import { halt, type NodeResult, roleFailed, unpaid } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { disputed } from "../records/findings.ts";
import { overlapsStep } from "../records/task-steps.ts";
import {
	leftBehind,
	playerReported,
	reportsRejected,
	reviewTurnBegun,
	snapshotTaken,
	turnBegun,
	turnTakenBack,
	workLost,
} from "../records/turn.ts";
import { failureOfCall } from "../seat-call.ts";

// A call that was answered before a kill is not made again: the checkout still holds its work.
export async function playerTurn(input: NodeInput): Promise<NodeResult<"go" | "halt">> {
	const { facts, state, log, keep, refs, seats, pair } = input;
	if (facts.task.formalReview === true) return reviewTurn(input);
	const trouble = await pair.trouble();
	if (trouble !== null)
		return { update: halt("corrupt_session", { kind: "session_corrupt", why: trouble }) };
	await keep(turnBegun(log));
	const lost = await seats.lostWork();
	const pushed = lost === null ? null : await pushedWork(input, lost.call);
	// The call is made again, and no turn is charged for it.
	if (lost !== null && pushed === null)
		await keep([await seats.endEpisode("player"), workLost(log, lost)]);
	const answer = await seats.player();
	if (answer.kind === "unpaid")
		return { update: unpaid(answer.reason), writes: turnTakenBack(log) };
	if (answer.kind === "failed") {
		const { message, agent } = answer.call;
		const failure = failureOfCall(answer.call);
		return {
			update: roleFailed("player", { agent, reason: message ?? "", failure }),
			// No turn is charged for an agent's failure.
			writes: [await seats.endEpisode("player"), ...turnTakenBack(log)],
		};
	}
	const snapshot = pushed ?? (await snapshotTurn(input, answer.call));
	const { commit } = snapshot;
	const left = snapshot.empty ? await keptWork(input) : [];
	await seats.recordPlayer(answer, { from: state.commit, to: commit });
	const writes = await turnWrites(input, answer.call, snapshot);
	await refs.publish(labelOf(log, answer.call), commit, state.turn === 0 ? null : state.commit);
	const overlaps = overlapWrites(log, await overlapsOf(input, commit));
	return {
		update: { turn: log.turn, commit, ...FRESH },
		writes: [...writes, ...leftBehind(log, snapshot, left), ...overlaps],
	};
}

const FRESH = { next: "go", taken: false, critical: false } as const;

async function reviewTurn({ log, commits, refs }: NodeInput): Promise<NodeResult<"go">> {
	const commit = await refs.integrationTip();
	return {
		update: { turn: log.turn, commit, reviewed: "", ...FRESH },
		writes: reviewTurnBegun(log, commit, await commits.treeOf(commit)),
		passedThrough: `a formal review changes no file; turn ${log.turn} judges the merged work`,
	};
}

function snapshotTurn(
	{ facts, state, log, commits }: NodeInput,
	{ agent, checkout, startedAt, ms }: CallRecord,
): Promise<Snapshot> {
	return commits.snapshot({
		checkout,
		parent: state.commit,
		subject: `${facts.task.id}: turn ${log.turn} by ${agent}`,
		since: Date.parse(startedAt),
		// From the stored call, so that a snapshot taken again after a kill is the same commit.
		at: Date.parse(startedAt) + ms,
	});
}

const labelOf = ({ turn }: NodeInput["log"], { call }: Pick<CallRecord, "call">): string =>
	`turn-${turn}-${call}`;

/** Work of a call whose machine pushed it, and died before it could say so. */
async function pushedWork(
	{ state, log, commits, refs }: NodeInput,
	call: Pick<CallRecord, "call">,
): Promise<Snapshot | null> {
	const commit = await refs.pushed(labelOf(log, call));
	if (commit === null || commit === state.commit) return null;
	const told = { embedded: [], leftOut: [], unfit: [], userIgnored: [] };
	return { commit, tree: await commits.treeOf(commit), empty: false, ...told };
}

async function keptWork({ state, log, commits, refs }: NodeInput): Promise<readonly LeftWork[]> {
	const left = await commits.leftWork(state.commit);
	for (const [nth, { commit }] of left.entries())
		if (commit !== null) await refs.keep(`left-${log.turn}-${nth + 1}`, commit);
	return left;
}

async function turnWrites(
	{ facts, state, read, log, commits }: NodeInput,
	call: CallRecord,
	snapshot: Snapshot,
): Promise<Write[]> {
	const changes = await commits.changes(state.commit, snapshot.commit);
	const parsed = parsePlayerReport(call.report, call.reportProblem ?? undefined);
	const taken = snapshotTaken(log, snapshot, {
		changed: changes.length,
		lines: await commits.lines(state.commit, snapshot.commit),
		notes: parsed.ok ? parsed.report.implementation_notes : "",
		concerns: parsed.ok ? concernsOf(parsed.report) : [],
	});
	const blocked = blockedOf(call.report);
	const stopped = blocked === null ? [] : [log.event("player-blocked", blocked)];
	// The diff counts, not the report: a missing one is noted.
	if (!parsed.ok)
		return [
			...taken,
			...stopped,
			...reportsRejected(log, "player", [{ call, reason: parsed.reason }]),
		];
	return [
		...taken,
		...stopped,
		...playerReported(log, { player: facts.task.player, from: state.commit }, parsed.report),
		...disputed(log, await read.open(), parsed.report.disputes),
	];
}

// An early warning, were the commit merged now. It asks for nothing; the merge decides.
export async function overlapsOf(input: NodeInput, commit: string): Promise<readonly Overlap[]> {
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
	{ commits }: NodeInput,
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

export function overlapWrites(log: NodeInput["log"], overlaps: readonly Overlap[]): Write[] {
	if (overlaps.length === 0) return [];
	return [
		stepWrite(overlapsStep(log, log.turn), overlaps),
		...overlaps.map(({ task, files }) =>
			log.event("merge-forecast", { clean: false, conflicts: [...files], against: task }),
		),
	];
}
