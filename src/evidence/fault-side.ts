import { hasValue } from "../kernel/evidence-value.ts";
import type { Evidence } from "./evidence.ts";
import { isTolerated } from "./judge.ts";

/** Who has to act on a piece of evidence: nobody, the player (rework), or who runs the machine. */
export type FaultSide = "none" | "player" | "environment";

/**
 * Whose fault evidence is.
 *
 * `fail` is rework. `absent` or `error` is rework when the same check had a value at the baseline
 * and its command could be started now: the player broke it. Otherwise it is the environment's.
 * A tolerated check (red at the baseline, still red) is nobody's: nothing broke.
 *
 * @param now evidence of the tree in question
 * @param baseline evidence of the same check on the start commit; undefined when there is none
 * @example a check that passed at the baseline and now times out gives `"player"`
 */
export function whoseFault(now: Evidence, baseline: Evidence | undefined): FaultSide {
	if (now.status === "pass" || isTolerated(now)) return "none";
	if (now.status === "fail") return "player";
	const workedBefore = baseline !== undefined && hasValue(baseline.status);
	return workedBefore && now.started ? "player" : "environment";
}
