import { parsePlayerReport } from "../../agents/report.ts";
import { compareClaims } from "../../evidence/honesty.ts";
import { leftOutOf } from "../../evidence/integrity/left-out.ts";
import { changesBetween, treeOf } from "../../git/changes.ts";
import { messageWith } from "../../git/message.ts";
import { Fault } from "../../kernel/fault.ts";
import type { CallRecord, Write } from "../../store/records.ts";
import { recordCall } from "../agent-call.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { disputeWrites } from "../dispute-writes.ts";
import { halt } from "../halt.ts";
import { openNow } from "../open-findings.ts";
import { playerRequest } from "../player-call.ts";
import { answerSoFar, callSeat, endOfEpisode } from "../seat-call.ts";
import type { SeatRequest } from "../seat-request.ts";
import { pairTrouble } from "../session-file.ts";
import type { TaskState } from "../state.ts";
import type { NodeResult } from "../traced-node.ts";
import { newTurn } from "../turn-record.ts";

/**
 * `player_turn`: one fresh call of the player in its checkout, and a snapshot of what it left there, taken from outside.
 *
 * A call that was answered before a kill is not made again: the checkout still holds its work.
 */
export async function playerTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
): Promise<NodeResult> {
	if (context.task.formalReview === true) return reviewTurn(context, state, site);
	const trouble = await pairTrouble(context);
	if (trouble !== null) {
		return { update: halt("corrupt_session", trouble, "player_turn") };
	}
	await context.commit([taskWrite(context, { turns: site.turn, status: "running" })]);
	const request = playerRequest(context, state, site);
	await forgetLostWork(context, state, request);
	const answer = await callSeat(context, request);
	if (answer.kind === "unpaid") {
		return {
			update: halt("budget", answer.reason, "player_turn"),
			// The turn has not begun.
			writes: [taskWrite(context, { turns: state.turn })],
		};
	}
	if (answer.kind === "failed") {
		const { outcome, message, agent } = answer.call;
		return {
			update: halt(
				"role_error",
				`the player ${agent} failed (${outcome}): ${message ?? ""}`,
				"player_turn",
			),
			// No turn is charged for an agent's failure.
			writes: [
				await endOfEpisode(context, site, "player"),
				taskWrite(context, { turns: state.turn }),
			],
		};
	}
	const snapshot = await snapshotTurn(context, state, site, answer.call);
	await requireCheckout(context, answer.call);
	const outcome = answer.outcome ?? answered(answer.call);
	const { agent, call } = answer.call;
	await recordCall(context, { ...request, agent }, call, outcome, {
		from: state.commit,
		to: snapshot.commit,
	});
	const judged = await turnWrites(context, state, site, { call: answer.call, snapshot });
	await context.refs.publish(
		`turn-${site.turn}`,
		snapshot.commit,
		state.turn === 0 ? null : state.commit,
	);
	return {
		update: {
			turn: site.turn,
			commit: snapshot.commit,
			next: "go",
			taken: false,
			critical: false,
		},
		writes: judged,
	};
}

/**
 * A call that an earlier process stored counts only while the checkout that it worked in is there, as it left it.
 * Else nobody has its work any more: the call is made again, and no turn is charged for it.
 */
async function forgetLostWork(
	context: TaskContext,
	state: TaskState,
	request: SeatRequest,
): Promise<void> {
	const stored = await answerSoFar(context, request);
	if (stored === null) return;
	const { agent, call, checkout } = stored.call;
	const reason = await whyLost(context, state, checkout);
	if (reason === null) return;
	const { site, role } = request;
	await context.commit([
		await endOfEpisode(context, site, role),
		eventWrite(context, site, "work-lost", { role, agent, call, reason }),
	]);
}

async function whyLost(
	context: TaskContext,
	state: TaskState,
	worked: string | null,
): Promise<string | null> {
	const { player } = context.places;
	const present = await player.id();
	if (present === null) return "its checkout is gone";
	if (present !== worked) return "its checkout has been made again since";
	const { missing, of } = await player.missingFiles(state.commit);
	// Nobody saw how the directory came to be what it is since the call ended.
	return missing * 2 > of ? `${missing} of the ${of} files of its checkout are gone` : null;
}

/**
 * Whoever removed the checkout while the snapshot was taken removed files before git saw them: nobody may take that
 * commit for the player's.
 *
 * @throws Fault `checkout-lost`
 */
async function requireCheckout(context: TaskContext, { checkout }: CallRecord): Promise<void> {
	const { player } = context.places;
	if ((await player.id()) === checkout) return;
	throw new Fault(`the checkout ${player.dir} was removed while its snapshot was taken`, {
		code: "checkout-lost",
		hint: `Continue with \`spar resume ${context.run.runId}\`: the call that worked there is made again.`,
	});
}

/** A formal review has no player: its turn is the merged work as it stands. */
async function reviewTurn(context: TaskContext, state: TaskState, site: Site): Promise<NodeResult> {
	const commit = await context.refs.integrationTip();
	const tree = await treeOf(context.vault, commit);
	const turn = newTurn(context, { turn: site.turn, commit, tree, notes: "" });
	return {
		update: { turn: site.turn, commit, reviewed: "", next: "go", taken: false, critical: false },
		writes: [
			taskWrite(context, { turns: site.turn, status: "running", commit }),
			{ kind: "turn", turn },
		],
		passedThrough: `a formal review changes no file; turn ${state.turn + 1} judges the merged work`,
	};
}

type Snapshot = Awaited<ReturnType<TaskContext["places"]["player"]["snapshot"]>>;

function snapshotTurn(
	context: TaskContext,
	state: TaskState,
	site: Site,
	call: CallRecord,
): Promise<Snapshot> {
	return context.places.player.snapshot({
		parent: state.commit,
		message: messageWith(`${context.task.id}: turn ${site.turn} by ${call.agent}`, {
			run: context.run.runId,
			task: context.task.id,
			turn: site.turn,
		}),
		// From the stored call, so that a snapshot taken again after a kill is the same commit.
		at: Date.parse(call.startedAt) + call.ms,
	});
}

function answered(call: CallRecord) {
	return {
		kind: "answered",
		report: call.report,
		output: "",
		ms: call.ms,
		usage: call.usage,
	} as const;
}

async function turnWrites(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ call, snapshot }: { readonly call: CallRecord; readonly snapshot: Snapshot },
): Promise<Write[]> {
	const changes = await changesBetween(context.vault, state.commit, snapshot.commit);
	const parsed = parsePlayerReport(call.report, call.reportProblem ?? undefined);
	const writes: Write[] = [
		taskWrite(context, { commit: snapshot.commit }),
		{
			kind: "step",
			key: embeddedKey(context, site.turn),
			result: leftOutOf(snapshot),
		},
		eventWrite(context, site, "snapshot-taken", {
			commit: snapshot.commit,
			tree: snapshot.tree,
			changed: changes.length,
			empty: snapshot.empty,
		}),
	];
	const notes = parsed.ok ? parsed.report.implementation_notes : "";
	writes.push({
		kind: "turn",
		turn: newTurn(context, {
			turn: site.turn,
			commit: snapshot.commit,
			tree: snapshot.tree,
			notes,
		}),
	});
	if (!parsed.ok) {
		// The diff counts, not the report: a missing one is noted.
		writes.push(
			eventWrite(context, site, "report-rejected", {
				role: "player",
				agent: call.agent,
				call: call.call,
				reason: parsed.reason,
			}),
		);
		return writes;
	}
	const claims = compareClaims(parsed.report, changes);
	writes.push(
		eventWrite(context, site, "claims-compared", {
			honest: claims.honest,
			discrepancies: [...claims.discrepancies],
		}),
	);
	const open = await openNow(context);
	const { disputes } = parsed.report;
	return [...writes, ...disputeWrites(context, site, { open, disputes })];
}

function embeddedKey(context: Pick<TaskContext, "run" | "task">, turn: number) {
	return { runId: context.run.runId, taskId: context.task.id, turn, step: "embedded" };
}

/** What of the player's checkout is not part of a turn's snapshot, one sentence each. */
export async function embeddedOf(context: TaskContext, turn: number): Promise<string[]> {
	const stored = await context.records.step(embeddedKey(context, turn));
	return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
}
