import { normalize } from "node:path/posix";
import { spoiltOf, whoseFault } from "../../checks/fault-side.ts";
import { type ChecklistResult, checklistResults, checklistRuns } from "../../evidence/checklist.ts";
import { computedEvidence } from "../../evidence/computed.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { counted } from "../../kernel/counted.ts";
import { ignoredFilesText } from "../../kernel/left-work.ts";
import type { PlayerBlocked } from "../../kernel/player-blocked.ts";
import { requiredOf } from "../../review/effective-verdict.ts";
import { auditClaims } from "../../wall/honesty.ts";
import { allowedText } from "../../wall/integrity/allowed.ts";
import { checkIntegrity } from "../../wall/integrity/check-integrity.ts";
import type {
	AgentCommand,
	EvidencePair,
	Integrity,
	IntegrityRules,
} from "../../wall/reading/tree-pair.ts";
import { suspicionText } from "../../wall/suspicion.ts";
import { mutationNeed } from "../../workflow/mutation-policy.ts";
import { judgesOf } from "../../workflow/tie-breaker-of.ts";
import { verifierOf } from "../../workflow/verifier-of.ts";
import type { ChecklistItem, Workflow } from "../../workflow/workflow.ts";
import { type NodeResult, passed, spoilt } from "../node.ts";
import type { NodeInput } from "../node-input.ts";
import { blockedIn } from "../player-call.ts";
import { attemptOf, ENVIRONMENT_RETRIES } from "../records/task-reader.ts";
import { claimsCompared, integrityChecked } from "../records/turn.ts";
import { type AuditedClaims, claimsStep, falseReports, rowWith } from "../records/turn-claims.ts";
import { conflictLeft, undecidedConflict, undecidedText } from "../refused-merge.ts";
import type { Replay } from "../replay.ts";
import type { Update } from "../state.ts";
import { requirementFor } from "../verified-findings.ts";

// Evidence that a killed attempt stored is kept; only what the environment spoilt is run again.
export async function validateStructure(
	input: NodeInput,
): Promise<NodeResult<"go" | "escalate" | "halt">> {
	const { facts, state, read, log, commits } = input;
	if (facts.task.formalReview === true)
		return passed("a formal review changes nothing, so there is nothing to check");
	const tree = await commits.treeOf(state.commit);
	const baseline = await read.baseline();
	const checked = await runChecks(input, { tree, baseline });
	const replayed = await replayEarly(input, checked, baseline);
	const silent = spoiltOf([...checked, ...replayed.evidence], baseline);
	const startedAt = log.now();
	const conflict = await undecidedConflict(input);
	const compared = await compareWithStart(input, {
		baseline: [...baseline.values()],
		now: checked,
		replayed,
	});
	const undecided = (conflict?.paths ?? []).map(undecidedText);
	const weaker = compared.violations.length > 0 ? [] : await measurePower(input, checked, replayed);
	const violations = [...compared.violations, ...weaker, ...undecided];
	const unkept = ignoredFilesText((await read.leftBehind(state.turn)).ignored);
	const notes = unkept === null ? compared.notes : [...compared.notes, unkept];
	const integrity = { ...compared, violations, notes };
	const piece = integrityEvidence(integrity, tree, [startedAt, log.now()]);
	const audit = await auditTurn(input, checked);
	const stop = stopOf(await blockedIn(read, state.turn), audit);
	const writes = [
		...(audit === null ? [] : claimsCompared(log, audit)),
		...integrityChecked(log, piece, integrity),
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
		if (piece.status === "pass" && stop === null) await runMutants(input, tree, replayed.sides);
		const shown = checklist.length === 0 ? [] : [log.task({ checklist })];
		return { update: stop ?? { next: "go" }, writes: [...writes, ...shown] };
	}
	return { update: spoilt("turn", silent), writes };
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

const APART: ReadonlySet<Evidence["kind"]> = new Set([
	"integrity",
	"replay",
	"power",
	"checklist",
	"mutation",
]);

async function runChecks(
	{ facts, state, read, log, checks }: NodeInput,
	{ tree, baseline }: { readonly tree: string; readonly baseline: ReadonlyMap<string, Evidence> },
): Promise<Evidence[]> {
	const stored = await read.evidence(log.turn);
	const byName = new Map(
		stored.filter((piece) => piece.tree === tree).map((piece) => [piece.check, piece]),
	);
	for (let attempt = 0; attempt <= ENVIRONMENT_RETRIES; attempt += 1) {
		const wanted = facts.workflow.checks.filter(({ name }) => {
			const known = byName.get(name);
			return known === undefined || whoseFault(known, baseline.get(name)) === "environment";
		});
		const fresh = await checks.ofTurn({
			commit: state.commit,
			tree,
			checks: wanted,
			attempt: attemptOf(state.items, attempt),
			baseline,
		});
		for (const piece of fresh) byName.set(piece.check, piece);
	}
	return [...byName.values()].filter(({ kind }) => !APART.has(kind));
}

async function replayEarly(
	{ state, read, log, checks }: NodeInput,
	checked: readonly Evidence[],
	baseline: ReadonlyMap<string, Evidence>,
): Promise<Replay> {
	const { commit, start } = state;
	const replays = (await read.evidence(log.turn)).filter(({ kind }) => kind === "replay");
	const stored = [...checked, ...replays];
	return checks.replay({ commit, start, baseline, stored, early: true });
}

async function measurePower(
	{ state, read, checks }: NodeInput,
	checked: readonly Evidence[],
	replayed: Replay,
): Promise<readonly string[]> {
	const { commit, start } = state;
	return checks.power({ commit, start, baseline: await read.baseline(), checked, replayed });
}

async function runChecklist(
	{ facts: { task }, state, read, log, checks }: NodeInput,
	tree: string,
): Promise<ChecklistResult[]> {
	const items = checklistRuns(task.checklist ?? []);
	if (items.length === 0) return [];
	const stored = (await read.evidence(log.turn)).filter((piece) => piece.tree === tree);
	const wanted = items.filter(({ name }) => !stored.some(({ check }) => check === name));
	const attempt = attemptOf(state.items, 0);
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

async function compareWithStart(
	{ facts: { workflow, task }, state, read, commits }: NodeInput,
	evidence: EvidencePair,
): Promise<Integrity> {
	const { start, commit } = state;
	const pair = {
		changes: await commits.changes(start, commit),
		readBase: (path: string) => commits.textAt(start, path),
		readHead: (path: string) => commits.textAt(commit, path),
		countBase: () => commits.countFiles(start),
		ignoredByBase: (paths: readonly string[]) => commits.ignoredAt(start, paths),
		embedded: await read.leftOut(state.turn),
		trees: commits.trees,
	};
	const { allow = [], checklist, description, acceptanceCriteria } = task;
	const told = [description, ...acceptanceCriteria];
	const secrets = commits.secrets();
	return checkIntegrity(pair, { ...rulesOf(workflow, checklist), allow, told, secrets }, evidence);
}

function rulesOf(workflow: Workflow, items: readonly ChecklistItem[] = []): IntegrityRules {
	const { checks, setup, file } = workflow;
	const checklist = items.map(({ run }) => run);
	const commands = agentCommands(workflow);
	const rules = { checks, checklist, setup, commands, protected: workflow.protected };
	return file === undefined ? rules : { ...rules, workflowFile: file };
}

// A coach or a tie-breaker whose script the player can write would say what the player likes, so the files behind
// these commands may not be touched, and new ones may not take their place.
function agentCommands(workflow: Workflow): AgentCommand[] {
	const judges = judgesOf(workflow);
	return Object.values(workflow.agents).flatMap((agent) => {
		if (agent.adapter !== "command") return [];
		// What a judge is given by name instructs it; a player is given what it works on. A script in the command
		// itself may name any file.
		const inline = agent.run.some((word) => /^-(?:[a-z]*c|e)$/.test(word));
		const given = judges.has(agent.name) && !inline ? agent.run.slice(1) : [];
		const files = given.map((word) => normalize(word));
		return [{ owner: `agent ${agent.name}`, run: agent.run.join(" "), files }];
	});
}

function integrityEvidence(
	{ violations, notes, suspicions, allowed }: Integrity,
	tree: string,
	[startedAt, now]: readonly [startedAt: number, now: number],
): Evidence {
	const isWhole = violations.length === 0;
	return computedEvidence({
		check: "integrity",
		kind: "integrity",
		status: isWhole ? "pass" : "fail",
		reason: isWhole ? null : `${counted(violations.length, "blocked change")}: ${violations[0]}`,
		tree,
		details: [
			...violations,
			...suspicions.map(suspicionText),
			...allowed.map((one) => `allowed: ${allowedText(one)}`),
			...notes.map((note) => `note: ${note}`),
		],
		startedAt: new Date(startedAt).toISOString(),
		ms: now - startedAt,
	});
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
