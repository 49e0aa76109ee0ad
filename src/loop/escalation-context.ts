import { changesBetween } from "../git/changes.ts";
import { sessionJson } from "../review/session-json.ts";
import type { TaskContext } from "./context.ts";
import { openNow } from "./open-findings.ts";
import type { TaskState } from "./state.ts";
import { gateReportOf, turnScore } from "./turn-score.ts";

/** Most files that a person is shown by name. */
const MAX_FILES = 200;

/** All that a person needs to decide: both sides, findings, evidence, gate, reasons, and where the diff is. */
export async function escalationContext(
	context: TaskContext,
	state: TaskState,
	diffPath: string,
): Promise<Readonly<Record<string, unknown>>> {
	const { records, run, task } = context;
	const turn = state.turn === 0 ? undefined : await records.turn(run.runId, task.id, state.turn);
	const evidence = await records.evidence(run.runId, task.id, state.turn);
	const findings = await openNow(context);
	const session = await records.pairSession(run.runId, task.id);
	const score = await turnScore(context, state.turn);
	const record = await records.task(run.runId, task.id);
	const changes =
		state.start === "" ? [] : await changesBetween(context.vault, state.start, state.commit);
	return {
		task: {
			id: task.id,
			description: task.description,
			acceptance_criteria: task.acceptanceCriteria,
		},
		developer: {
			agent: task.player,
			notes: turn?.notes ?? "",
			files: changes.slice(0, MAX_FILES).map(({ path }) => path),
		},
		reviewer: {
			agent: task.pair?.challenger ?? null,
			decision: turn?.raw ?? null,
			effective: turn?.effective ?? null,
			rationale: turn?.rationale ?? "",
		},
		findings: findings.map(
			({ id, issue, severity, state: life, file, line, criterion, suggestion, dispute }) => ({
				id,
				issue,
				severity,
				state: life,
				file,
				line,
				criterion,
				suggestion,
				dispute,
			}),
		),
		evidence: evidence.map(({ check, kind, status, reason, counts, details, outputPath }) => ({
			check,
			kind,
			status,
			reason,
			counts,
			details,
			output_path: outputPath === null ? null : `.sparring/${outputPath}`,
		})),
		gate: record?.gate ?? null,
		gate_report: await gateReportOf(context, state.turn),
		confidence: score,
		pair: session === undefined ? null : sessionJson(session.session),
		subtask: context.subtask?.id ?? null,
		reasons: turn?.reasons ?? [],
		diff_path: state.start === "" ? null : `.sparring/${diffPath}`,
		branch: record?.branch ?? null,
		commit: state.commit === "" ? null : state.commit,
		turns: state.turn,
		bound: state.bound,
	};
}
