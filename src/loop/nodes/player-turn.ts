import { parsePlayerReport } from "../../agents/report.ts";
import { compareClaims } from "../../evidence/honesty.ts";
import { changesBetween } from "../../git/changes.ts";
import { messageWith } from "../../git/message.ts";
import { applyDisputes } from "../../review/apply-disputes.ts";
import { playerContext } from "../../review/context.ts";
import { playerPrompt } from "../../review/player-prompt.ts";
import type { CallRecord, Write } from "../../store/records.ts";
import { eventWrite, type Site, type TaskContext, taskWrite } from "../context.ts";
import { halt } from "../halt.ts";
import { handOver } from "../handed-evidence.ts";
import { mergeTroubleOf } from "../merge-trouble.ts";
import { prepareCheckout } from "../prepare-checkout.ts";
import { callSeat, endOfEpisode, recordCall, type SeatRequest } from "../seat-call.ts";
import { directiveOf, pairOf } from "../seats.ts";
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
	await context.commit([taskWrite(context, { turns: site.turn, status: "running" })]);
	const request = seatRequest(context, state, site);
	const answer = await callSeat(context, request);
	if (answer.kind === "failed") {
		const { outcome, message } = answer.call;
		return {
			update: halt(
				"role_error",
				`the player ${context.task.player} failed (${outcome}): ${message ?? ""}`,
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
	const outcome = answer.outcome ?? answered(answer.call);
	await recordCall(context, request, answer.call.call, outcome, {
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
		update: { turn: site.turn, commit: snapshot.commit, next: "go", taken: false, rework: false },
		writes: judged,
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
		message: messageWith(
			context.masker.mask(`${context.task.id}: turn ${site.turn} by ${call.agent}`),
			{
				run: context.run.runId,
				task: context.task.id,
				turn: site.turn,
			},
		),
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

function seatRequest(context: TaskContext, state: TaskState, site: Site): SeatRequest {
	const { player } = context.places;
	return {
		site,
		role: "player",
		agent: context.task.player,
		checkout: player.dir,
		prepare: async () => {
			// A setup that the player itself broke shows in the checks; it must not keep the player from mending it.
			await prepareCheckout(context, site, {
				checkout: player,
				name: "player",
				commit: state.commit,
			});
		},
		compose: (workDir) => compose(context, state, site, workDir),
		nth: 0,
		recordLater: true,
	};
}

async function compose(context: TaskContext, state: TaskState, site: Site, workDir: string) {
	const { records, run, task, workflow, places } = context;
	const findings = await records.openFindings(run.runId, task.id);
	const lastTurn =
		state.turn === 0 ? undefined : await records.turn(run.runId, task.id, state.turn);
	const stored = state.turn === 0 ? [] : await records.evidence(run.runId, task.id, state.turn);
	const { evidence, directory } = await handOver(
		stored.filter(({ status }) => status !== "pass"),
		places.stateDir,
		workDir,
	);
	const directive = await directiveOf(context, state);
	const prompt = playerPrompt({
		task,
		turn: site.turn,
		bound: state.bound,
		findings,
		evidence,
		// A turn that was approved and then refused by the merge has no reason but that.
		reasons: lastTurn === undefined || state.rework ? [] : reasonsFor(lastTurn),
		checks: workflow.checks,
		protectedPaths: workflow.protected,
		directive,
		merge: await mergeTroubleOf(context, state),
	});
	const input = {
		run: run.runId,
		turn: site.turn,
		base: state.start,
		commit: state.commit,
		task,
		subtask: null,
		findings,
		evidence,
		stateDirectory: directory,
		directive,
		pair: pairOf(context, site.turn),
	};
	return { prompt, context: playerContext(input) };
}

/** The coach's rationale reaches the player when it gave no finding to work on. */
function reasonsFor(turn: {
	readonly reasons: readonly string[];
	readonly rationale: string;
	readonly openIssues: readonly string[];
}): string[] {
	const rationale =
		turn.openIssues.length === 0 && turn.rationale !== "" ? [`the coach: ${turn.rationale}`] : [];
	return [...turn.reasons, ...rationale];
}

async function turnWrites(
	context: TaskContext,
	state: TaskState,
	site: Site,
	{ call, snapshot }: { readonly call: CallRecord; readonly snapshot: Snapshot },
): Promise<Write[]> {
	const { run, task, masker } = context;
	const changes = await changesBetween(context.vault, state.commit, snapshot.commit);
	const parsed = parsePlayerReport(call.report);
	const writes: Write[] = [
		taskWrite(context, { commit: snapshot.commit }),
		{
			kind: "step",
			key: embeddedKey(context, site.turn),
			result: [...snapshot.embedded, ...snapshot.leftOut].map((path) => masker.mask(path)),
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
		// The diff counts, not the report: a missing one is noted (contract section 2).
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
	const open = await context.records.openFindings(run.runId, task.id);
	for (const finding of applyDisputes(open, parsed.report.disputes, site.turn)) {
		writes.push(
			{ kind: "finding", runId: run.runId, taskId: task.id, finding },
			eventWrite(context, site, "finding-changed", {
				finding: finding.id,
				state: finding.state,
				severity: finding.severity,
				issue: finding.issue,
				blocking: true,
			}),
		);
	}
	return writes;
}

function embeddedKey(context: Pick<TaskContext, "run" | "task">, turn: number) {
	return { runId: context.run.runId, taskId: context.task.id, turn, step: "embedded" };
}

/** Repositories that the player made inside its checkout in a turn; they are left out of the snapshot. */
export async function embeddedOf(context: TaskContext, turn: number): Promise<string[]> {
	const stored = await context.records.step(embeddedKey(context, turn));
	return Array.isArray(stored) ? stored.filter((path) => typeof path === "string") : [];
}
