import { counted } from "../kernel/counted.ts";
import { type EvidenceStatus, evidenceWords } from "../kernel/evidence-value.ts";
import type { PlayerBlocked } from "../kernel/player-blocked.ts";
import type { AgentFailure } from "../kernel/roles.ts";
import type { SpentAccount } from "../kernel/spent-account.ts";
import type { ConflictsReason } from "../trace/conflicts-reason.ts";
import type { AskingOf, ConflictFacts } from "./question.ts";

export interface SpoiltCheck {
	readonly check: string;
	readonly status: EvidenceStatus;
	readonly reason: string | null;
}

/** Approval of a turn. */
export type Approval =
	| { readonly kind: "taken" | "approved" | "evidence_passed" }
	| { readonly kind: "overruled"; readonly findings: readonly string[] }
	| { readonly kind: "exit_holds"; readonly condition: string };

/** A turn is approved, and nothing tested its work. */
export interface Untested {
	readonly kind: "untested";
	readonly lacks: "checks" | "acceptance check";
	/** null where only evidence was asked. */
	readonly approval: Approval | null;
}

/**
 * Cause of a turn's route, of a task's stop for a person, and of its failure. A value: {@link reasonText} makes its
 * sentence where it is shown.
 */
export type Reason =
	| Approval
	| Untested
	/** What sends a turn back. */
	| { readonly kind: "evidence_short"; readonly names: readonly string[] }
	| { readonly kind: "blocked"; readonly findings: number }
	| { readonly kind: "tests_failed"; readonly count: number }
	/** Suspicions that nobody accepted, by id. */
	| {
			readonly kind: "suspicions_open";
			readonly ids: readonly string[];
			/** Where each of them is, and what it is, as a phrase; left out where only the ids are known. */
			readonly places?: readonly string[];
	  }
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
	| { readonly kind: "tests_disputed"; readonly findings: readonly string[] }
	| { readonly kind: "verification_exhausted"; readonly attempts: number }
	| { readonly kind: "stalled"; readonly sign: string }
	/** A player's reports claimed what is not so, several times in a row. */
	| {
			readonly kind: "false_reports";
			readonly agent: string;
			readonly reports: number;
			/** Files, tests and checks that the last one is wrong about. */
			readonly about: readonly string[];
	  }
	/** The files are those that the task or its subtask began with, and nobody showed that it holds already. */
	| {
			readonly kind: "nothing_changed";
			/** Reason for which the player's report, which may say why, cannot be used; left out where it can. */
			readonly report?: string;
	  }
	/** The player says that it cannot go on, in its own words. */
	| {
			readonly kind: "player_blocked";
			readonly cause: PlayerBlocked["reason"];
			readonly what: string;
	  }
	| { readonly kind: "review_refused"; readonly why: string }
	| {
			readonly kind: "max_turns";
			readonly bound: number;
			/** What the bound has grown by beside what people asked for; left out where it has not. */
			readonly granted?: "refused_merge";
			/** What was done at the limit, beside waiting for an approval. */
			readonly though?: "taken";
	  }
	| {
			readonly kind: "signature_needed" | "word_needed";
			readonly task: string;
			readonly turn: number;
	  }
	/** What keeps a node from its work. */
	| {
			readonly kind: "setup_failed";
			readonly why: string;
			/** What the setup printed that says why. */
			readonly said?: readonly string[];
	  }
	| { readonly kind: "budget_spent" | "session_corrupt"; readonly why: string }
	| {
			readonly kind: "role_failed";
			readonly role: "player" | "coach" | "verifier";
			readonly agent: string;
			readonly why: string;
			/** Failure of its call; left out where it answered, and not usably. */
			readonly failure?: AgentFailure | undefined;
	  }
	| {
			readonly kind: "checks_spoilt";
			readonly of: "turn" | "assembled";
			readonly checks: readonly SpoiltCheck[];
	  }
	/** Work that was approved, and refused by the merge. */
	| { readonly kind: "merge_refused"; readonly times: number }
	| {
			readonly kind: "branch_moved";
			readonly branch: string;
			readonly times: number;
			readonly task: string;
	  }
	/** No machine has what the task's agents need; tags are sorted. `unfit`: those that have the tags and still cannot do it. */
	| {
			readonly kind: "no_worker";
			readonly tags: readonly string[];
			readonly minutes: number;
			readonly unfit: readonly { readonly machine: string; readonly why: string }[];
	  }
	/** An agent's account has reached its limit. */
	| QuotaReason
	/** A person said no; null without a word. */
	| { readonly kind: "rejected"; readonly why: string | null };

/** An account that has reached its limit. */
export interface QuotaReason extends SpentAccount {
	readonly kind: "quota_spent";
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

export interface ReasonPart {
	readonly text: string;
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

export type ReasonAsking = { readonly reason: string } & AskingOf<
	"conflict",
	{
		readonly conflicts: readonly Pick<ConflictFacts, "finding" | "attempt" | "escalation_reason">[];
		readonly critical: ConflictsReason["critical"];
	}
>;

const NAMED = 3;

const THOUGH = {
	taken: "; the player's output was taken, but evidence still stands against it",
} as const;

const GRANTED = {
	refused_merge: ", those included that a refused merge granted",
} as const;

const FAILED = {
	player: "failed",
	coach: "gave no verdict",
	verifier: "gave no usable tests",
} as const;

/** Failures that have a remedy of their own, which stands before the words of the program. */
const REMEDIES: Readonly<Partial<Record<AgentFailure, string>>> = {
	signed_out: "is not signed in; sign in and answer yes",
	network:
		"cannot reach its service; answer yes once this machine is online, or once sandbox.allow_hosts names the service, if it is one of your own",
	unavailable:
		"is refused by its service, which has trouble of its own; answer yes in some minutes, or name another agent (spar resume --player, --coach)",
};

function roleFailedText({
	role,
	agent,
	why,
	failure = "unknown",
}: Extract<Reason, { kind: "role_failed" }>): string {
	const kind = failure === "unknown" ? "" : ` (${failure.replaceAll("_", " ")})`;
	return `the ${role} ${agent} ${REMEDIES[failure] ?? `${FAILED[role]}${kind}`}: ${why}`;
}

const SPOILT = {
	turn: "checks gave no result, and the player is not the cause",
	assembled: "the assembled tree could not be checked",
} as const;

const BLOCKED: Readonly<Record<PlayerBlocked["reason"], string>> = {
	task: "something is wrong with the task",
	test: "something is wrong with a test",
	environment: "something is missing in the environment",
	permission: "it lacks a permission",
};

const TEXTS: {
	readonly [Kind in Reason["kind"]]:
		| string
		| ((reason: Reason & { readonly kind: Kind }) => string);
} = {
	taken: "a person took the player's output",
	approved: "the coach approved and nothing blocks",
	evidence_passed: "required evidence passed",
	overruled: ({ findings }) => `overruled: ${findings.join(", ")}`,
	exit_holds: ({ condition }) => `exit condition holds: ${condition}`,
	untested: ({ lacks, approval }) => {
		const none = `nothing was tested: the workflow has no ${lacks}`;
		return approval === null ? none : `${reasonText(approval)}; ${none}`;
	},
	evidence_short: ({ names }) => `required evidence is missing or failed: ${names.join(", ")}`,
	blocked: ({ findings }) => `${counted(findings, "blocking finding")} open`,
	tests_failed: ({ count }) => `${count} of the verifier's tests failed`,
	tests_disputed: ({ findings }) =>
		`the player disputes tests that the verifier upholds: ${findings.join(", ")}`,
	verification_exhausted: ({ attempts }) =>
		`the verifier's tests failed ${attempts === 1 ? "once" : `${attempts} times`}`,
	gate_failed: "the gate did not pass",
	conflict_waits: "a conflict waits for a person",
	not_approved: "the coach did not approve",
	no_exit_holds: "no exit condition holds",
	ungated: "the coach did not approve, and no gate applies",
	conflicts: (reason) =>
		conflictParts(reason)
			.map(({ text }) => text)
			.join("\n"),
	suspicions_open: ({ ids, places = [] }) => {
		const named = ids.map((id, index) => {
			const place = places[index];
			return place === undefined ? id : `${id} at ${oneLine(place)}`;
		});
		return `${ids.length === 1 ? "a suspicion needs" : `${ids.length} suspicions need`} an answer: ${named.join(", ")}`;
	},
	critical: "a critical finding needs a person's decision",
	stalled: ({ sign }) => sign,
	false_reports: ({ agent, reports, about }) => {
		const named = about.slice(0, NAMED).map(oneLine).join(", ");
		return `${reports} reports in a row by ${agent} make false claims; the last about ${named}${about.length > NAMED ? ", ..." : ""}`;
	},
	nothing_changed: ({ report }) =>
		`the files are as they were at the start, and no coach showed with passed tests that the work was there already${report === undefined ? "" : `; the player's report cannot be used: ${oneLine(report)}`}`,
	player_blocked: ({ cause, what }) => `${BLOCKED[cause]}: ${oneLine(what)}`,
	review_refused: ({ why }) => `the formal review did not approve: ${why}`,
	max_turns: ({ bound, granted, though }) =>
		`Max turns (${bound}) reached without approval${granted === undefined ? "" : GRANTED[granted]}${though === undefined ? "" : THOUGH[though]}`,
	signature_needed: ({ task, turn }) =>
		`the T2 gate of ${task} passed at turn ${turn} and needs a signature before the merge`,
	word_needed: ({ task, turn }) =>
		`turn ${turn} of ${task} is done and needs your approval before it merges`,
	setup_failed: ({ why, said = [] }) => {
		const cause =
			said.length === 0 ? why : `${said.map((line) => `"${line}"`).join(", ")} (${why})`;
		return `the setup failed in the player's checkout: ${cause}`;
	},
	budget_spent: ({ why }) => why,
	session_corrupt: ({ why }) => why,
	role_failed: roleFailedText,
	checks_spoilt: ({ of, checks }) => {
		const said = checks.map(
			({ check, status, reason }) => `${check} ${evidenceWords(status)}: ${reason ?? "no reason"}`,
		);
		return `${SPOILT[of]}: ${said.join("; ")}`;
	},
	merge_refused: ({ times }) => `the merge was refused ${times} times`,
	branch_moved: ({ branch, times, task }) =>
		`${branch} moved ${times} times while ${task} was merging`,
	no_worker: ({ tags, minutes, unfit }) =>
		unfit.length === 0
			? `no worker${tags.length === 0 ? "" : ` with the tags ${tags.join(", ")}`} has been there for ${counted(minutes, "minute")}`
			: `no worker has been able to do it for ${counted(minutes, "minute")}: ${unfit.map(({ machine, why }) => `${machine}: ${why}`).join("; ")}`,
	quota_spent: ({ agent, resetsAt, said }) =>
		`the account of ${agent} has reached its limit, ${
			resetsAt === null
				? "and nobody said when that is lifted"
				: `which is lifted at ${resetsAt.slice(0, 16).replace("T", " ")} UTC`
		}: ${oneLine(said)}`,
	rejected: ({ why }) => `rejected by a person: ${why ?? "no reason given"}`,
};

/**
 * A reason as people read it: one sentence, or a line for each conflict and each critical finding.
 *
 * @example `{ kind: "max_turns", bound: 3 }` is `Max turns (3) reached without approval`
 */
export function reasonText(reason: Reason): string {
	// The entry of a kind takes reasons of that kind; TypeScript does not follow that through the union.
	const text = TEXTS[reason.kind] as string | ((of: Reason) => string);
	return typeof text === "string" ? text : text(reason);
}

/** A reason as an event tells it. */
export function toldReason(reason: Reason): ToldReason {
	const text = reasonText(reason);
	return reason.kind === "conflicts" ? { reason: text, conflicts: reason } : { reason: text };
}

/**
 * A reason for one line.
 *
 * @example two conflicts and a critical F3 give `rest` `"; and 1 more; critical: F3"`
 */
export function shortReason(told: ToldReason): {
	/** The first of several conflicts, else the whole reason. */
	readonly first: string;
	readonly rest: string;
} {
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
