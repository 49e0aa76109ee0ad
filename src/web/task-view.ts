import type { GateReport } from "../gate/gate-report.ts";
import type { EvidenceStatus } from "../kernel/evidence-value.ts";
import type { Role } from "../kernel/roles.ts";
import type { FindingReport } from "../review/finding-report.ts";
import type { EventData, StoredEvent } from "../trace/event.ts";
import type { AsOf } from "./as-of.ts";
import type { TaskRow } from "./run-view.ts";

/** What one check said of a tree, without its cases. */
export interface EvidenceView {
	readonly check: string;
	/** Text of an item of a checklist; null otherwise. */
	readonly item: string | null;
	readonly kind: string;
	readonly purpose: "baseline" | "turn" | "assembled";
	readonly status: EvidenceStatus;
	readonly reason: string | null;
	readonly counts: {
		readonly total: number;
		readonly passed: number;
		readonly failed: number;
		readonly skipped: number;
		readonly known_failing: number;
	} | null;
	readonly details: readonly string[];
	readonly exit_code: number | null;
	readonly ms: number;
	readonly started_at: string;
	readonly tree: string;
	/** The `path` of a LogFile; null without output. */
	readonly log: string | null;
	readonly has_cases: boolean;
}

export interface CallView {
	readonly role: Role;
	readonly agent: string;
	readonly call: number;
	readonly outcome: string;
	readonly message: string | null;
	readonly started_at: string;
	readonly ms: number;
	readonly cost_usd: number | null;
	readonly input_tokens: number | null;
	readonly output_tokens: number | null;
	readonly model: string | null;
	/** The `path` of a LogFile; null without a transcript. */
	readonly log: string | null;
}

export interface TurnView {
	readonly turn: number;
	/** null until the player's work was taken. */
	readonly commit: string | null;
	readonly tree: string | null;
	readonly raw: "approve" | "feedback" | null;
	readonly effective: "approve" | "feedback" | null;
	readonly reasons: readonly string[];
	readonly rationale: string;
	readonly notes: string;
	readonly concerns: readonly string[];
	readonly criteria: readonly {
		readonly criterion: string;
		readonly met: boolean;
		readonly evidence: string | null;
		readonly tests: readonly string[];
	}[];
	/** What the coach tried in order to break the work; null where it handed in no report. */
	readonly attempts: EventData["turn-judged"]["attempts"] | null;
	readonly route: string | null;
	readonly evidence: readonly EvidenceView[];
	readonly calls: readonly CallView[];
	readonly verification: VerificationView | null;
	readonly gate: GateReport | null;
	readonly score: EventData["confidence-scored"] | null;
}

export interface VerificationView {
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive";
	readonly required: boolean;
	readonly reasons: readonly string[];
	readonly tests: readonly {
		readonly path: string;
		readonly name: string;
		readonly status: string;
	}[];
	readonly run: string | null;
	readonly log: string | null;
	readonly commit: string | null;
	readonly attempts: number;
}

export interface TaskDetail extends TaskRow, AsOf {
	readonly run_id: string;
	readonly description: string;
	readonly acceptance_criteria: readonly string[];
	readonly context_files: readonly string[];
	/** Who sits there now. `coach` is null without one. */
	readonly player: string | null;
	readonly coach: string | null;
	/** The node of the loop that it is in; null before it began and once it ended. */
	readonly node: string | null;
	readonly start_commit: string | null;
	/** Absolute path of the player's checkout while it is kept. */
	readonly checkout: string | null;
	readonly baseline: readonly EvidenceView[];
	/** The oldest first; one that is under way is there too. */
	readonly turn_views: readonly TurnView[];
	readonly findings: readonly FindingReport[];
	readonly gate_report: GateReport | null;
	readonly verification_result: VerificationView | null;
}

export interface CasesReply {
	readonly cases: readonly {
		readonly id: string;
		readonly status: "passed" | "failed" | "skipped";
		readonly message: string | null;
	}[];
}

/** A file with what a call, a check or a setup printed; it grows while that runs. */
export interface LogFile {
	readonly path: string;
	/** null of a setup; 0 before the first turn. */
	readonly turn: number | null;
	readonly source: Role | "check" | "setup";
	readonly name: string;
	readonly changed_at: string;
	readonly bytes: number;
}

/** The one that changed last at the end. */
export interface LogList {
	readonly logs: readonly LogFile[];
}

/**
 * Whole characters of a log from byte `from` on, at most 1 MB: go on at `next` until it is `bytes`. A log is written once
 * more when its call or check ends, and may be shorter then: with `bytes` below `from` begin again at 0.
 */
export interface LogPart {
	readonly from: number;
	readonly next: number;
	readonly bytes: number;
	readonly text: string;
}

export interface EventsPage {
	/** In the order of their ids. */
	readonly events: readonly StoredEvent[];
	/** As `after` it gives the following ones; null: there are none yet. */
	readonly next: number | null;
}
