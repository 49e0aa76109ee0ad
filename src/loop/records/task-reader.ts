import type { Evidence } from "../../evidence/evidence.ts";
import type { HumanItem } from "../../human/human-item.ts";
import { BASELINE_TURN, ENVIRONMENT_RETRIES } from "../../judge/stand.ts";
import type { Role } from "../../kernel/roles.ts";
import type { Finding } from "../../review/finding.ts";
import type { Suspected } from "../../review/suspicion-answers.ts";
import {
	gateReportStep,
	type Records,
	type StepKey,
	type TaskRecord,
	type TurnRecord,
} from "../../store/records.ts";
import { lateOtherwise } from "../../wall/replay/otherwise.ts";
import { unsteadyIn } from "../../wall/replay/unsteady.ts";
import { keptSuspicion } from "../../wall/suspicion.ts";
import {
	answersStep,
	leftBehindStep,
	leftOutStep,
	overlapsStep,
	refusedMergeStep,
	scoreStep,
	type WallNotes,
	wallStep,
} from "./task-steps.ts";
import { auditStep } from "./turn-claims.ts";
import { suitesStep, verificationStep } from "./turn-verification.ts";

export type TaskReader = ReturnType<typeof readerOf>;

/** Reads what is stored of one task. Findings that are open are those of its present subtask alone. */
export const taskReader: typeof readerOf = readerOf;

function readerOf(records: Records, of: Pick<StepKey, "runId" | "taskId">, subtask: string | null) {
	const { runId, taskId } = of;
	const step = <Result>(key: StepKey<Result>): Promise<Result | undefined> => records.step(key);
	const stepOr = async <Result, Other>(key: StepKey<Result>, other: Other) =>
		(await step(key)) ?? other;
	const turnIfAny = async (turn: number): Promise<TurnRecord | undefined> =>
		turn === 0 ? undefined : await records.turn(runId, taskId, turn);
	const allEvidence = (turn: number) => records.evidence(runId, taskId, turn);
	const wall = async (turn: number): Promise<WallNotes> => {
		const kept = await step(wallStep(of, turn));
		if (kept === undefined) return NO_NOTES;
		return { ...kept, suspicions: kept.suspicions.map(keptSuspicion) };
	};
	return {
		task: async (): Promise<TaskRecord> => {
			const record = await records.task(runId, taskId);
			if (record === undefined) throw new Error(`task ${taskId} is not part of run ${runId}`);
			return record;
		},
		turn: async (turn: number): Promise<TurnRecord> => {
			const record = await turnIfAny(turn);
			if (record === undefined) throw new Error(`no record of turn ${turn} of task ${taskId}`);
			return record;
		},
		turnIfAny,
		turns: (limit: number) => records.turns(runId, taskId, limit),
		allEvidence,
		evidence: async (turn: number): Promise<readonly Evidence[]> =>
			(await allEvidence(turn)).filter(({ purpose }) => purpose === "turn"),
		baseline: async (): Promise<ReadonlyMap<string, Evidence>> =>
			new Map((await allEvidence(BASELINE_TURN)).map((piece) => [piece.check, piece])),
		open: async (): Promise<readonly Finding[]> => {
			const open = await records.openFindings(runId, taskId);
			return open.filter((finding) => (finding.subtask ?? null) === subtask);
		},
		findings: () => records.findings(runId, taskId),
		findingsByIssue: (keys: readonly string[]) => records.findingsByIssue(runId, taskId, keys),
		findingCount: () => records.findingCount(runId, taskId),
		conflicts: () => records.conflicts(runId, taskId),
		calls: (turn: number, role: Role) => records.calls(runId, taskId, turn, role),
		items: async (): Promise<readonly HumanItem[]> =>
			(await records.items(runId)).filter((item) => item.taskId === taskId),
		item: (id: string) => records.item(id),
		pairSession: () => records.pairSession(runId, taskId),
		verification: (turn: number) => stepOr(verificationStep(of, turn), null),
		suites: () => stepOr(suitesStep(of), []),
		step,
		score: (turn: number) => stepOr(scoreStep(of, turn), null),
		gateReport: (turn: number) => stepOr(gateReportStep(of, turn), null),
		leftOut: (turn: number) => stepOr(leftOutStep(of, turn), []),
		leftBehind: (turn: number) => stepOr(leftBehindStep(of, turn), { work: [], ignored: [] }),
		wall,
		suspected: async (turn: number): Promise<Suspected> => {
			const { suspicions } = await wall(turn);
			const ran = await allEvidence(turn);
			// A merge on a moved tip, or with other surroundings, has a cold run of its own.
			const { cold = [], turn: own = [] } = Object.groupBy(ran, ({ purpose }) =>
				purpose === "assembled" ? "cold" : "turn",
			);
			const late = [...unsteadyIn(ran), ...lateOtherwise(cold, own)];
			const verification = await stepOr(verificationStep(of, turn), null);
			const answers = await stepOr(answersStep(of), []);
			const verified = verification?.verdict === "passed";
			return { suspicions: [...suspicions, ...late], answers, verified };
		},
		claims: (turn: number) => stepOr(auditStep(of, turn), null),
		/** Work of others that a turn's would not have merged with when it was made. */
		overlaps: (turn: number) => stepOr(overlapsStep(of, turn), []),
		/** Refusal of a turn's merge, masked; null when it was not refused. */
		refusedMerge: (turn: number) => stepOr(refusedMergeStep(of, turn), null),
	};
}

const NO_NOTES: WallNotes = { suspicions: [], allowed: [], violations: [] };

// After a person said "try again" attempts are counted on, so that what was found before is not overwritten.
export function attemptOf(items: number, attempt: number): number {
	return items * (ENVIRONMENT_RETRIES + 1) + attempt;
}
