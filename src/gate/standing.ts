import type { Evidence } from "../evidence/evidence.ts";
import { isShort } from "../wall/replay/void-replay.ts";

/** Standing of required evidence: `none` where it says nothing, and nobody is to blame for that. */
export function standingOf(piece: Evidence): "pass" | "fail" | "absent" | "none" {
	if (!isShort(piece)) return "pass";
	const { status, counts } = piece;
	// All that is there fails on the base too.
	if (status === "absent" && counts?.failed === 0 && counts.knownFailing > 0) return "none";
	return status === "fail" ? "fail" : "absent";
}

/** Tells whether a check that is not required fails, and did not on the base. */
export function isWorse(piece: Evidence, before: Evidence | undefined): boolean {
	return piece.status === "fail" && before?.status !== "fail";
}
