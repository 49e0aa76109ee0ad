import { type ChecklistResult, checklistResults, checklistRuns } from "../../evidence/checklist.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Replay } from "../../judge/battery/replay.ts";
import { type BlockedPlace, placesOf, rewrittenPlaces } from "../../judge/blocked-places.ts";
import { integrityEvidence, type JudgedTree, judgeTree } from "../../judge/judge-tree.ts";
import { ignoredFilesText } from "../../kernel/left-work.ts";
import type { PlayerBlocked } from "../../kernel/player-blocked.ts";
import { requiredOf } from "../../review/effective-verdict.ts";
import { auditClaims } from "../../wall/honesty.ts";
import { mutationNeed } from "../../workflow/mutation-policy.ts";
import { verifierOf } from "../../workflow/verifier-of.ts";
import { type NodeResult, passed, spoilt } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { claimsCompared, integrityChecked } from "../records/turn.ts";
import { type AuditedClaims, claimsStep, falseReports, rowWith } from "../records/turn-claims.ts";
import { conflictLeft, undecidedConflict, undecidedText } from "../refused-merge.ts";
import type { Update } from "../state.ts";
import { blockedIn } from "../told-player.ts";
import { requirementFor } from "../verified-findings.ts";

// Evidence that a killed attempt stored is kept; only what the environment spoilt is run again.
export async function validateStructure(
	input: NodeInput,
): Promise<NodeResult<"go" | "escalate" | "halt">> {
	const { facts, state, read, log, checks } = input;
	if (facts.task.formalReview === true)
		return passed("a formal review changes nothing, so there is nothing to check");
	const { start, commit, turn } = state;
	// Whoever goes on in other surroundings takes it again; else it is known.
	await checks.takeBaseline(start);
	const embedded = await read.leftOut(turn);
	const judged = await judgeTree({ ...input, clock: log }, { start, commit, embedded });
	const { tree, checked, silent } = judged;
	const conflict = await undecidedConflict(input);
	const undecided = (conflict?.paths ?? []).map(undecidedText);
	const unkept = ignoredFilesText((await read.leftBehind(turn)).ignored);
	const { integrity: compared } = judged;
	const violations = [...compared.violations, ...undecided];
	const notes = unkept === null ? compared.notes : [...compared.notes, unkept];
	const integrity = { ...compared, violations, notes };
	const piece = integrityEvidence(integrity, judged, log.now());
	const audit = await auditTurn(input, checked);
	const stop = stopOf(await blockedIn(read, turn), audit);
	const writes = [
		...(audit === null ? [] : claimsCompared(log, audit)),
		...integrityChecked(log, piece, integrity, await weakenedIn(input, judged)),
		...(conflict === null ? [] : [conflictLeft(log, conflict)]),
	];
	// A change of what defines the checks goes back to the player first: it may be what spoilt them. A player that stops
	// has more to say than a check that gave no result.
	if (
		silent.length === 0 ||
		integrity.violations.length > 0 ||
		stop?.trigger === "player_blocked"
	) {
		const checklist = await runChecklist(input, tree);
		if (piece.status === "pass" && stop === null)
			await runMutants(input, tree, judged.replayed.sides);
		const shown = checklist.length === 0 ? [] : [log.task({ checklist })];
		return { update: stop ?? { next: "go" }, writes: [...writes, ...shown] };
	}
	return { update: spoilt("turn", silent), writes };
}

/** Places of what blocks, and the changed tests that a red replay put back. */
async function weakenedIn(
	{ state: { start, commit }, commits }: Pick<NodeInput, "state" | "commits">,
	{ integrity, replayed }: JudgedTree,
): Promise<readonly BlockedPlace[]> {
	const isRed = replayed.evidence.some(({ status }) => status === "fail");
	const restored = isRed ? (replayed.plan?.restored ?? []) : [];
	if (integrity.blocked.length + restored.length === 0) return [];
	const changed = await commits.changedTexts(start, commit);
	return [...placesOf(integrity, changed), ...rewrittenPlaces(integrity, restored, changed)];
}

function stopOf(
	blocked: PlayerBlocked | null,
	audit: AuditedClaims | null,
): (Update & { readonly next: "escalate" }) | null {
	if (blocked !== null) {
		const { reason: cause, what } = blocked;
		const reason = { kind: "player_blocked", cause, what } as const;
		return { next: "escalate", trigger: "player_blocked", reason };
	}
	const reason = falseReports(audit);
	return reason === null ? null : { next: "escalate", trigger: "false_claims", reason };
}

async function runChecklist(
	{ facts: { task }, state, read, log, evidence, checks }: NodeInput,
	tree: string,
): Promise<ChecklistResult[]> {
	const items = checklistRuns(task.checklist ?? []);
	if (items.length === 0) return [];
	const stored = (await read.evidence(log.turn)).filter((piece) => piece.tree === tree);
	const wanted = items.filter(({ name }) => !stored.some(({ check }) => check === name));
	const attempt = evidence.attempt(0);
	const fresh = await checks.ofTurn({ commit: state.commit, tree, checks: wanted, attempt });
	return checklistResults(items.length, [...stored, ...fresh], tree);
}

async function runMutants(input: NodeInput, tree: string, sides: Replay["sides"]): Promise<void> {
	const { facts, state, read, log, checks } = input;
	const stored = (await read.evidence(log.turn)).filter((piece) => piece.tree === tree);
	const { failed } = requiredOf(stored, facts.workflow.checks);
	if (failed.length > 0 || !(await wantsMutants(input))) return;
	const { commit, start } = state;
	await checks.mutate({ commit, start, stored, sides });
}

async function wantsMutants(input: NodeInput): Promise<boolean> {
	const { workflow, task } = input.facts;
	const need = mutationNeed(workflow, task);
	if (need !== "if_verified") return need === "yes";
	const isWaived = (workflow.waive?.verification?.trim() ?? "") !== "";
	if (isWaived || verifierOf(workflow, task) === null) return false;
	return (await requirementFor(input)).required;
}

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
