import { join } from "node:path";
import { countsJson } from "../evidence/counts-json.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { survivorJson, survivorsIn } from "../formats/mutation/mutation-text.ts";
import type { Json } from "../kernel/json.ts";
import { snake } from "../kernel/snake-case.ts";
import type { FalseClaim } from "../wall/false-claim.ts";
import type { Suspicion } from "../wall/suspicion.ts";
import {
	falseClaimsJson,
	type ScoreTold,
	scoreJson,
	type VerifiedWork,
	verifiedJson,
} from "./evidence-text.ts";
import type { Finding } from "./finding.ts";
import type { SessionJson } from "./pair-session.ts";
import type { TaskBrief } from "./task-text.ts";

/** The seats of a pair as the context shows them. */
export interface PairContext {
	readonly driver: string;
	readonly challenger: string;
	/** From 1. */
	readonly iteration: number;
	readonly maxIterations: number;
	/** The last iterations, {@link HISTORY_SHOWN} at most, oldest first. */
	readonly history: SessionJson["history"];
}

/** Iterations of a pair that a context holds: the prompt is made of what is open, so this is for an agent that asks. */
export const HISTORY_SHOWN = 5;

/** Input of both seats' contexts. Texts are masked already, and else verbatim. */
export interface ContextInput {
	readonly run: string;
	readonly turn: number;
	/** Commit that the task began on. */
	readonly base: string;
	/** Commit that the checkout stands on. */
	readonly commit: string;
	readonly task: TaskBrief;
	/** Id of the subtask; null without one. */
	readonly subtask: string | null;
	/** The open findings. */
	readonly findings: readonly Finding[];
	/** For the player the last turn's, for the coach this turn's. */
	readonly evidence: readonly Evidence[];
	/** Absolute path of the state directory, to which the outputs' paths are relative. */
	readonly stateDirectory: string;
	readonly directive: string | null;
	readonly pair: PairContext | null;
}

/** A finding as contexts show it, with its last dispute and the ruling on it. */
export function findingJson(finding: Finding): Json {
	const { dispute, ruling = null } = finding;
	return {
		...snake(finding, "id", "issue", "severity", "state"),
		...snake(finding, "criterion", "file", "line", "suggestion"),
		dispute: dispute && snake(dispute, "reason", "evidence", "turn"),
		ruling: ruling && snake(ruling, "by", "decision", "rationale", "turn"),
	};
}

function evidenceJson(evidence: Evidence, stateDirectory: string): Json {
	const { check, item = null, kind, status, counts, details, outputPath } = evidence;
	const output_path = outputPath === null ? null : join(stateDirectory, outputPath);
	return { check, item, kind, status, counts: countsJson(counts), details, output_path };
}

function withoutSummary(iteration: PairContext["history"][number]): Json {
	const { driver_output_summary: _, ...rest } = iteration;
	return rest;
}

const pairJson = (pair: PairContext, history: Json): Json => ({
	...snake(pair, "driver", "challenger", "iteration", "maxIterations"),
	history,
});

type SeatContext = Readonly<Record<keyof ReturnType<typeof seatContext>, Json>>;

function seatContext(input: Omit<ContextInput, "pair">, role: string, diff_path: string | null) {
	const { run, turn, base, commit, task, subtask, directive } = input;
	return {
		role,
		run,
		turn,
		base,
		commit,
		task: snake(task, "id", "description", "acceptanceCriteria", "contextFiles"),
		subtask,
		diff_path,
		findings: input.findings.map(findingJson),
		evidence: input.evidence.map((evidence) => evidenceJson(evidence, input.stateDirectory)),
		directive,
		pair: null,
		confidence: null,
		conflict: null,
	};
}

/**
 * The player's structured input. Of the evidence it gets what did not pass; `diff_path` is null, since its checkout
 * is the work itself. `confidence` is the score of the last turn, where that was not approved.
 */
export function playerContext(
	input: ContextInput & {
		readonly confidence: ScoreTold | null;
		readonly verificationFeedback?: string;
		readonly falseClaims?: readonly FalseClaim[];
	},
): SeatContext & { readonly verification_feedback: string; readonly false_claims: Json } {
	const { pair } = input;
	const evidence = input.evidence.filter(({ status }) => status !== "pass");
	return {
		...seatContext({ ...input, evidence }, "player", null),
		pair: pair && pairJson(pair, pair.history),
		confidence: input.confidence && scoreJson(input.confidence),
		verification_feedback: input.verificationFeedback ?? "",
		false_claims: falseClaimsJson(input.falseClaims ?? []),
	};
}

/** The coach's structured input: no report, note or claim of the player but its disputes and what is false, and no score. */
export function coachContext(
	input: ContextInput & {
		readonly diffPath: string;
		readonly suspicions?: readonly Suspicion[];
		readonly falseClaims?: readonly FalseClaim[];
		readonly verified?: VerifiedWork | null;
	},
): SeatContext &
	Readonly<Record<"suspicions" | "false_claims" | "verification_result" | "survivors", Json>> {
	const { pair, diffPath, suspicions = [], falseClaims = [], verified = null } = input;
	return {
		...seatContext(input, "coach", diffPath),
		pair: pair && pairJson(pair, pair.history.map(withoutSummary)),
		suspicions: suspicions.map((one) => ({
			...snake(one, "id", "rule", "kind", "file", "line", "text"),
			...one.expected,
		})),
		false_claims: falseClaimsJson(falseClaims),
		verification_result: verifiedJson(verified),
		survivors: survivorsIn(input.evidence).map(survivorJson),
	};
}
