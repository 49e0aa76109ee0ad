import type { Gated, GateFacts, GateReason, Outcome } from "./gate-facts.ts";
import { GATE_RULES } from "./gate-rules.ts";

/** The outcome that each status stands for; the first that a rule gives decides. */
const DECIDING: readonly (readonly [GateReason["status"], Outcome])[] = [
	["FAIL", "fail"],
	["ABSENT", "fail"],
	["NONE", "none"],
	["ASK", "ask"],
];

/**
 * Asks every rule of the gate about work. This is the last step of each judgement: of a check, a turn and a merge.
 *
 * @example a failed test gives `{ outcome: "fail", reasons: [{ rule: "acceptance", status: "FAIL", ... }, ...] }`
 */
export function askGate(facts: GateFacts): Gated {
	const reasons = GATE_RULES.map(
		({ rule, area, judge }): GateReason => ({ rule, area, ...judge(facts) }),
	);
	const found = DECIDING.find(([status]) => reasons.some((each) => each.status === status));
	return { outcome: found?.[1] ?? "pass", reasons };
}

/** Those that refuse work. */
export function refusing({ reasons }: Pick<Gated, "reasons">): readonly GateReason[] {
	return reasons.filter(({ status }) => ["FAIL", "ABSENT", "NONE"].includes(status));
}
