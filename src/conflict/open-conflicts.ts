import type { Finding } from "../review/finding.ts";
import { isBlocking } from "../review/finding-state.ts";
import type { ConflictSubject } from "./conflict.ts";

/** A finding whose dispute the coach or the verifier upheld. */
export interface UpheldFinding extends Finding {
	readonly state: "upheld";
	readonly dispute: NonNullable<Finding["dispute"]>;
}

/** The seat that upheld a finding: a test is the verifier's. */
export const upholderOf = ({ source }: Pick<Finding, "source">): "coach" | "verifier" =>
	source === "verification" ? "verifier" : "coach";

function isUpheldDispute(finding: Finding): finding is UpheldFinding {
	return finding.state === "upheld" && finding.dispute !== null;
}

/** What else decides whether a dispute is a conflict now. */
export interface ConflictGround {
	readonly open: readonly Finding[];
	readonly known: readonly Pick<ConflictSubject, "finding" | "disputeTurn">[];
	readonly needsApproval: boolean;
}

/**
 * The disputes that are conflicts now: upheld, standing in the way, and not taken up before. One that had to wait, because a
 * check was red, is taken up in a later turn; none is taken up twice.
 *
 * A blocking finding stands in the way. One that does not block does so only where the coach's refusal rests on nothing
 * else, and the loop waits for its approval.
 *
 * @example an upheld `F1` that was disputed in turn 2, with an attempt on the dispute of turn 2, is not one
 */
export function openConflicts({ open, known, needsApproval }: ConflictGround): UpheldFinding[] {
	const restsOnMinor = needsApproval && !open.some(isBlocking);
	return open
		.filter(isUpheldDispute)
		.filter((finding) => isBlocking(finding) || restsOnMinor)
		.filter(
			({ id, dispute }) =>
				!known.some(({ finding, disputeTurn }) => finding === id && disputeTurn === dispute.turn),
		);
}

/** The number of the next attempt on a finding, from 1. */
export function nextAttempt(
	known: readonly Pick<ConflictSubject, "finding">[],
	finding: string,
): number {
	return known.filter((conflict) => conflict.finding === finding).length + 1;
}

/** The attempts of a turn that wait for a person: escalated, and their finding is still open. */
export function waitingConflicts<
	T extends Pick<ConflictSubject, "finding" | "turn"> & { readonly resolution: string },
>(known: readonly T[], open: readonly Finding[], turn: number): T[] {
	return known.filter(
		(conflict) =>
			conflict.turn === turn &&
			conflict.resolution === "ESCALATE" &&
			open.some(({ id }) => id === conflict.finding),
	);
}
