import type { Finding } from "../review/finding.ts";
import type { ConflictSubject } from "./conflict.ts";

/** A finding whose dispute the coach upheld. */
export interface UpheldFinding extends Finding {
	readonly state: "upheld";
	readonly dispute: NonNullable<Finding["dispute"]>;
}

function isUpheldDispute(finding: Finding): finding is UpheldFinding {
	return finding.state === "upheld" && finding.dispute !== null;
}

/** The open findings that the player disputed and the coach upheld, in whatever turn; settled ones among them. */
export function upheldDisputes(open: readonly Finding[]): UpheldFinding[] {
	return open.filter(isUpheldDispute);
}

/**
 * The disputes that are conflicts now: upheld, and not taken up before. One that had to wait, because a check was red,
 * is taken up in a later turn; none is taken up twice.
 *
 * @param known earlier attempts of the task, on any finding
 * @example an upheld `F1` that was disputed in turn 2, with an attempt on the dispute of turn 2, is none
 */
export function openConflicts(
	upheld: readonly UpheldFinding[],
	known: readonly Pick<ConflictSubject, "finding" | "disputeTurn">[],
): UpheldFinding[] {
	return upheld.filter(
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

/**
 * The attempts of a turn that wait for a person: escalated, and their finding is still open and upheld by nobody but
 * the coach.
 */
export function waitingConflicts<
	T extends Pick<ConflictSubject, "finding" | "turn"> & { readonly resolution: string },
>(known: readonly T[], open: readonly Finding[], turn: number): T[] {
	return known.filter((conflict) => {
		const finding = open.find(({ id }) => id === conflict.finding);
		return (
			conflict.turn === turn &&
			conflict.resolution === "ESCALATE" &&
			finding !== undefined &&
			!wasRuled(finding, turn)
		);
	});
}

function wasRuled({ ruling }: Finding, turn: number): boolean {
	return ruling != null && ruling.by === "person" && ruling.turn === turn;
}
