import type { Evidence } from "../evidence/evidence.ts";
import { hasValue } from "../kernel/evidence-value.ts";
import { checkBehind } from "../kernel/replayed.ts";
import { isVoidReplay } from "../wall/replay/void-replay.ts";
import { isTolerated } from "./judge.ts";

/**
 * Side that a result is laid to. `fail` is the player's; `absent` or `error` is, if the check had a value at the
 * baseline and its command started now. Otherwise it is the environment's. A tolerated check, which failed at the
 * baseline and still fails, is nobody's, and neither is a replay that had nothing to replay.
 *
 * @example a check that passed at the baseline and now times out gives `"player"`
 */
export function whoseFault(
	now: Evidence,
	baseline: Evidence | undefined,
): "none" | "player" | "environment" {
	if (now.status === "pass" || isTolerated(now) || isVoidReplay(now)) return "none";
	if (now.status === "fail") return "player";
	const workedBefore = baseline !== undefined && hasValue(baseline.status);
	return workedBefore && now.started ? "player" : "environment";
}

/** Acceptance checks and replays that the environment kept from saying anything. */
export function spoiltOf(
	evidence: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): Evidence[] {
	return evidence.filter(
		(piece) =>
			(piece.kind === "acceptance" || piece.kind === "replay") &&
			whoseFault(piece, baseline.get(checkBehind(piece))) === "environment",
	);
}
