import type { Evidence } from "../evidence/evidence.ts";
import { auditClaims } from "../evidence/honesty.ts";
import type { NodeInput } from "./node.ts";
import { type AuditedClaims, claimsStep, rowWith } from "./turn-claims.ts";

/** Holds what the player reported in this turn against the diff and what ran. Null: nothing was reported. */
export async function auditTurn(
	{ facts, state, read, log, commits, files }: AuditInput,
	evidence: readonly Evidence[],
): Promise<AuditedClaims | null> {
	const claims = await read.step(claimsStep(log, log.turn));
	if (claims === undefined) return null;
	const { start, commit } = state;
	const audit = await auditClaims(claims, {
		changes: [
			...(await commits.changes(claims.from, commit)),
			...(await commits.changes(start, commit)),
		],
		root: files.checkout(),
		checks: facts.workflow.checks,
		evidence,
		textOf: (path) => commits.textAt(commit, path),
		ignored: (paths) => commits.ignoredAt(commit, paths),
	});
	const last = await lastOf(read, log, claims.player);
	const since = `${facts.epoch}.${state.items}`;
	return { ...audit, player: claims.player, since, inARow: rowWith(audit, last, since) };
}

type AuditInput = Pick<NodeInput, "facts" | "state" | "read" | "log" | "commits" | "files">;

/** The audit of this player's report before this turn; null where it has none. */
async function lastOf(
	read: AuditInput["read"],
	log: AuditInput["log"],
	player: string,
): Promise<AuditedClaims | null> {
	for (let turn = log.turn - 1; turn > 0; turn -= 1) {
		const audit = await read.claims(turn);
		if (audit?.player === player) return audit;
	}
	return null;
}
