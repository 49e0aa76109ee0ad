import type { Evidence } from "../evidence/evidence.ts";
import type { CheckDefinition, Waivers } from "../workflow/workflow.ts";
import type { GateArea, GateCheck, RiskTier } from "./gate-report.ts";

/**
 * Facts about work that are known when the gate is asked. A check, a turn and a merge know different things; what is left out nobody
 * asked there, and the rules that would need it say so.
 */
export interface GateFacts {
	/** The tree to judge; evidence for another tree does not count. */
	readonly tree: string;
	/** Evidence that this asking has; left out: of the whole. `tests`: nothing was compared. `trees`: nothing was run. */
	readonly scope?: "tests" | "trees";
	readonly evidence: readonly Evidence[];
	/** Evidence on the start commit, by check: tells what of the evidence is not counted, and what was red before. */
	readonly baseline?: ReadonlyMap<string, Evidence> | undefined;
	/** The checks of the workflow. A check without evidence is `ABSENT`. */
	readonly checks: readonly Pick<CheckDefinition, "name" | "kind">[];
	readonly riskTier: RiskTier;
	/** Set where what the tier does not require must not be worse than on the start commit. */
	readonly mayNotWorsen?: boolean;
	readonly waive: Waivers;
	/** A task's independent tests. */
	readonly verification?: {
		readonly required: boolean;
		readonly verdict: "passed" | "failed" | "skipped" | "inconclusive" | null;
		readonly reason: string | null;
	};
	/** A task's criteria, as far as tests cover them. */
	readonly requirements?: {
		readonly required: boolean;
		readonly threshold: number;
		readonly score: number | null;
		readonly reason: string;
	};
	/** Suspicions that nobody accepted, one text each. */
	readonly questions?: readonly string[];
	/** A coach's word: whether it approves, and its blocking findings, one text each. */
	readonly coach?: { readonly approves: boolean | null; readonly blocking: readonly string[] };
	/** Tells whether a person signed. */
	readonly signed?: boolean;
}

/**
 * Word of one rule. Besides the statuses of a report: `ASK`, a person or coach decides; `NONE`, nothing could be judged;
 * `NOT_ASKED`, nobody knows here.
 */
export interface Ruling {
	readonly status: GateCheck["status"] | "ASK" | "NONE" | "NOT_ASKED";
	/** Lines; may be empty. */
	readonly details: string;
	/** Names of the checks that are why the rule refuses. */
	readonly blocks?: readonly string[];
}

/** A rule of the gate: whoever is asked about work, all of them are. */
export interface GateRule {
	/** Name, such as `"acceptance"`. */
	readonly rule: string;
	/** Area of the report in which it is told; null: the report has it elsewhere. */
	readonly area: GateArea | null;
	readonly judge: (facts: GateFacts) => Ruling;
}

/** A rule with what it said. */
export interface GateReason extends Ruling {
	readonly rule: string;
	readonly area: GateArea | null;
}

/** `none`: nothing could be judged, and nobody is to blame. */
export type Outcome = "pass" | "ask" | "fail" | "none";

/** The gate's word on work: the outcome, and what each rule said. */
export interface Gated {
	readonly outcome: Outcome;
	readonly reasons: readonly GateReason[];
}
