import { conflictsInQuestion } from "../../human/conflicts-in-question.ts";
import { TRIGGER_WORDS } from "../../human/headline.ts";
import type { HumanItem } from "../../human/human-item.ts";
import type { WorkInQuestion } from "../../human/question.ts";
import { questionReason, reasonParts } from "../../human/reason.ts";
import { counted } from "../../kernel/counted.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { formatUsd } from "../../kernel/money.ts";
import { checkWords } from "../../kernel/replayed.ts";
import { textAt } from "../../kernel/text-at.ts";
import { indented, oneLine, visibleText } from "../../kernel/visible-text.ts";
import { itemDetailJson } from "../../view/item-json.ts";
import { renderCounts, withCause } from "../../words/evidence-text.ts";
import { itemOffers } from "../../words/item-offers.ts";
import { type ItemPart, itemOutline, type Note, seatOf } from "../../words/item-outline.ts";
import { choiceWords, ITEM_STATUS_WORDS } from "../../words/states.ts";
import { cutWords } from "./cut-words.ts";
import type { Paint } from "./paint.ts";
import { metricsText, renderGateReport, shareText, warningLines } from "./render-gate-report.ts";
import { UNLIMITED } from "./table.ts";

const section = (paint: Paint, title: string, text: string): string[] =>
	text.trim() === "" ? [] : [`\n${paint("strong", title)}`, indented(text, "  ")];

// Of a text whose parts are visible and painted already.
const painted = (paint: Paint, title: string, text: string): string[] =>
	text === "" ? [] : [`\n${paint("strong", title)}`, text.replaceAll(/^(?=.)/gm, "  ")];

function evidenceText(evidence: WorkInQuestion["evidence"][number]): string {
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

function reasonText(item: HumanItem, paint: Paint): string {
	return reasonParts(questionReason(item))
		.map(({ text, isCritical }) => {
			const shown = visibleText(text.trim());
			return isCritical ? paint("bad", shown) : shown;
		})
		.join("\n");
}

function gateText(
	{ gate, gate_report: report }: WorkInQuestion,
	paint: Paint,
	columns: number,
): string {
	const shown = report ?? gate;
	return shown === null ? "" : renderGateReport(shown, paint, columns);
}

// Without what the gate's report shows already.
function confidenceText(
	{ confidence, gate_report: gate }: WorkInQuestion,
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

function noteText({ from, words = [], place, text = "", output, below = [] }: Note): string {
	const at = place === undefined ? "" : textAt(place);
	const head = [from, ...words, at === "" ? "" : `(${at})`].filter(Boolean).join(" ");
	const said = visibleText(text.trim());
	const isBelow = head !== "" && said.includes("\n");
	return [
		head === "" || said === "" || isBelow
			? `${visibleText(head)}${isBelow ? ":" : ""}${isBelow ? "" : said}`
			: `${visibleText(head)}: ${said}`,
		...[isBelow ? said : "", output ?? "", ...below.map(noteText)]
			.filter((line) => line.trim() !== "")
			.map((line) => indented(line, "  ")),
	].join("\n");
}

const partLines = (paint: Paint, { title, notes }: ItemPart): string[] =>
	section(paint, title, notes.map(noteText).join("\n"));

const outlined = (item: HumanItem) => {
	const { task_id, answers } = itemDetailJson(item);
	return { ...item, task_id, answers };
};

function answerLines(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string[] {
	const { answer } = item;
	if (answer === null) {
		const lines = itemOffers(item).flatMap(({ command, effect }) => [
			command,
			cutWords(`    ${effect}`, columns - 2),
		]);
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

export function renderConflict(item: HumanItem, asked: string, paint: Paint): string {
	return itemOutline(outlined(item))
		.filter(({ finding }) => finding === asked)
		.flatMap((part) => partLines(paint, part))
		.join("\n");
}

const MAX_SHORT = 160;

// Of several conflicts the first that waits.
function sides(item: HumanItem): readonly string[] {
	const [asked] = conflictsInQuestion(item)?.unanswered ?? [];
	const conflicts = item.trigger === "conflict" ? item.context.conflicts : [];
	const conflict = conflicts.find(({ finding }) => finding === asked);
	const { reviewer, developer } = item.context;
	if (conflict === undefined)
		return [
			...said(seatOf("coach", reviewer.agent), reviewer.rationale),
			...said(seatOf("player", developer.agent), developer.notes),
		];
	const { issue, rationale } = conflict.reviewer;
	return [
		...said(`${conflict.finding}, ${seatOf("coach", reviewer.agent)}`, issue),
		...said(seatOf("player", developer.agent), conflict.developer.reason),
		...said(seatOf("coach", reviewer.agent), rationale),
	];
}

const said = (seat: string, text: string): string[] =>
	text.trim() === "" ? [] : [`${seat}: ${text}`];

function shortLines(item: HumanItem): string[] {
	const { findings, evidence, confidence } = item.context;
	const judged = confidence?.metrics ?? [];
	return [
		...reasonParts(questionReason(item)).map(({ text }) => text),
		...sides(item),
		...findings.map(
			(f) =>
				`${f.id} ${f.severity} ${f.state}${f.file === null ? "" : ` (${textAt(f)})`}: ${f.issue}`,
		),
		...judged.flatMap((metric) => said(metric.evaluator_agent ?? "", metric.rationale ?? "")),
		...evidence
			.filter(({ status }) => status !== "pass")
			.map(({ check, status, said: cause, reason }) => {
				const why = withCause(cause, reason);
				return `${checkWords(check)}: ${status}${why === null ? "" : `, ${why}`}`;
			}),
	].map((line) => oneLine(line, MAX_SHORT));
}

// With the choices it leaves room on 24 rows of 80 columns.
const MOST_LINES = 4;

/** The question in few rows: the reason, both sides, what is open. */
export function renderBrief(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string {
	const [first = "", ...others] = shortLines(item);
	const shown = others.slice(0, MOST_LINES).map((line) => cutWords(`  ${line}`, columns));
	const more = others.length - shown.length;
	return [
		`${paint("strong", item.id)}  task ${item.taskId}: ${TRIGGER_WORDS[item.trigger]}`,
		`  ${first}`,
		...shown,
		...(more > 0 ? [paint("quiet", `  and ${counted(more, "more line")}`)] : []),
	].join("\n");
}

/** The same with the commands that answer it. */
export function renderBriefItem(item: HumanItem, paint: Paint, columns?: number): string {
	const all = `\nall that is known: spar questions ${item.id} --all`;
	return [renderBrief(item, paint, columns), ...answerLines(item, paint, columns), all].join("\n");
}

export function renderQuestion(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string {
	const { context } = item;
	const within = columns - 2;
	return [
		`${paint("strong", item.id)}  ${ITEM_STATUS_WORDS[item.status]}  task ${item.taskId}  run ${item.runId}`,
		`about: ${TRIGGER_WORDS[item.trigger]}, since ${item.createdAt}`,
		...painted(paint, "Why you are asked", reasonText(item, paint)),
		...itemOutline(outlined(item)).flatMap((part) => partLines(paint, part)),
		...section(paint, "Evidence", context.evidence.map(evidenceText).join("\n")),
		...section(paint, "Task", context.task.description),
		...painted(paint, "Confidence", confidenceText(context, paint, within)),
		...painted(paint, "Gate", gateText(context, paint, within)),
		...section(paint, "The work", workText(item)),
		...section(paint, "In short", shortLines(item).join("\n")),
	].join("\n");
}

export function renderItem(item: HumanItem, paint: Paint, columns: number = UNLIMITED): string {
	return [renderQuestion(item, paint, columns), ...answerLines(item, paint)].join("\n");
}
