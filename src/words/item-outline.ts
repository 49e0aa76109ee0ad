import type { FindingAnswer } from "../human/human-item.ts";
import type {
	BlockedInQuestion,
	BudgetFacts,
	ConflictFacts,
	Question,
	VerificationInQuestion,
	WorkInQuestion,
} from "../human/question.ts";
import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import type { Snake } from "../kernel/snake-case.ts";
import { oneLine } from "../kernel/visible-text.ts";
import { renderAttempts, renderUntried, suspicionText } from "./evidence-text.ts";
import { choiceWords, seatName, type Tone, toneOf } from "./states.ts";

/** Words of an agent, a check or a person behind what they are, not yet made visible. */
export interface Note {
	readonly from?: string;
	/** Stored words of the thing that `from` names, such as severity and state, and where it is. */
	readonly words?: readonly string[];
	readonly place?: { readonly file: string | null; readonly line: number | null };
	readonly text?: string;
	/** Text that a program printed, or that a file holds. */
	readonly output?: string | null;
	readonly tone?: Tone | undefined;
	readonly below?: readonly Note[];
}

/** A part of a question under its title. */
export interface ItemPart {
	readonly title: string;
	readonly notes: readonly Note[];
	/** The finding of the conflict that it is about. */
	readonly finding?: string;
	/** Text of one side, which stands beside the other where there is room. */
	readonly isSide?: boolean;
	/** Shown when the reader asks for it, where that can be. */
	readonly isFolded?: boolean;
}

type OutlinedItem = Question & {
	readonly task_id: string;
	readonly answers: Readonly<Record<string, Snake<FindingAnswer>>>;
};

// From this attempt on nobody but a person is asked.
const LAST_ATTEMPT = 3;

const said = (from: string, text: string | null, below: readonly Note[] = []): Note[] =>
	text === null || text.trim() === "" ? [] : [{ from, text, below }];

const texts = (all: readonly string[], from?: string): Note[] =>
	all
		.filter((text) => text.trim() !== "")
		.map((text) => (from === undefined ? { text } : { from, text }));

/** Parts of a question that have something to say, in their order, for a terminal and for the page. */
export function itemOutline(item: OutlinedItem): readonly ItemPart[] {
	const { developer, reviewer, pair, ...work } = item.context;
	const parts: readonly ItemPart[] = [
		...ownParts(item),
		{ title: "Findings", notes: work.findings.map(findingNote) },
		{
			title: `What ${seatOf("coach", reviewer.agent)} says`,
			notes: coachNotes(reviewer),
			isSide: true,
		},
		{
			title: `What ${seatOf("player", developer.agent)} says`,
			notes: playerNotes(developer),
			isSide: true,
		},
		{ title: "Reasons", notes: texts(work.reasons) },
		{ title: "False claims of the player", notes: texts(work.false_claims) },
		{
			title: "Suspicions",
			notes: work.suspicions.map((one) => ({
				text: suspicionText(one),
				below: texts([one.text]),
			})),
		},
		{ title: "Pair history", notes: pair === null ? [] : pairNotes(pair), isFolded: true },
	];
	return parts.filter(({ notes }) => notes.length > 0);
}

function ownParts(item: OutlinedItem): readonly ItemPart[] {
	if (item.trigger === "conflict") {
		return item.context.conflicts.map((conflict) => ({
			finding: conflict.finding,
			title: `Conflict over ${oneLine(conflict.finding) || "a finding"}`,
			notes: conflictNotes(conflict, item.answers),
		}));
	}
	if (item.trigger === "budget" && item.context.budget !== null) {
		const { budget } = item.context;
		const whose = budget.scope === "task" ? `task ${item.task_id}` : "the run";
		return [{ title: `Budget of ${whose}`, notes: budgetNotes(budget) }];
	}
	if (item.trigger === "player_blocked" && item.context.blocked !== null) {
		return [{ title: "Why the player stopped", notes: blockedNotes(item.context.blocked) }];
	}
	if (item.trigger === "verification" && item.context.verification !== null) {
		const { verification } = item.context;
		const title = `The verifier's tests: ${verification.verdict}`;
		return [{ title, notes: verificationNotes(verification) }];
	}
	return [];
}

function conflictNotes(
	{ finding, attempt, escalation_reason, developer, reviewer, tie_breaker: breaker }: ConflictFacts,
	answers: OutlinedItem["answers"],
): Note[] {
	const answer = Object.hasOwn(answers, finding) ? answers[finding] : undefined;
	return [
		{ text: `attempt ${attempt}${attempt <= LAST_ATTEMPT ? ` of ${LAST_ATTEMPT}` : ""}` },
		...said("why you decide", escalation_reason),
		...said("the coach's finding", reviewer.issue),
		...said(
			"the player disputes it",
			developer.reason,
			said("with this evidence", developer.evidence),
		),
		...said("the coach upholds it", reviewer.rationale),
		breaker === null
			? { text: "the tie-breaker gave no decision" }
			: {
					from: "the tie-breaker says",
					words: [breaker.decision],
					text: breaker.rationale || "(no reason)",
				},
		...(answer === undefined
			? []
			: [
					{
						from: "answered",
						text: `${choiceWords(answer.choice)} at ${answer.answered_at}`,
						below: [...said("directive", answer.directive), ...said("notes", answer.notes)],
					},
				]),
	];
}

export function findingNote(finding: WorkInQuestion["findings"][number]): Note {
	const { id, severity, state, issue, file, line, criterion, suggestion, dispute } = finding;
	return {
		from: id,
		words: [severity, state],
		place: { file, line },
		text: issue,
		tone: toneOf(severity),
		below: [
			...said("criterion", criterion),
			...said("suggestion", suggestion),
			...said("the player disputes it", dispute?.reason ?? null),
			...said("its evidence", dispute?.evidence ?? null),
		],
	};
}

export const seatOf = (seat: "player" | "coach", agent: string | null): string =>
	agent === null ? seat : seatName(seat, oneLine(agent));

export function playerNotes({
	notes,
	concerns,
	left_work,
	files,
}: Omit<WorkInQuestion["developer"], "agent">): readonly Note[] {
	return [
		...texts([notes]),
		...texts(concerns, "unsure"),
		...texts(left_work, "left outside of the files"),
		...said("files", files.join(", ")),
	];
}

export function coachNotes({
	decision,
	effective,
	rationale,
	attempts,
}: Omit<WorkInQuestion["reviewer"], "agent">): readonly Note[] {
	const untried = renderUntried(decision, attempts ?? undefined);
	const counts =
		effective === null || effective === decision ? "" : `; with the evidence it is ${effective}`;
	return [
		...(decision === null ? [] : said("decision", `${decision}${untried}${counts}`)),
		...texts([rationale]),
		...texts(renderAttempts(attempts ?? [], 500).map((attempt) => `tried ${attempt}`)),
	];
}

function budgetNotes({ usd, wall, calls, unknown_cost_calls: unknown }: BudgetFacts): Note[] {
	return [
		...(usd === null ? [] : said("money", `${formatUsd(usd.spent)} of ${formatUsd(usd.limit)}`)),
		...(wall === null
			? []
			: said("time", `${formatDuration(wall.spent_ms)} of ${formatDuration(wall.limit_ms)}`)),
		...said("calls", `${calls}, of unknown cost: ${unknown}`),
	];
}

function verificationNotes(verification: VerificationInQuestion): Note[] {
	const { reasons, failing, run, output_path: output, files } = verification;
	return [
		...texts(reasons),
		...said("run", run),
		...said("output", output),
		...failing.map(
			({ test, message }): Note => ({ from: "failed", text: test, tone: "bad", output: message }),
		),
		...files.map(({ path, text }): Note => ({ text: `--- ${path}`, output: text })),
	];
}

function blockedNotes({ what, evidence, proposal, tests }: BlockedInQuestion): Note[] {
	return [
		...texts([what]),
		...texts(evidence, "evidence"),
		...said("proposal", proposal),
		...tests.map(
			({ check, name, status, message }): Note => ({
				from: `Sparring ran ${name} (${check})`,
				words: [status],
				output: message,
			}),
		),
	];
}

// In characters; the whole is in the session's file.
const MAX_SAID = 300;

function pairNotes(pair: NonNullable<WorkInQuestion["pair"]>): readonly Note[] {
	const { iteration, max_iterations: limit, current_role_driver: next, history } = pair;
	if (history.length === 0) return [];
	const short = (text: string): string => oneLine(text, MAX_SAID) || "(nothing)";
	const hasSubtasks = history.some(({ completed_subtask: subtask }) => subtask !== null);
	const bound = `limit ${limit}${hasSubtasks ? " for each subtask" : ""}`;
	return [
		{ from: "iterations", text: `${iteration} (${bound}); next player: ${oneLine(next)}` },
		...history.map((entry): Note => {
			const { completed_subtask: subtask, challenger_approved: isApproved } = entry;
			const done = subtask === null ? "" : `, completed subtask ${oneLine(subtask)}`;
			return {
				from: `${entry.iteration} (turn ${entry.turn})`,
				text: `${isApproved ? "approved" : "not approved"}${done}`,
				below: [
					{ from: oneLine(entry.driver_agent), text: short(entry.driver_output_summary) },
					{
						from: "critique",
						text: short(entry.challenger_critique),
						below: entry.findings.map(({ id, severity, state, issue }) => ({
							from: oneLine(id),
							words: [severity, state],
							text: short(issue),
						})),
					},
				],
			};
		}),
	];
}
