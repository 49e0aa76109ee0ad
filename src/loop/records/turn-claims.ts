import type { Reason } from "../../human/reason.ts";
import { type FalseClaim, subjectOf } from "../../wall/false-claim.ts";
import type { Claims } from "../../wall/honesty.ts";
import { turnStep } from "./task-log.ts";

export const FALSE_REPORTS = 3;

export interface ReportedClaims extends Claims {
	readonly player: string;
	readonly from: string;
}

export interface AuditedClaims {
	readonly player: string;
	readonly judged: number;
	readonly false: readonly FalseClaim[];
	readonly inARow: number;
	readonly since: string;
}

export const claimsStep = turnStep<ReportedClaims>("claims");

export const auditStep = turnStep<AuditedClaims>("claims-audit");

// A report that claims nothing neither adds to a row nor ends it, and a step of a person's begins a new one.
export function rowWith(
	audit: Pick<AuditedClaims, "judged" | "false">,
	last: Pick<AuditedClaims, "inARow" | "since"> | null,
	since: string,
): number {
	const before = last === null || last.since !== since ? 0 : last.inARow;
	if (audit.judged === 0) return before;
	return audit.false.length === 0 ? 0 : before + 1;
}

export function falseReports(audit: AuditedClaims | null): Reason | null {
	if (audit === null || audit.false.length === 0 || audit.inARow < FALSE_REPORTS) return null;
	const { player: agent, inARow: reports } = audit;
	return { kind: "false_reports", agent, reports, about: audit.false.map(subjectOf) };
}
