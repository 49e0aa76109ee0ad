import { answerFor } from "../human/conflicts-in-question.ts";
import type { FindingAnswer, HumanItem } from "../human/human-item.ts";
import type { ConflictFacts, PairInQuestion, WorkInQuestion } from "../human/question.ts";
import { questionReason, reasonParts } from "../human/reason.ts";
import { formatDuration } from "../kernel/duration.ts";
import { formatUsd } from "../kernel/money.ts";
import { checkWords } from "../kernel/replayed.ts";
import { itemOffers } from "../story/item-offers.ts";
import {
	renderAttempts,
	renderCounts,
	renderUntried,
	suspicionTexts,
	withCause,
} from "../words/evidence-text.ts";
import { choiceWords, ITEM_STATUS_WORDS, seatName, TRIGGER_WORDS } from "../words/states.ts";
import { indented, oneLine, visibleText } from "../words/visible-text.ts";
import type { Paint } from "./paint.ts";
import { metricsText, renderGateReport, shareText, warningLines } from "./render-gate-report.ts";
import { UNLIMITED } from "./table.ts";

/** Longest text of one side in the history, in characters; the whole is in the session's file. */
const MAX_SAID = 300;

function countText({ iteration, max_iterations: limit, history }: PairInQuestion): string {
	const hasSubtasks = history.some(({ completed_subtask: subtask }) => subtask !== null);
	return `${iteration} (limit ${limit}${hasSubtasks ? " for each subtask" : ""})`;
}

/** The seats of a pair and what each said in each iteration; `""` for a question without a pair. */
function pairHistoryText(pair: PairInQuestion | null): string {
	if (pair === null || pair.history.length === 0) return "";
	const said = (text: string): string => oneLine(text, MAX_SAID) || "(nothing)";
	const history = pair.history.flatMap((entry) => {
		const subtask = entry.completed_subtask;
		const approved = entry.challenger_approved ? "approved" : "not approved";
		const done = subtask === null ? "" : `, completed subtask ${oneLine(subtask)}`;
		return [
			`${entry.iteration} (turn ${entry.turn}): ${approved}${done}`,
			indented(`${oneLine(entry.driver_agent)}: ${said(entry.driver_output_summary)}`, "  "),
			indented(`critique: ${said(entry.challenger_critique)}`, "  "),
			...entry.findings.map((finding) => {
				const { id, severity, state, issue } = finding;
				return indented(`${oneLine(id)} ${severity} ${state}: ${said(issue)}`, "    ");
			}),
		];
	});
	const next = `next player: ${oneLine(pair.current_role_driver)}`;
	return [`iterations: ${countText(pair)}; ${next}`, ...history].join("\n");
}

/** From this attempt on nobody but a person is asked. */
const LAST_ATTEMPT = 3;

interface ShownConflict {
	readonly finding: string;
	/** Its parts, line by line; not yet made visible. */
	readonly text: string;
}

/** A label with its text: beside it, or below it where the text has several lines. Nothing without a text. */
function labelled(label: string, text: string): string[] {
	const words = text.trim();
	if (words === "") return [];
	const margin = label.slice(0, label.length - label.trimStart().length);
	return words.includes("\n")
		? [`${label}:`, indented(words, `${margin}  `)]
		: [`${label}: ${words}`];
}

function attemptText(attempt: number): string[] {
	return [`attempt ${attempt}${attempt <= LAST_ATTEMPT ? ` of ${LAST_ATTEMPT}` : ""}`];
}

function tieBreakerText(said: ConflictFacts["tie_breaker"]): string[] {
	if (said === null) return ["the tie-breaker gave no decision"];
	return labelled(`the tie-breaker says ${said.decision}`, said.rationale || "(no reason)");
}

function answerText(answer: FindingAnswer | undefined): string[] {
	if (answer === undefined) return [];
	return [
		`answered: ${choiceWords(answer.choice)} at ${answer.answeredAt}`,
		...labelled("  directive", answer.directive ?? ""),
		...labelled("  notes", answer.notes ?? ""),
	];
}

function sidesText({ developer, reviewer }: ConflictFacts): string[] {
	return [
		...labelled("the coach's finding", reviewer.issue),
		...labelled("the player disputes it", developer.reason),
		...labelled("  with this evidence", developer.evidence ?? ""),
		...labelled("the coach upholds it", reviewer.rationale),
	];
}

/**
 * The conflicts that an item asks about, in its order: both sides, what the tie-breaker said, why it came to a person,
 * and the answer where there is one. Texts that are blank are left out.
 */
function shownConflicts(item: HumanItem): readonly ShownConflict[] {
	if (item.trigger !== "conflict") return [];
	return item.context.conflicts.map((conflict) => ({
		finding: conflict.finding,
		text: [
			...attemptText(conflict.attempt),
			...labelled("why you decide", conflict.escalation_reason ?? ""),
			...sidesText(conflict),
			...tieBreakerText(conflict.tie_breaker),
			...answerText(answerFor(item, conflict.finding)),
		].join("\n"),
	}));
}

/** A title with its text below; nothing when there is no text. */
const section = (paint: Paint, title: string, text: string): string[] =>
	text.trim() === "" ? [] : [`\n${paint("strong", title)}`, indented(text, "  ")];

/** Likewise for a text whose parts are visible and painted already. */
const painted = (paint: Paint, title: string, text: string): string[] =>
	text === "" ? [] : [`\n${paint("strong", title)}`, text.replaceAll(/^(?=.)/gm, "  ")];

type Context = WorkInQuestion;
type FindingShown = Context["findings"][number];
const placeOf = ({ file, line }: FindingShown): string => {
	if (file === null) return "";
	return line === null ? ` (${file})` : ` (${file}:${line})`;
};

function findingText(finding: FindingShown): string {
	const { id, severity, state, issue, criterion, suggestion, dispute } = finding;
	const lines = [`${id} ${severity} ${state}${placeOf(finding)}: ${issue}`];
	if (criterion !== null) lines.push(`  criterion: ${criterion}`);
	if (suggestion !== null) lines.push(`  suggestion: ${suggestion}`);
	if (dispute !== null) lines.push(`  the player disputes it: ${dispute.reason}`);
	return lines.join("\n");
}

function evidenceText(evidence: Context["evidence"][number]): string {
	const { check, item = check, kind, status, said, details, output_path: output } = evidence;
	const facts = [renderCounts(evidence.counts), withCause(said, evidence.reason) ?? ""].filter(
		(fact) => fact !== "",
	);
	const lines = [
		`${checkWords(item)}${item === kind || item.startsWith(`${kind}:`) ? "" : ` (${kind})`}: ${[status, ...facts].join(", ")}`,
		...details.map((detail) => `  ${oneLine(detail, 400)}`),
	];
	if (output !== null) lines.push(`  output: ${output}`);
	return lines.join("\n");
}

/** Each conflict on lines of its own, a critical finding so that it is not overlooked. */
function reasonText(item: HumanItem, paint: Paint): string {
	return reasonParts(questionReason(item))
		.map(({ text, isCritical }) => {
			const shown = visibleText(text.trim());
			return isCritical ? paint("bad", shown) : shown;
		})
		.join("\n");
}

/** The whole report where the question has it; else what the task's record says. */
function gateText({ gate, gate_report: report }: Context, paint: Paint, columns: number): string {
	const shown = report ?? gate;
	return shown === null ? "" : renderGateReport(shown, paint, columns);
}

/** The score, with what the gate's report does not show already. */
function confidenceText(
	{ confidence, gate_report: gate }: Context,
	paint: Paint,
	columns: number,
): string {
	if (confidence === null) return "";
	const { score, advisory, metrics, warnings } = confidence;
	const line = `${shareText(score)}${advisory === null ? "" : ` (${advisory})`}`;
	const isShown = gate !== null && gate.confidence_score !== null;
	const rest = isShown ? [] : [metricsText(metrics, columns), ...warningLines(warnings, paint)];
	return [line, ...rest].filter((text) => text !== "").join("\n");
}

function playerText({ developer: { notes, concerns, left_work: left, files } }: Context): string {
	return [
		notes,
		...concerns.map((concern) => `unsure: ${concern}`),
		...left.map((line) => `left outside of the files: ${line}`),
		...(files.length === 0 ? [] : [`files: ${files.join(", ")}`]),
	].join("\n");
}

function coachText({ reviewer: { decision, rationale, attempts } }: Context): string {
	const untried = renderUntried(decision, attempts ?? undefined);
	return [
		...(decision === null ? [] : [`decision: ${decision}${untried}`]),
		rationale,
		...renderAttempts(attempts ?? [], 500).map((attempt) => `tried ${attempt}`),
	].join("\n");
}

function workText({ context, taskId, runId }: HumanItem): string {
	const { branch, commit, turns, diff_path: diff, checkout } = context;
	const facts = [
		["branch", branch],
		["commit", commit],
		["turns", turns === 0 ? null : `${turns}`],
		["diff", diff],
		["checkout", checkout],
		["see it", diff === null ? null : `spar diff ${taskId} --run ${runId}`],
	] as const;
	return facts.flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`])).join("\n");
}

function budgetText(item: HumanItem): string {
	if (item.trigger !== "budget" || item.context.budget === null) return "";
	const { scope, usd, wall, calls, unknown_cost_calls: unknown } = item.context.budget;
	const lines = [`of ${scope === "task" ? `task ${item.taskId}` : "the run"}`];
	if (usd !== null) lines.push(`money: ${formatUsd(usd.spent)} of ${formatUsd(usd.limit)}`);
	if (wall !== null) {
		const spent = formatDuration(wall.spent_ms);
		lines.push(`time: ${spent} of ${formatDuration(wall.limit_ms)}`);
	}
	return [...lines, `calls: ${calls}, of unknown cost: ${unknown}`].join("\n");
}

function verificationText(item: HumanItem): string {
	if (item.trigger !== "verification" || item.context.verification === null) return "";
	const { reasons, failing, run, output_path: output, files } = item.context.verification;
	return [
		...reasons,
		...(run === null ? [] : [`run: ${run}`]),
		...(output === null ? [] : [`output: ${output}`]),
		...failing.map(({ test, message }) => `failed: ${test}\n${message}`),
		...files.map(({ path, text }) => `--- ${path}\n${text}`),
	].join("\n");
}

function blockedText(item: HumanItem): string {
	if (item.trigger !== "player_blocked" || item.context.blocked === null) return "";
	const { what, evidence, proposal, tests } = item.context.blocked;
	return [
		what,
		...evidence.map((text) => `evidence: ${text}`),
		...(proposal === "" ? [] : [`proposal: ${proposal}`]),
		...tests.map(
			({ check, name, status, message }) =>
				`Sparring ran ${name} (${check}): ${status}${message === null ? "" : `\n${indented(message, "  ")}`}`,
		),
	].join("\n");
}

function suspicionsText({ suspicions }: Context): string {
	const texts = suspicionTexts(suspicions);
	return suspicions.map(({ text }, nth) => `${texts[nth]}\n${indented(text, "  ")}`).join("\n");
}

function answerLines(item: HumanItem, paint: Paint): string[] {
	const { answer } = item;
	if (answer === null) {
		const lines = itemOffers(item).flatMap(({ command, effect }) => [command, `    ${effect}`]);
		return section(paint, "Your choices", lines.join("\n"));
	}
	const { addUsd, addWallMs } = answer;
	const texts = [
		answer.directive,
		addUsd === undefined ? null : `added ${formatUsd(addUsd)}`,
		addWallMs === undefined ? null : `added ${formatDuration(addWallMs)}`,
		answer.notes,
		answer.reason,
	].filter((text) => text !== null);
	return section(
		paint,
		"Answer",
		[`${choiceWords(answer.choice)} at ${answer.answeredAt}`, ...texts].join("\n"),
	);
}

function conflictLines(item: HumanItem, paint: Paint, only?: string): string[] {
	return shownConflicts(item)
		.filter(({ finding }) => only === undefined || finding === only)
		.flatMap(({ finding, text }) =>
			section(paint, `Conflict over ${oneLine(finding) || "a finding"}`, text),
		);
}

/** One of the conflicts that an item asks about, by the id of its finding; `""` where it does not ask about that. */
export function renderConflict(item: HumanItem, finding: string, paint: Paint): string {
	return conflictLines(item, paint, finding).join("\n");
}

const seatOf = (seat: "player" | "coach", agent: string | null): string =>
	agent === null ? seat : seatName(seat, oneLine(agent));

/** Longest line of what is said again. In characters. */
const MAX_SHORT = 160;

function shortText(item: HumanItem): string {
	const { reviewer, developer, findings, evidence, confidence } = item.context;
	const judged = confidence?.metrics ?? [];
	const said = (seat: string, text: string): string[] =>
		text.trim() === "" ? [] : [`${seat}: ${text}`];
	return [
		...reasonParts(questionReason(item)).map(({ text }) => text),
		...findings.map((f) => `${f.id} ${f.severity} ${f.state}${placeOf(f)}: ${f.issue}`),
		...said(seatOf("coach", reviewer.agent), reviewer.rationale),
		...said(seatOf("player", developer.agent), developer.notes),
		...judged.flatMap((metric) => said(metric.evaluator_agent ?? "", metric.rationale ?? "")),
		...evidence
			.filter(({ status }) => status !== "pass")
			.map(({ check, status, said: cause, reason }) => {
				const why = withCause(cause, reason);
				return `${checkWords(check)}: ${status}${why === null ? "" : `, ${why}`}`;
			}),
	]
		.map((line) => oneLine(line, MAX_SHORT))
		.join("\n");
}

/**
 * A question with everything to decide by: why, each conflict, findings, both sides, evidence, the work, and in short what
 * it is about once more. Parts that the context lacks are left out.
 */
export function renderQuestion(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string {
	const { context } = item;
	const within = columns - 2;
	const { developer, reviewer } = context;
	return [
		`${paint("strong", item.id)}  ${ITEM_STATUS_WORDS[item.status]}  task ${item.taskId}  run ${item.runId}`,
		`about: ${TRIGGER_WORDS[item.trigger]}, since ${item.createdAt}`,
		...painted(paint, "Why you are asked", reasonText(item, paint)),
		...section(paint, "Budget", budgetText(item)),
		...section(paint, "Why the player stopped", blockedText(item)),
		...conflictLines(item, paint),
		...section(paint, "Findings", context.findings.map(findingText).join("\n")),
		...section(paint, `What ${seatOf("coach", reviewer.agent)} says`, coachText(context)),
		...section(paint, `What ${seatOf("player", developer.agent)} says`, playerText(context)),
		...section(paint, "Evidence", context.evidence.map(evidenceText).join("\n")),
		...section(paint, "Reasons", context.reasons.join("\n")),
		...section(paint, "The verifier's tests", verificationText(item)),
		...section(paint, "False claims of the player", context.false_claims.join("\n")),
		...section(paint, "Suspicions", suspicionsText(context)),
		...section(paint, "Task", context.task.description),
		...painted(paint, "Confidence", confidenceText(context, paint, within)),
		...painted(paint, "Gate", gateText(context, paint, within)),
		...section(paint, "Pair history", pairHistoryText(context.pair)),
		...section(paint, "The work", workText(item)),
		...section(paint, "In short", shortText(item)),
	].join("\n");
}

export function renderItem(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string {
	return [renderQuestion(item, paint, columns), ...answerLines(item, paint)].join("\n");
}
