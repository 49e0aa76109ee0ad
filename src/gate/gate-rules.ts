import { notCounted } from "../checks/uncounted.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { checkWords } from "../kernel/replayed.ts";
import { isShort } from "../wall/replay/void-replay.ts";
import type { Waivable } from "../workflow/workflow.ts";
import type { GateFacts, GateRule, Ruling } from "./gate-facts.ts";

const NOT_ASKED = "not asked";

/** Makes a rule of facts that not everybody has. */
function ofFact<Name extends keyof GateFacts>(
	name: Name,
	judge: (fact: NonNullable<GateFacts[Name]>, facts: GateFacts) => Ruling,
): GateRule["judge"] {
	return (facts) => {
		const fact = facts[name];
		return fact === undefined ? { status: "NOT_ASKED", details: NOT_ASKED } : judge(fact, facts);
	};
}

/**
 * All that the gate asks, in the order in which it is told. A rule that is added here holds in `spar check`, in the hooks, in
 * the tool of MCP, in a turn and before a merge.
 *
 * | rule | T0 | T1 | T2 |
 * | --- | --- | --- | --- |
 * | `acceptance`: checks, the comparison with the base (`integrity`), and the replay once it ran | required | required | required |
 * | `lint`, `security` | shown, in a check not worse | required | required |
 * | `verification`: independent tests, if the task requires them | required, if there is a verifier | required | required |
 * | `readiness` | shown, in a check not worse | if a check is configured | required |
 * | `coverage` | shown, in a check not worse | same | same |
 * | `requirement_coverage` | if `require_coverage` | same | same |
 * | `questions`: suspicions | asks | asks | asks |
 * | `coach`: blocking findings, and its approval | required where it is asked here: in a turn the ledger settles it before | same | same |
 * | `signature` | not required | not required | asks until a person signed |
 */
export const GATE_RULES: readonly GateRule[] = [
	{ rule: "acceptance", area: "acceptance_evidence", judge: acceptance },
	{ rule: "lint", area: "verification", judge: quality("lint") },
	{ rule: "security", area: "verification", judge: quality("security") },
	{ rule: "verification", area: "verification", judge: ofFact("verification", independent) },
	{ rule: "readiness", area: "operational_readiness", judge: readiness },
	{ rule: "coverage", area: null, judge: (facts) => notWorse(facts, "coverage") },
	{
		rule: "requirement_coverage",
		area: "requirement_coverage",
		judge: ofFact("requirements", requirements),
	},
	{ rule: "questions", area: null, judge: ofFact("questions", asking) },
	{ rule: "coach", area: null, judge: ofFact("coach", coached) },
	{ rule: "signature", area: null, judge: ofFact("signed", signature) },
];

function describe(piece: Evidence, baseline: GateFacts["baseline"]): string {
	const { check, kind, status, reason } = piece;
	const left = kind === "acceptance" ? notCounted(piece, baseline?.get(check)) : "";
	const parts = [reason ?? "", left === "" ? "" : `not counted: ${left}`];
	const why = parts.filter((text) => text !== "").join("; ");
	return why === ""
		? `${checkWords(check)}: ${status}`
		: `${checkWords(check)}: ${status} (${why})`;
}

function ofKinds({ evidence }: GateFacts, kinds: readonly Evidence["kind"][]): readonly Evidence[] {
	return evidence.filter(({ kind, purpose }) => purpose !== "baseline" && kinds.includes(kind));
}

const ACCEPTANCE = {
	whole: ["acceptance", "integrity"],
	tests: ["acceptance"],
	trees: ["integrity"],
} as const;

function acceptance(facts: GateFacts): Ruling {
	const { scope = "whole", checks } = facts;
	// What the workflow has none of was told before the merge.
	if (scope === "tests" && !checks.some(({ kind }) => kind === "acceptance"))
		return { status: "SKIPPED", details: "no acceptance check is configured" };
	return requiredKinds(facts, ACCEPTANCE[scope], ["replay"]);
}

/**
 * PASS means: there is evidence of each kind, every configured check of these kinds produced some, and all of it
 * passed on this tree. Kinds in `besides` may lack evidence; what there is has to pass.
 */
function requiredKinds(
	facts: GateFacts,
	kinds: readonly Evidence["kind"][],
	besides: readonly Evidence["kind"][] = [],
): Ruling {
	const evidence = ofKinds(facts, [...kinds, ...besides]);
	const ofTree = evidence.filter((item) => item.tree === facts.tree);
	const stale = evidence.filter((item) => item.tree !== facts.tree);
	const silent = facts.checks.filter(
		({ name, kind }) => kinds.includes(kind) && !evidence.some(({ check }) => check === name),
	);
	const lacking = kinds.filter(
		(kind) => ![...evidence, ...silent].some((item) => item.kind === kind),
	);
	const details = [
		...ofTree.map((piece) => describe(piece, facts.baseline)),
		...stale.map(({ check }) => `${check}: absent (its evidence is for another tree)`),
		...silent.map(({ name }) => `${name}: absent (it produced no evidence)`),
		...lacking.map((kind) => `no ${kind} check produced evidence`),
	].join("\n");
	const standings = new Set(ofTree.map(standingOf));
	const blocks = ofTree
		.filter((piece) => standingOf(piece) === "fail" || standingOf(piece) === "absent")
		.map(({ check }) => check);
	if (standings.has("fail")) return { status: "FAIL", details, blocks };
	if (standings.has("absent") || stale.length + silent.length + lacking.length > 0)
		return { status: "ABSENT", details, blocks };
	return { status: standings.has("none") ? "NONE" : "PASS", details };
}

function shownKind(facts: GateFacts, kind: Evidence["kind"], note: string): Ruling {
	const shown = ofKinds(facts, [kind]).map((piece) => describe(piece, facts.baseline));
	return { status: "SKIPPED", details: [note, ...shown].join("\n") };
}

/** Shows checks that the tier does not require; where they may not become worse, one that newly fails refuses. */
function notWorse(facts: GateFacts, kind: "lint" | "security" | "readiness" | "coverage"): Ruling {
	if (facts.scope !== undefined) return { status: "NOT_ASKED", details: NOT_ASKED };
	const shown = shownKind(facts, kind, notRequired(facts));
	if (facts.mayNotWorsen !== true) return shown;
	const blocks = ofKinds(facts, [kind])
		.filter((piece) => isWorse(piece, facts.baseline?.get(piece.check)))
		.map(({ check }) => check);
	if (blocks.length === 0) return shown;
	const waived = kind === "coverage" ? null : waiver(facts, kind, kind);
	return waived ?? { ...shown, status: "FAIL", blocks };
}

function waiver({ waive }: Pick<GateFacts, "waive">, kind: Waivable, label: string): Ruling | null {
	const reason = waive[kind]?.trim() ?? "";
	return reason === "" ? null : { status: "WAIVED", details: `${label}: waived (${reason})` };
}

/** Judges a kind that can be waived. A waiver still shows the evidence. */
function waivableKind(facts: GateFacts, kind: "lint" | "security" | "readiness"): Ruling {
	const waived = waiver(facts, kind, kind);
	if (waived === null) return requiredKinds(facts, [kind]);
	return { status: "WAIVED", details: shownKind(facts, kind, waived.details).details };
}

const notRequired = ({ riskTier }: Pick<GateFacts, "riskTier">): string =>
	`not required at ${riskTier}`;

const isTiered = ({ scope, riskTier }: GateFacts): boolean =>
	scope === undefined && riskTier !== "T0";

function quality(kind: "lint" | "security"): GateRule["judge"] {
	return (facts) => (isTiered(facts) ? waivableKind(facts, kind) : notWorse(facts, kind));
}

/** Required by the task, it blocks at every tier. Where nobody is there to write tests, T0 goes on without. */
function independent(
	{ required, verdict, reason }: NonNullable<GateFacts["verification"]>,
	facts: GateFacts,
): Ruling {
	const label = "independent verification";
	const why = reason === null ? "" : ` (${reason})`;
	if (!required) {
		const isSilent = !isTiered(facts) && verdict === null;
		return { status: "SKIPPED", details: isSilent ? "" : `${label}: not required${why}` };
	}
	const waived = waiver(facts, "verification", label);
	if (waived !== null) return waived;
	const details = `${label}: ${verdict ?? "not done"}${why}`;
	if (verdict === "passed") return { status: "PASS", details };
	if (verdict === "skipped" && !isTiered(facts)) return { status: "SKIPPED", details };
	return { status: verdict === "failed" ? "FAIL" : "ABSENT", details };
}

function readiness(facts: GateFacts): Ruling {
	const configured = [...facts.checks, ...facts.evidence].some(({ kind }) => kind === "readiness");
	if (!isTiered(facts)) return notWorse(facts, "readiness");
	if (facts.riskTier === "T2" || configured) return waivableKind(facts, "readiness");
	return shownKind(facts, "readiness", "not configured, and optional at T1");
}

function requirements(
	{ required, threshold, score, reason }: NonNullable<GateFacts["requirements"]>,
	facts: GateFacts,
): Ruling {
	if (!required) return { status: "SKIPPED", details: "not required: require_coverage is off" };
	const waived = waiver(facts, "requirement_coverage", "requirement coverage");
	if (waived !== null) return waived;
	const hasScore = score !== null && score >= 0 && score <= 1;
	if (!hasScore) return { status: "ABSENT", details: reason };
	if (score >= threshold) return { status: "PASS", details: reason };
	const share = `${score.toFixed(2)} of ${threshold.toFixed(2)}`;
	return {
		status: "FAIL",
		details: `requirement coverage below threshold (${share}): ${reason}`,
	};
}

function asking(open: NonNullable<GateFacts["questions"]>): Ruling {
	return { status: open.length === 0 ? "PASS" : "ASK", details: open.join("\n") };
}

function coached({ approves, blocking }: NonNullable<GateFacts["coach"]>): Ruling {
	const details = blocking.join("\n");
	if (blocking.length > 0) return { status: "FAIL", details };
	return approves === false
		? { status: "ASK", details: "the coach does not approve" }
		: { status: "PASS", details };
}

function signature(signed: boolean, facts: GateFacts): Ruling {
	if (facts.riskTier !== "T2") return { status: "SKIPPED", details: notRequired(facts) };
	return signed
		? { status: "PASS", details: "signed" }
		: { status: "ASK", details: "a person has to sign" };
}

/** Standing of required evidence: `none` where it says nothing, and nobody is to blame for that. */
function standingOf(piece: Evidence): "pass" | "fail" | "absent" | "none" {
	if (!isShort(piece)) return "pass";
	const { status, counts } = piece;
	// All that is there fails on the base too.
	if (status === "absent" && counts?.failed === 0 && counts.knownFailing > 0) return "none";
	return status === "fail" ? "fail" : "absent";
}

/** Tells whether a check that is not required fails, and did not on the base. */
function isWorse(piece: Evidence, before: Evidence | undefined): boolean {
	return piece.status === "fail" && before?.status !== "fail";
}
