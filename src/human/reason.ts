import type { ConflictsReason } from "../trace/event.ts";
import type { ConflictFacts, Trigger } from "./question.ts";

/** A check that said nothing, with what it said instead. */
export interface SpoiltCheck {
	readonly check: string;
	readonly status: string;
	readonly reason: string | null;
}

/** Who or what approved a turn. */
export type Approval =
	| { readonly kind: "taken" | "approved" | "evidence_passed" }
	| { readonly kind: "overruled"; readonly findings: string }
	| { readonly kind: "exit_holds"; readonly condition: string };

/** A turn is approved, and nothing tested its work. */
export interface Untested {
	readonly kind: "untested";
	/** What the workflow has none of. */
	readonly lacks: "checks" | "acceptance check";
	/** null where only evidence was asked. */
	readonly approval: Approval | null;
}

/**
 * Why a turn takes its route, why a task stops for a person, and why it fails. A value: its sentence is made by
 * {@link reasonText} where it is shown.
 */
export type Reason =
	| Approval
	| Untested
	/** What sends a turn back. */
	| { readonly kind: "evidence_short"; readonly names: readonly string[] }
	| { readonly kind: "blocked"; readonly findings: number }
	| {
			readonly kind:
				| "gate_failed"
				| "conflict_waits"
				| "not_approved"
				| "no_exit_holds"
				| "ungated";
	  }
	/** What needs a person. */
	| ConflictsReason
	| { readonly kind: "critical" }
	| { readonly kind: "stalled"; readonly sign: string }
	| { readonly kind: "review_refused"; readonly why: string }
	| {
			readonly kind: "max_turns";
			readonly bound: number;
			/** What was done at the limit, beside waiting for an approval. */
			readonly though?: "taken" | "not_merged";
	  }
	| {
			readonly kind: "signature_needed" | "word_needed";
			readonly task: string;
			readonly turn: number;
	  }
	/** What keeps a node from its work. */
	| { readonly kind: "setup_failed" | "budget_spent" | "session_corrupt"; readonly why: string }
	| {
			readonly kind: "role_failed";
			readonly role: "player" | "coach" | "evaluator";
			readonly agent: string;
			readonly why: string;
	  }
	| {
			readonly kind: "checks_spoilt";
			readonly of: "turn" | "assembled";
			readonly checks: readonly SpoiltCheck[];
	  }
	| {
			readonly kind: "branch_moved";
			readonly branch: string;
			readonly times: number;
			readonly task: string;
	  }
	/** A person said no; null without a word. */
	| { readonly kind: "rejected"; readonly why: string | null };

type Of<Kind extends Reason["kind"]> = Extract<Reason, { readonly kind: Kind }>;

const FIXED = {
	taken: "a person took the developer's output",
	approved: "the coach approved and nothing blocks",
	evidence_passed: "required evidence passed",
	gate_failed: "the gate did not pass",
	conflict_waits: "a conflict waits for a person",
	not_approved: "the coach did not approve",
	no_exit_holds: "no exit condition holds",
	ungated: "without the coach's approval only a gate lets go",
	critical: "a critical finding needs a person's decision",
} as const;

const THOUGH = {
	taken: "; the developer's output was taken, but evidence still stands against it",
	not_merged: ": the work could not be merged",
} as const;

const FAILED: Readonly<Record<Of<"role_failed">["role"], string>> = {
	player: "failed",
	coach: "gave no verdict",
	evaluator: "gave no score",
};

const SPOILT: Readonly<Record<Of<"checks_spoilt">["of"], string>> = {
	turn: "checks could not say anything, and not through the player's doing",
	assembled: "the assembled tree could not be checked",
};

/** Texts that agents wrote stand on one line each. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** A part of a reason. */
export interface ReasonPart {
	readonly text: string;
	/** Whether it names a critical finding. */
	readonly isCritical: boolean;
}

/** A reason in words, with what it has to say of conflicts as a value, where it is about some. */
export interface ToldReason {
	readonly reason: string;
	readonly conflicts?: ConflictsReason;
}

/** The sentences of a reason, which has several where conflicts wait: each conflict, then each critical finding. */
export function reasonParts({ reason, conflicts }: ToldReason): readonly ReasonPart[] {
	return conflicts === undefined ? [{ text: reason, isCritical: false }] : conflictParts(conflicts);
}

function conflictParts({ conflicts, critical }: ConflictsReason): readonly ReasonPart[] {
	return [
		...conflicts.map(({ finding, attempt, why }) => ({
			text: `Conflict about ${finding} (attempt ${attempt}): ${oneLine(why)}`,
			isCritical: false,
		})),
		...critical.map(({ finding, issue }) => ({
			text: `Critical: ${finding}: ${oneLine(issue)}`,
			isCritical: true,
		})),
	];
}

/** The reason of a question. */
export function questionReason(item: ReasonAsking): ToldReason {
	const { reason } = item;
	if (item.trigger !== "conflict" || item.context.conflicts.length === 0) return { reason };
	const { conflicts, critical } = item.context;
	const asked = conflicts.map(({ finding, attempt, escalation_reason: why }) => ({
		finding,
		attempt,
		why: why ?? "",
	}));
	return { reason, conflicts: { kind: "conflicts", conflicts: asked, critical } };
}

/** As far as an item is looked at for its reason. */
export type ReasonAsking = { readonly reason: string } & (
	| {
			readonly trigger: "conflict";
			readonly context: {
				readonly conflicts: readonly Pick<
					ConflictFacts,
					"finding" | "attempt" | "escalation_reason"
				>[];
				readonly critical: ConflictsReason["critical"];
			};
	  }
	| { readonly trigger: Exclude<Trigger, "conflict"> }
);

/**
 * A reason as people read it: one sentence, or a line for each conflict and each critical finding.
 *
 * @example `{ kind: "max_turns", bound: 3 }` is `Max turns (3) reached without approval`
 */
export function reasonText(reason: Reason): string {
	switch (reason.kind) {
		case "conflicts":
			return conflictParts(reason)
				.map(({ text }) => text)
				.join("\n");
		case "overruled":
			return reason.findings;
		case "untested": {
			const none = `nothing was tested: the workflow has no ${reason.lacks}`;
			return reason.approval === null ? none : `${reasonText(reason.approval)}; ${none}`;
		}
		case "exit_holds":
			return `exit condition holds: ${reason.condition}`;
		case "evidence_short":
			return `required evidence is missing or failed: ${reason.names.join(", ")}`;
		case "blocked":
			return `${reason.findings} blocking finding(s) open`;
		case "stalled":
			return reason.sign;
		case "review_refused":
			return `the formal review did not approve: ${reason.why}`;
		case "max_turns":
			return `Max turns (${reason.bound}) reached without approval${
				reason.though === undefined ? "" : THOUGH[reason.though]
			}`;
		case "rejected":
			return `rejected by a person: ${reason.why ?? "no reason given"}`;
		case "signature_needed":
		case "word_needed":
		case "setup_failed":
		case "budget_spent":
		case "session_corrupt":
		case "role_failed":
		case "checks_spoilt":
		case "branch_moved":
			return stopText(reason);
		case "taken":
		case "approved":
		case "evidence_passed":
		case "gate_failed":
		case "conflict_waits":
		case "not_approved":
		case "no_exit_holds":
		case "ungated":
		case "critical":
			return FIXED[reason.kind];
	}
}

type Stopped = Of<
	| "signature_needed"
	| "word_needed"
	| "setup_failed"
	| "budget_spent"
	| "session_corrupt"
	| "role_failed"
	| "checks_spoilt"
	| "branch_moved"
>;

function stopText(reason: Stopped): string {
	switch (reason.kind) {
		case "signature_needed":
			return `the T2 gate of ${reason.task} passed at turn ${reason.turn} and needs a signature before the merge`;
		case "word_needed":
			return `turn ${reason.turn} of ${reason.task} is done and waits for your word before it merges`;
		case "setup_failed":
			return `the setup failed in the player's checkout: ${reason.why}`;
		case "budget_spent":
		case "session_corrupt":
			return reason.why;
		case "role_failed":
			return roleText(reason);
		case "checks_spoilt": {
			const said = reason.checks.map(
				({ check, status, reason: why }) => `${check} is ${status}: ${why ?? "no reason"}`,
			);
			return `${SPOILT[reason.of]}: ${said.join("; ")}`;
		}
		case "branch_moved":
			return `${reason.branch} moved ${reason.times} times while ${reason.task} was merging`;
	}
}

function roleText({ role, agent, why }: Of<"role_failed">): string {
	return `the ${role} ${agent} ${FAILED[role]}${role === "player" ? " " : ": "}${why}`;
}

/** A reason as an event tells it. */
export function toldReason(reason: Reason): ToldReason {
	const text = reasonText(reason);
	return reason.kind === "conflicts" ? { reason: text, conflicts: reason } : { reason: text };
}

/** Findings that a short reason names; more are counted as `...`. */
const NAMED = 3;

/** A reason for one line: `first` may be cut to fit, `rest` is to stand behind it whole. */
export interface ShortReason {
	/** The first of several conflicts, else the whole reason. */
	readonly first: string;
	/** How many more conflicts there are, and which findings are critical; at most about 70 characters. */
	readonly rest: string;
}

/**
 * A reason for one line.
 *
 * @example two conflicts and a critical F3 give `rest` `"; and 1 more; critical: F3"`
 */
export function shortReason(told: ToldReason): ShortReason {
	const [{ text } = { text: told.reason }] = reasonParts(told);
	const rest = told.conflicts === undefined ? "" : restOf(told.conflicts);
	return { first: rest === "" ? text : text.trimEnd().replace(/\.$/, ""), rest };
}

function restOf({ conflicts, critical }: ConflictsReason): string {
	const more = conflicts.length < 2 ? "" : `; and ${conflicts.length - 1} more`;
	const ids = [...new Set(critical.map(({ finding }) => finding))];
	if (ids.length === 0) return more;
	const named = ids.slice(0, NAMED).join(", ");
	return `${more}; critical: ${named}${ids.length > NAMED ? ", ..." : ""}`;
}
