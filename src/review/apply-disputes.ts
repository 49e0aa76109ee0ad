import type { PlayerReport } from "../agents/report.ts";
import type { Finding } from "./finding.ts";
import { isOpen } from "./finding-state.ts";

/** An id as agents may spell it, in the ledger's spelling: `" f1 "` is `"F1"`. */
export function normaliseFindingId(id: string): string {
	return id.trim().toUpperCase();
}

/**
 * Enters the player's disputes into the ledger: the disputed findings, state `disputed`, with the reason.
 *
 * Ignored: unknown ids, closed findings, and disputes without a reason. Of several disputes of one finding the last
 * counts. A finding that was upheld may be disputed again.
 *
 * @returns the changed findings only, in the order of `open`
 */
export function applyDisputes(
	open: readonly Finding[],
	disputes: PlayerReport["disputes"],
	turn: number,
): Finding[] {
	const reasoned = new Map(
		disputes
			.filter(({ reason }) => reason.trim() !== "")
			.map((dispute) => [normaliseFindingId(dispute.finding), dispute]),
	);
	return open.flatMap((finding) => {
		const dispute = reasoned.get(finding.id);
		if (dispute === undefined || !isOpen(finding)) return [];
		const { reason, evidence } = dispute;
		return [
			{
				...finding,
				state: "disputed" as const,
				dispute: { reason, evidence: evidence ?? null, turn },
				changedTurn: turn,
			},
		];
	});
}
