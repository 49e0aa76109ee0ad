import type { CountsJson } from "../evidence/counts-json.ts";
import type { ConfidenceNote, GateReport } from "../gate/gate-report.ts";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { Finding } from "../review/finding.ts";
import type { SessionJson } from "../review/pair-session.ts";
import type { ConflictsReason } from "../trace/conflicts-reason.ts";

/** A finding as a question shows it. */
export interface FindingInQuestion
	extends Pick<
		Finding,
		"id" | "issue" | "severity" | "state" | "file" | "line" | "criterion" | "suggestion"
	> {
	readonly dispute: Pick<NonNullable<Finding["dispute"]>, "reason" | "evidence"> | null;
}

/** Cause of a question. */
export type Trigger =
	| "requires_human"
	| "loop_exhausted"
	| "escalation"
	| "conflict"
	| "sign_off"
	| "budget"
	| "environment"
	| "role_error"
	| "quota"
	| "verification"
	| "suspicion"
	| "merge"
	| "false_claims"
	| "nothing_changed"
	| "player_blocked"
	| "no_worker"
	| "corrupt_session";

/** Everything to decide with, whatever the question: JSON, as `spar questions ID --json` gives it. */
export interface WorkInQuestion {
	readonly task: {
		readonly id: string;
		readonly description: string;
		readonly acceptance_criteria: readonly string[];
	};
	readonly developer: {
		readonly agent: string;
		readonly notes: string;
		/** What the player is unsure of, in its own words. The coach does not see it. */
		readonly concerns: readonly string[];
		/** What it committed or stashed in its checkout while the files stayed as they were, one line each. */
		readonly left_work: readonly string[];
		readonly files: readonly string[];
	};
	readonly reviewer: {
		readonly agent: string | null;
		readonly decision: "approve" | "feedback" | null;
		readonly effective: "approve" | "feedback" | null;
		readonly rationale: string;
		/** What it tried in order to break the work; null where it handed in no report. */
		readonly attempts:
			| readonly { readonly what: string; readonly command: string; readonly outcome: string }[]
			| null;
	};
	readonly findings: readonly FindingInQuestion[];
	/** Suspicions of the tamper wall in this turn, with what was said of them. */
	readonly suspicions: readonly (GateReport["suspicions"][number] & { readonly text: string })[];
	/** Claims of the player's report of this turn that are not so, one sentence each. */
	readonly false_claims: readonly string[];
	readonly evidence: readonly {
		readonly check: string;
		/** Of an item of a checklist its text; left out otherwise. */
		readonly item?: string | undefined;
		readonly kind: string;
		readonly status: string;
		/** Of a check without a value the last lines of its output that say why; questions of before have none. */
		readonly said?: readonly string[] | undefined;
		readonly reason: string | null;
		readonly counts: CountsJson | null;
		readonly details: readonly string[];
		readonly output_path: string | null;
	}[];
	/** The gate in the task's record; the whole report where one was made in this turn. */
	readonly gate: { readonly risk_tier: string; readonly verdict: "PASS" | "FAIL" } | null;
	readonly gate_report: GateReport | null;
	readonly confidence: ConfidenceNote | null;
	readonly pair: PairInQuestion | null;
	readonly subtask: string | null;
	readonly reasons: readonly string[];
	readonly diff_path: string | null;
	/** Absolute path of the player's checkout, where the work can be looked at; null for a formal review. */
	readonly checkout: string | null;
	readonly branch: string | null;
	readonly commit: string | null;
	readonly turns: number;
	readonly bound: number;
}

export type PairInQuestion = Omit<SessionJson, "role_switch" | "checkpoints">;

/** A spent budget: its limits and what was used of each (null: not limited), and how many calls there were. */
export interface BudgetFacts {
	readonly scope: "run" | "task";
	/** US dollars. */
	readonly usd: { readonly limit: number; readonly spent: number } | null;
	readonly wall: { readonly limit_ms: number; readonly spent_ms: number } | null;
	readonly calls: number;
	readonly unknown_cost_calls: number;
}

/** A conflict that waits for a person, with both sides and what the tie-breaker said before. */
export interface ConflictFacts {
	readonly conflict_id: string;
	readonly finding: string;
	/** From 1. */
	readonly attempt: number;
	readonly escalation_reason: string | null;
	readonly developer: { readonly reason: string; readonly evidence: string | null };
	readonly reviewer: { readonly issue: string; readonly rationale: string };
	readonly tie_breaker: { readonly decision: "PASS" | "FAIL"; readonly rationale: string } | null;
}

/** A verifier's tests, beside the work that fails them. */
export interface VerificationInQuestion {
	readonly verdict: string;
	readonly reasons: readonly string[];
	readonly tests: readonly {
		readonly path: string;
		readonly name: string;
		readonly status: string;
	}[];
	readonly failing: readonly { readonly test: string; readonly message: string }[];
	readonly run: string | null;
	readonly output_path: string | null;
	/** The tests themselves. */
	readonly files: readonly { readonly path: string; readonly text: string }[];
}

/** Cause of the player's stop, beside what Sparring's own run says of the test cases that it names. */
export interface BlockedInQuestion extends PlayerBlocked {
	readonly tests: readonly {
		readonly check: string;
		readonly name: string;
		readonly status: string;
		readonly message: string | null;
	}[];
}

export type AskingOf<Of extends Trigger, Context> =
	| { readonly trigger: Of; readonly context: Context }
	| { readonly trigger: Exclude<Trigger, Of> };

export type BudgetAsking = AskingOf<
	"budget",
	{ readonly budget: Pick<BudgetFacts, "scope" | "usd" | "wall"> | null }
>;

/** The spent budget of an item, and whether it limits money and time; undefined for an item that is about none. */
export function budgetInQuestion(
	item: BudgetAsking,
): { readonly scope: "run" | "task"; readonly usd: boolean; readonly wall: boolean } | undefined {
	if (item.trigger !== "budget" || item.context.budget === null) return undefined;
	const { scope, usd, wall } = item.context.budget;
	return { scope, usd: usd !== null, wall: wall !== null };
}

/** A question with what belongs to it: a union by trigger. */
export type Question =
	| {
			readonly trigger: "budget";
			/** null where a budget was enlarged meanwhile. */
			readonly context: WorkInQuestion & { readonly budget: BudgetFacts | null };
	  }
	| {
			readonly trigger: "conflict";
			readonly context: WorkInQuestion & {
				readonly conflicts: readonly ConflictFacts[];
				/** Critical findings of the same turn. */
				readonly critical: ConflictsReason["critical"];
			};
	  }
	| {
			readonly trigger: "verification";
			readonly context: WorkInQuestion & { readonly verification: VerificationInQuestion | null };
	  }
	| {
			readonly trigger: "player_blocked";
			readonly context: WorkInQuestion & { readonly blocked: BlockedInQuestion | null };
	  }
	| {
			readonly trigger: "quota";
			/** The agent whose account it is: one question stands for all tasks that wait for it. */
			readonly context: WorkInQuestion & {
				readonly quota: { readonly agent: string; readonly resets_at: string | null } | null;
			};
	  }
	| {
			readonly trigger: Exclude<
				Trigger,
				"budget" | "conflict" | "verification" | "player_blocked" | "quota"
			>;
			readonly context: WorkInQuestion;
	  };
