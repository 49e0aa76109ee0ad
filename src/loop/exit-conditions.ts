import type { HumanItem } from "../human/human-item.ts";
import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import { firstThatHolds } from "../workflow/expression/holds.ts";
import { parseCondition } from "../workflow/expression/parse-condition.ts";
import type { ConditionValues } from "../workflow/expression/variables.ts";
import type { TaskDefinition } from "../workflow/workflow.ts";
import type { TurnScore } from "./turn-score.ts";

/** The default of a pair: it is decided without an expression. */
const APPROVED = "pair.challenger_approved == true";

/** What exit conditions can ask about a turn. */
export interface ExitFacts {
	readonly turn: number;
	/** Effective verdict of the coach; null without one. */
	readonly effective: "approve" | "feedback" | null;
	readonly open: readonly Finding[];
	/** null when nothing is scored. */
	readonly score: TurnScore | null;
	/** null without a gate. */
	readonly gate: "PASS" | "FAIL" | null;
	/** Verdict of independent verification; null where nothing was decided. */
	readonly verification: "passed" | "failed" | "skipped" | "inconclusive" | null;
	/** Items of this task, answered or not. */
	readonly items: readonly Pick<HumanItem, "status">[];
}

/**
 * What a task's exit conditions say of a turn.
 *
 * @returns null when it has none but a pair's default, the coach's approval; `holds` is the text of the first
 * condition that is true, null when none is. An unknown is not true
 */
export function exitOf(
	task: Pick<TaskDefinition, "exitConditions" | "pair">,
	facts: ExitFacts,
): { readonly holds: string | null } | null {
	const texts = task.exitConditions ?? [];
	const isDefault = task.pair !== undefined && texts.every((text) => text.trim() === APPROVED);
	if (texts.length === 0 || isDefault) return null;
	const conditions = texts.flatMap((text) => {
		const parsed = parseCondition(text);
		// The loader refused what does not parse; nothing can hold because of it.
		return parsed.ok ? [parsed.condition] : [];
	});
	return {
		holds: firstThatHolds(conditions, valuesOf(facts, task.pair !== undefined))?.text ?? null,
	};
}

function valuesOf(facts: ExitFacts, paired: boolean): ConditionValues {
	const { turn, effective, open, score, gate, verification, items } = facts;
	const values: { -readonly [Name in keyof ConditionValues]: ConditionValues[Name] } = {
		"loop.turn": turn,
		"findings.open": open.length,
		"findings.blocking": open.filter(isBlocking).length,
	};
	if (paired) values["pair.iteration"] = turn;
	if (paired && effective !== null) values["pair.challenger_approved"] = effective === "approve";
	if (gate !== null) values["gate.verdict"] = gate;
	if (verification !== null) values["verification.verdict"] = verification;
	if (items.length > 0) values["hil.resolved"] = items.every(({ status }) => status === "RESOLVED");
	if (score === null) return values;
	return { ...values, confidence_score: score.score, ...metricsNamed(score) };
}

function metricsNamed(score: TurnScore): Readonly<Record<string, number>> {
	return Object.fromEntries(
		Object.entries(score.values).map(([type, value]) => [`metrics.${type}`, value]),
	);
}
