import type { PlayerReport } from "../agents/report.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, issueKey, type Ruling } from "./finding.ts";
import { isOpen } from "./finding-state.ts";

export const MAX_IGNORED = 20;

const LONGEST_ID = 40;

type Dispute = PlayerReport["disputes"][number];

/** An id as agents may spell it, in the ledger's spelling: `" f1 "` is `"F1"`. */
export function normaliseFindingId(id: string): string {
	return id.trim().toUpperCase();
}

function evidenceKey(evidence: string | null): string {
	const key = issueKey((evidence ?? "").replaceAll(/\p{Cf}/gu, ""));
	return /[\p{L}\p{N}]/u.test(key) ? key : "";
}

function ruledEvidence({ dispute }: Finding, ruling: Ruling): string | null {
	const isRuledOn = dispute !== null && dispute.turn <= ruling.turn;
	return (isRuledOn ? dispute.evidence : ruling.evidence) ?? null;
}

function barredBy(finding: Finding, evidence: string | null): string | null {
	const { ruling } = finding;
	if (ruling == null || ruling.decision === "PASS") return null;
	if (ruling.by === "person") return "a person decided that the finding stands";
	const key = evidenceKey(evidence);
	const stands = "the tie-breaker decided that the finding stands";
	if (key === "") return `${stands}, and the dispute gives no new evidence`;
	return key === evidenceKey(ruledEvidence(finding, ruling))
		? `${stands}, and the evidence is the same as before`
		: null;
}

function whyIgnored(finding: Finding | undefined, { reason, evidence }: Dispute): string | null {
	if (finding === undefined || !isOpen(finding)) return "it is not an open finding";
	if (reason.trim() === "") return "the dispute gives no reason";
	return barredBy(finding, evidence ?? null);
}

/**
 * Enters the player's disputes into the ledger: the disputed findings, state `disputed`, with the reason.
 *
 * A dispute is ignored if its finding is not open, if it gives no reason, if a person decided that the finding stands,
 * or if the tie-breaker decided so and the dispute has no new evidence. Evidence is new if it has a letter or digit and
 * differs from that of the dispute which was ruled on by more than case, white space, punctuation at the ends and
 * invisible characters. Of several valid disputes of one finding the last one counts. A disputed or upheld finding may
 * be disputed again in a later turn. A ruling stays with it until the next one.
 */
export function applyDisputes(
	open: readonly Finding[],
	disputes: PlayerReport["disputes"],
	turn: number,
): {
	readonly disputed: readonly Finding[];
	readonly ignored: readonly { readonly finding: string; readonly reason: string }[];
} {
	const known = new Map(open.map((finding) => [finding.id, finding]));
	const taken = new Map<string, Dispute>();
	const ignored = new Map<string, string>();
	for (const dispute of disputes) {
		const id = normaliseFindingId(dispute.finding);
		const why = whyIgnored(known.get(id), dispute);
		if (why === null) taken.set(id, dispute);
		else ignored.set(id, why);
	}
	const disputed = open.flatMap((finding): Finding[] => {
		const dispute = taken.get(finding.id);
		if (dispute === undefined) return [];
		const { reason, evidence } = dispute;
		const { ruling } = finding;
		const now: Finding = {
			...finding,
			state: "disputed",
			dispute: { reason, evidence: evidence ?? null, turn },
			changedTurn: turn,
		};
		if (ruling == null) return [now];
		return [{ ...now, ruling: { ...ruling, evidence: ruledEvidence(finding, ruling) } }];
	});
	return {
		disputed,
		ignored: [...ignored]
			.filter(([id]) => !taken.has(id))
			.slice(0, MAX_IGNORED)
			.map(([id, reason]) => ({
				finding: id === "" ? "(no id)" : excerpt(id, LONGEST_ID),
				reason,
			})),
	};
}
