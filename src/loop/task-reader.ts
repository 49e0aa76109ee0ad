import type { EvalMetric } from "../confidence/metric.ts";
import type { Score } from "../confidence/score-of.ts";
import type { FindingConflict } from "../conflict/conflict.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { GateReport } from "../gate/gate-report.ts";
import type { HumanItem } from "../human/human-item.ts";
import type { LeftWork } from "../kernel/left-work.ts";
import type { Role } from "../kernel/roles.ts";
import type { Finding } from "../review/finding.ts";
import type { PairRecord } from "../review/pair-session.ts";
import type { Overlap } from "../review/player-prompt.ts";
import type { Suspected, SuspicionAnswer } from "../review/suspicion-answers.ts";
import {
	type CallRecord,
	gateReportStep,
	type Records,
	type StepKey,
	type TaskRecord,
	type TurnRecord,
} from "../store/records.ts";
import type { Suite } from "../verification/suite.ts";
import type { Integrity } from "../wall/reading/tree-pair.ts";
import type { RefusedMerge } from "./merge-trouble.ts";
import { taskStep, turnStep } from "./task-log.ts";
import { type AuditedClaims, auditStep } from "./turn-claims.ts";
import { suitesStep, type TurnVerification, verificationStep } from "./turn-verification.ts";

/** Turn number under which the baseline is kept. */
export const BASELINE_TURN = 0;

export class TaskReader {
	readonly #records: Records;
	readonly #of: { readonly runId: string; readonly taskId: string };
	readonly #subtask: string | null;

	constructor(
		records: Records,
		of: { readonly runId: string; readonly taskId: string },
		subtask: string | null,
	) {
		this.#records = records;
		this.#of = of;
		this.#subtask = subtask;
	}

	async task(): Promise<TaskRecord> {
		const { runId, taskId } = this.#of;
		const record = await this.#records.task(runId, taskId);
		if (record === undefined) throw new Error(`task ${taskId} is not part of run ${runId}`);
		return record;
	}

	async turn(turn: number): Promise<TurnRecord> {
		const record = await this.turnIfAny(turn);
		if (record === undefined)
			throw new Error(`no record of turn ${turn} of task ${this.#of.taskId}`);
		return record;
	}

	async turnIfAny(turn: number): Promise<TurnRecord | undefined> {
		return turn === 0 ? undefined : await this.#records.turn(this.#of.runId, this.#of.taskId, turn);
	}

	turns(limit: number): Promise<readonly TurnRecord[]> {
		return this.#records.turns(this.#of.runId, this.#of.taskId, limit);
	}

	allEvidence(turn: number): Promise<readonly Evidence[]> {
		return this.#records.evidence(this.#of.runId, this.#of.taskId, turn);
	}

	async evidence(turn: number): Promise<readonly Evidence[]> {
		return (await this.allEvidence(turn)).filter(({ purpose }) => purpose === "turn");
	}

	async baseline(): Promise<ReadonlyMap<string, Evidence>> {
		const evidence = await this.allEvidence(BASELINE_TURN);
		return new Map(evidence.map((piece) => [piece.check, piece]));
	}

	async open(): Promise<readonly Finding[]> {
		const open = await this.#records.openFindings(this.#of.runId, this.#of.taskId);
		return open.filter(({ subtask }) => (subtask ?? null) === this.#subtask);
	}

	findings(): Promise<readonly Finding[]> {
		return this.#records.findings(this.#of.runId, this.#of.taskId);
	}

	findingsByIssue(keys: readonly string[]): Promise<readonly Finding[]> {
		return this.#records.findingsByIssue(this.#of.runId, this.#of.taskId, keys);
	}

	findingCount(): Promise<number> {
		return this.#records.findingCount(this.#of.runId, this.#of.taskId);
	}

	conflicts(): Promise<readonly FindingConflict[]> {
		return this.#records.conflicts(this.#of.runId, this.#of.taskId);
	}

	calls(turn: number, role: Role): Promise<readonly CallRecord[]> {
		return this.#records.calls(this.#of.runId, this.#of.taskId, turn, role);
	}

	async items(): Promise<readonly HumanItem[]> {
		const items = await this.#records.items(this.#of.runId);
		return items.filter(({ taskId }) => taskId === this.#of.taskId);
	}

	item(id: string): Promise<HumanItem | undefined> {
		return this.#records.item(id);
	}

	pairSession(): Promise<PairRecord | undefined> {
		return this.#records.pairSession(this.#of.runId, this.#of.taskId);
	}

	async verification(turn: number): Promise<TurnVerification | null> {
		return (await this.step(verificationStep(this.#of, turn))) ?? null;
	}

	async suites(): Promise<readonly Suite[]> {
		return (await this.step(suitesStep(this.#of))) ?? [];
	}

	step<Result>(key: StepKey<Result>): Promise<Result | undefined> {
		return this.#records.step(key);
	}

	async score(turn: number): Promise<TurnScore | null> {
		return (await this.step(scoreStep(this.#of, turn))) ?? null;
	}

	async gateReport(turn: number): Promise<GateReport | null> {
		return (await this.step(gateReportStep(this.#of, turn))) ?? null;
	}

	async leftOut(turn: number): Promise<readonly string[]> {
		return (await this.step(leftOutStep(this.#of, turn))) ?? [];
	}

	async leftBehind(turn: number): Promise<LeftBehind> {
		const left = turn === 0 ? undefined : await this.step(leftBehindStep(this.#of, turn));
		return left ?? { work: [], ignored: [] };
	}

	async wall(turn: number): Promise<WallNotes> {
		return (await this.step(wallStep(this.#of, turn))) ?? NO_NOTES;
	}

	async suspected(turn: number): Promise<Suspected> {
		const { suspicions } = await this.wall(turn);
		return { suspicions, answers: (await this.step(answersStep(this.#of))) ?? [] };
	}

	async claims(turn: number): Promise<AuditedClaims | null> {
		return turn === 0 ? null : ((await this.step(auditStep(this.#of, turn))) ?? null);
	}

	/** What a turn's work would not have merged with when it was made. */
	async overlaps(turn: number): Promise<readonly Overlap[]> {
		return turn === 0 ? [] : ((await this.step(overlapsStep(this.#of, turn))) ?? []);
	}

	/** How the merge of a turn was refused, masked; null when it was not. */
	async refusedMerge(turn: number): Promise<RefusedMerge | null> {
		return turn === 0 ? null : ((await this.step(refusedMergeStep(this.#of, turn))) ?? null);
	}
}

export const leftOutStep = turnStep<readonly string[]>("embedded");

interface LeftBehind {
	readonly work: readonly LeftWork[];
	readonly ignored: readonly string[];
}

/** Where {@link TaskReader.leftBehind} is kept. */
export const leftBehindStep = turnStep<LeftBehind>("left-behind");

type WallNotes = Pick<Integrity, "suspicions" | "allowed" | "violations">;

/** Where {@link TaskReader.wall} is kept. */
export const wallStep = turnStep<WallNotes>("wall");

const NO_NOTES: WallNotes = { suspicions: [], allowed: [], violations: [] };

export const answersStep = taskStep<readonly SuspicionAnswer[]>("suspicion-answers");

export const overlapsStep = turnStep<readonly Overlap[]>("overlaps");

/** Where {@link TaskReader.refusedMerge} is kept. */
export const refusedMergeStep = turnStep<RefusedMerge>("refused-merge");

export interface TurnScore extends Score {
	readonly threshold: number;
	readonly metrics: readonly EvalMetric[];
	readonly values: Readonly<Record<string, number>>;
}

export const scoreStep = turnStep<TurnScore>("confidence");

export const ENVIRONMENT_RETRIES = 2;

/**
 * Number of an attempt at the checks of a turn. After a person said "try again" attempts are counted on, so that what was
 * found before is not overwritten.
 *
 * @param items questions asked so far
 * @param attempt from 0, in this pass
 */
export function attemptOf(items: number, attempt: number): number {
	return items * (ENVIRONMENT_RETRIES + 1) + attempt;
}
