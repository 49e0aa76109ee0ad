import type { Evidence } from "../../evidence/evidence.ts";

/** Reason of a replay that shows nothing because the base has nothing to show. */
export const NOTHING_PASSED = "nothing passed on the base, so its tests show nothing";
/** Reason of one whose tests may all go. */
export const ALL_EXCUSED = "the task allows that every test of the base is lost";
/** Reason of one of which every test that says something of the work was changed by it, and expects something else now. */
export const ALL_OTHERWISE = "every test of the base was changed, and expects something else now";

type Told = Pick<Evidence, "kind" | "status" | "reason">;

/** Tells whether a replay is absent because there was nothing to replay: nobody's fault, in nobody's way, and never a pass. */
export function isVoidReplay({ kind, status, reason }: Told): boolean {
	const isVoid = reason === NOTHING_PASSED || reason === ALL_EXCUSED || reason === ALL_OTHERWISE;
	return kind === "replay" && status === "absent" && isVoid;
}

/** Tells whether nothing was replayed, since each test may go or expects something else. */
export function mayAllGo({ reason }: Pick<Told, "reason">): boolean {
	return reason === ALL_EXCUSED || reason === ALL_OTHERWISE;
}

/** Tells whether required evidence stands in the way of an approval, a gate and a merge. */
export function isShort(piece: Told): boolean {
	return piece.status !== "pass" && !isVoidReplay(piece);
}
