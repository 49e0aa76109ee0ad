import { isScore } from "./compute-confidence.ts";
import type { Measure } from "./metric.ts";

/** The outcome of an evaluator's call. */
export type JudgeAnswer =
	| {
			readonly ok: true;
			/** The agent that answered, which may be a fallback. */
			readonly agent: string;
			readonly score: number;
			/** Masked. */
			readonly rationale: string;
	  }
	| { readonly ok: false; readonly reason: string };

export interface JudgeRecords {
	readonly judges: ReadonlyMap<string, JudgeAnswer>;
	/** Agents that have a seat in the task, and so may not score it. */
	readonly seats: readonly string[];
}

/**
 * `llm_judge`: the score that the configured evaluator gave, with its words. No value without a usable answer, and
 * none when the agent that answered has a seat in the task.
 *
 * @param evaluator undefined when none is configured, which is also an error of the workflow file
 */
export function judgeScore(
	evaluator: string | undefined,
	{ judges, seats }: JudgeRecords,
): Measure {
	if (evaluator === undefined) {
		return { score: null, reason: "llm_judge metric requires evaluator_agent to be set" };
	}
	const answer = judges.get(evaluator);
	if (answer === undefined) return { score: null, reason: `${evaluator} was not asked` };
	if (!answer.ok) return { score: null, reason: `${evaluator} gave no score: ${answer.reason}` };
	const { agent, score, rationale } = answer;
	if (seats.includes(agent)) {
		return {
			score: null,
			reason: `${agent} has a seat in this task, so its score does not count`,
		};
	}
	return isScore(score)
		? { score, reason: `scored by ${agent}`, rationale }
		: { score: null, reason: `${agent} gave ${score}, which is not from 0.0 to 1.0` };
}
