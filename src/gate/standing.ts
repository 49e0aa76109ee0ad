import type { Evidence } from "../evidence/evidence.ts";
import { isShort } from "../wall/replay/void-replay.ts";

/** Tells whether nothing but tests that fail on the base too is what a check has: nobody is to blame, and nothing is shown. */
const isAllKnown = ({ status, counts }: Evidence): boolean =>
	status === "absent" && counts?.failed === 0 && counts.knownFailing > 0;

/** How required evidence stands: `none` where it says nothing, and nobody is to blame for that. */
export function standingOf(piece: Evidence): "pass" | "fail" | "absent" | "none" {
	if (!isShort(piece)) return "pass";
	if (isAllKnown(piece)) return "none";
	return piece.status === "fail" ? "fail" : "absent";
}

/** Tells whether what is not required fails, and did not on the base. */
export function isWorse(piece: Evidence, before: Evidence | undefined): boolean {
	return piece.status === "fail" && before?.status !== "fail";
}
