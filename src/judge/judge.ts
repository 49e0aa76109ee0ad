import type { Evidence } from "../evidence/evidence.ts";
import { askGate, refusing } from "../gate/ask-gate.ts";
import type { Gated, GateFacts } from "../gate/gate-facts.ts";
import type { Integrity } from "../wall/reading/tree-pair.ts";
import { lateOtherwise } from "../wall/replay/otherwise.ts";
import { unsteadyIn } from "../wall/replay/unsteady.ts";
import { type Suspicion, suspicionWhat } from "../wall/suspicion.ts";
import { isPlain } from "./check-suite.ts";
import {
	compareTrees,
	integrityEvidence,
	type JudgedPair,
	type JudgedTree,
	judgePorts,
	judgeTree,
} from "./judge-tree.ts";
import { sidesAt } from "./judging-vault.ts";
import { type NotCounted, notCountedIn } from "./not-counted.ts";
import type { Stand } from "./stand.ts";

/** Wishes of whoever asks about work, besides what the workflow says. */
export interface Policy extends Pick<GateFacts, "riskTier" | "waive"> {
	/** False: nothing is run, and the trees alone are compared. */
	readonly runs: boolean;
	/** Tells whether somebody answered for a suspicion. */
	readonly isAccepted: (suspicion: Suspicion) => boolean;
}

/** The judge's word on work: the gate's outcome with the rule behind each reason, and what it rests on. */
export interface Verdict extends Gated {
	readonly tree: string;
	/** By check. */
	readonly baseline: ReadonlyMap<string, Evidence>;
	/** Of the checks, and of the base's tests on the work. */
	readonly evidence: readonly Evidence[];
	readonly integrity: Integrity;
	/** Tests of the base that the work changed, and that a replay brought back. */
	readonly restored: readonly string[];
	readonly notCounted: readonly NotCounted[];
	/** Suspicions for which nobody answered. */
	readonly questions: readonly Suspicion[];
	/** Facts that the gate was told. */
	readonly facts: GateFacts;
}

/**
 * Judges work against its base: the checks, what the trees say, the base's own tests on the work, what its tests still
 * notice, and the gate as the last step. The base has been taken. What is red early is not asked about further.
 */
export async function judge(stand: Stand, work: JudgedPair, policy: Policy): Promise<Verdict> {
	const ports = judgePorts(stand, "assembled");
	if (!policy.runs) return await compared(stand, work, policy);
	const early = await judgeTree({ ...ports, ...stand, facts: stand }, work);
	const { checked, replayed, baseline } = early;
	const stored = [...checked, ...replayed.evidence];
	const first = gated(stand, { ...early, evidence: stored }, policy);
	const restored = replayed.plan?.restored ?? [];
	if (refusing(first).some(({ rule }) => rule === "acceptance")) return { ...first, restored };
	const { start, commit } = work;
	const whole = await ports.checks.replay({ commit, start, baseline, stored, early: false });
	for (const piece of checked.filter(isPlain)) await stand.bases.keep(piece);
	const now = new Map((await stand.evidence.ofBase()).map((piece) => [piece.check, piece]));
	const evidence = [...checked, ...whole.evidence];
	const late = [...unsteadyIn(whole.evidence), ...lateOtherwise(whole.evidence, replayed.evidence)];
	const suspicions = [...early.integrity.suspicions, ...late];
	const integrity = { ...early.integrity, suspicions };
	return { ...gated(stand, { ...early, integrity, baseline: now, evidence }, policy), restored };
}

async function compared(stand: Stand, work: JudgedPair, policy: Policy): Promise<Verdict> {
	const { commits } = judgePorts(stand);
	const startedAt = stand.clock.now();
	const sides = await sidesAt(stand, work.start);
	const silent = { baseline: [], now: [], replayed: { sides, holds: false, isUntried: true } };
	const integrity = await compareTrees({ facts: stand, commits }, work, silent);
	const tree = await commits.treeOf(work.commit);
	const found = { tree, integrity, startedAt, baseline: new Map(), evidence: [] };
	return { ...gated(stand, found, policy), restored: [] };
}

type Found = Pick<JudgedTree, "tree" | "integrity" | "startedAt" | "baseline"> &
	Pick<Verdict, "evidence">;

function gated(
	{ workflow, clock }: Stand,
	{ tree, integrity, startedAt, baseline, evidence }: Found,
	{ runs, riskTier, waive, isAccepted }: Policy,
): Omit<Verdict, "restored"> {
	const compared = integrityEvidence(integrity, { tree, startedAt }, clock.now());
	const open = integrity.suspicions.filter((one) => !isAccepted(one));
	const facts: GateFacts = {
		tree,
		...(runs ? {} : { scope: "trees" as const }),
		evidence: [...evidence, compared],
		baseline,
		checks: workflow.checks,
		riskTier,
		mayNotWorsen: true,
		waive,
		questions: open.map(questionText),
	};
	const notCounted = notCountedIn(evidence, baseline);
	const known = { tree, baseline, evidence, integrity, notCounted, questions: open, facts };
	return { ...askGate(facts), ...known };
}

/** A suspicion as the gate is told of it. */
export const questionText = ({ id, rule }: Pick<Suspicion, "id" | "rule">): string =>
	`${id}: ${suspicionWhat(rule)}`;

/** The verdict once more is known, such as the word of a coach: the gate is asked again. */
export function withFacts(verdict: Verdict, more: Partial<GateFacts>): Verdict {
	const facts = { ...verdict.facts, ...more };
	return { ...verdict, ...askGate(facts), facts };
}
