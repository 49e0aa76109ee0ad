import type { EvalMetric } from "../../confidence/metric.ts";
import type { Score } from "../../confidence/score-of.ts";
import type { LeftWork } from "../../kernel/left-work.ts";
import type { Overlap } from "../../review/player-prompt.ts";
import type { SuspicionAnswer } from "../../review/suspicion-answers.ts";
import type { Integrity } from "../../wall/reading/tree-pair.ts";
import type { KeptSuspicion } from "../../wall/suspicion.ts";
import type { RefusedMerge } from "./merge-trouble.ts";
import { taskStep, turnStep } from "./task-log.ts";

// Keys alone, which load nothing: `spar status` reads by them.
export const leftOutStep = turnStep<readonly string[]>("embedded");

export const leftBehindStep = turnStep<{
	readonly work: readonly LeftWork[];
	readonly ignored: readonly string[];
}>("left-behind");

export type WallNotes = Pick<Integrity, "suspicions" | "allowed" | "violations">;

export const wallStep = turnStep<
	Omit<WallNotes, "suspicions"> & { readonly suspicions: readonly KeptSuspicion[] }
>("wall");

export const answersStep = taskStep<readonly SuspicionAnswer[]>("suspicion-answers");

export const overlapsStep = turnStep<readonly Overlap[]>("overlaps");

export const refusedMergeStep = turnStep<RefusedMerge>("refused-merge");

export interface TurnScore extends Score {
	readonly threshold: number;
	readonly metrics: readonly EvalMetric[];
	readonly values: Readonly<Record<string, number>>;
}

export const scoreStep = turnStep<TurnScore>("confidence");
