import { cutTo, oneLine } from "../../git/message.ts";
import { triggerWords } from "../../human/headline.ts";
import { counted } from "../../kernel/counted.ts";
import { formatDuration } from "../../kernel/duration.ts";
import { checkWords } from "../../kernel/replayed.ts";
import { ALREADY_DONE, isDelivered } from "../../kernel/task-state.ts";
import { textAt } from "../../kernel/text-at.ts";
import type { FindingReport } from "../../review/finding-report.ts";
import type { TaskReport } from "../../view/report.ts";
import type { CheckView, DecisionView, RunView, TaskView } from "../../view/run-view.ts";
import { costText, renderCounts, suiteWorkText, suspicionText } from "../evidence-text.ts";
import { findingLife, type LifeStep } from "../finding-life.ts";
import {
	factsOfReport,
	forReaders,
	gateWords,
	isAnswered,
	type RunFacts,
	runStanding,
	taskStanding,
} from "../standing.ts";
import { choiceWords, MOVER_WORDS } from "../states.ts";
import type { Block, Cell, Inline } from "./block.ts";
import { msBetween } from "./cases.ts";

const MAX_CELL = 300;
const MAX_TEXT = 2_000;

const MAX_WORDS = 1_500;

const MAX_TITLE = 100;

const MOST = 20;

const cell = (text: string): string => cutTo(oneLine(text), MAX_CELL);
const paragraph = (...text: Inline[]): Block => ({ kind: "paragraph", text });

const taskStatus = (task: TaskReport): string => forReaders(taskStanding(task).word);

function factsOf({ run, tasks }: RunView): RunFacts {
	const reports = Object.fromEntries(tasks.map(({ id, report }) => [id, report]));
	return factsOfReport({ ...run, tasks: reports });
}

export function outlineOf(result: RunView): Block[] {
	const { run, tasks } = result;
	const stands = forReaders(runStanding(factsOf(result)).word);
	return [
		{ kind: "heading", level: 2, text: [`${oneLine(run.workflow)}: ${stands}`] },
		paragraph(...summary(result)),
		...unfinished(result),
		{
			kind: "table",
			head: ["task", "status", "turns", "gate", "merged", "open findings"],
			rows: tasks.map(({ id, report }) => [
				{ code: id },
				taskStatus(report),
				String(report.turns),
				gateWords(report),
				mergedWords(report),
				String(report.open_findings),
			]),
		},
		...tasks.flatMap(taskBlocks),
	];
}

function mergedWords(report: TaskReport): string {
	if (report.merged) return "yes";
	return isDelivered(report) ? "nothing to merge" : "no";
}

function summary({ run, created_at, ended_at }: RunView): Inline[] {
	const { usage } = run;
	const calls =
		usage.calls === 0 ? "" : `, ${counted(usage.calls, "agent call")} (${costText(usage)})`;
	const took = ended_at === null ? "" : `, ${formatDuration(msBetween(created_at, ended_at))}`;
	const ran = suiteWorkText(run.suite_work);
	const landed = run.landed ? ", landed" : "";
	return [
		"Run ",
		{ code: run.run_id },
		" on ",
		{ code: run.base },
		`${calls}${took}${landed}.${ran === "" ? "" : ` Ran: ${ran}.`}`,
	];
}

// Before anything else.
function unfinished(result: RunView): Block[] {
	const { run, tasks } = result;
	if (run.status === "running") {
		const who = run.holder === null ? "no process works on it" : `${run.holder} works on it`;
		return [paragraph({ strong: "Not the end:" }, ` the run is still running (${who}).`)];
	}
	if (run.status !== "paused_for_user_escalation") return [];
	if (isAnswered(factsOf(result))) {
		const resume = { code: `spar resume ${run.run_id}` };
		const how =
			run.shared === true
				? " the run has its answers, and a worker goes on with it; if none runs: "
				: " the run has its answers and goes on with ";
		return [paragraph({ strong: "Not the end:" }, how, resume)];
	}
	const items = tasks.flatMap(({ report }) =>
		report.human_item_answered ? [] : (report.human_item ?? []),
	);
	const named = items.flatMap((item): Inline[] => [" ", { code: `spar questions ${item}` }]);
	return [paragraph({ strong: "Not the end:" }, " the run waits for a person:", ...named)];
}

function taskBlocks(task: TaskView): Block[] {
	const { id, report } = task;
	const title = cutTo(oneLine(task.title), MAX_TITLE);
	const isCut = title !== oneLine(task.title);
	const whole = isCut ? `${task.title} ${task.description}` : task.description;
	const text = cutTo(oneLine(whole), MAX_TEXT);
	const reason = report.failure_reason;
	return [
		{ kind: "heading", level: 3, text: [{ code: id }, " ", title] },
		...(text === "" ? [] : [paragraph(text)]),
		paragraph(...seats(task)),
		...(reason === null
			? []
			: [paragraph({ strong: "Why:" }, ` ${cutTo(oneLine(reason), MAX_TEXT)}`)]),
		...criteriaBlocks(task),
		...evidenceBlocks(task),
		...findingBlocks(task),
		...noteBlocks(task),
		...decisionBlocks(task.decisions),
	];
}

function seats({ report, player, coach, review }: TaskView): Inline[] {
	const merged = report.merged_commit?.slice(0, 12) ?? "";
	return [
		`${taskStatus(report)} after ${counted(report.turns, "turn")}`,
		...(player === null ? [] : [`, player ${oneLine(player)}`]),
		...(coach === null ? [] : [`, coach ${oneLine(coach)}`]),
		...(report.merged && merged !== "" ? [", merged as ", { code: merged }] : []),
		...(report.flags.includes(ALREADY_DONE)
			? [", nothing to merge: the work was there already"]
			: []),
		...(review === null
			? []
			: [`. The review: ${review.decision}: ${cutTo(oneLine(review.rationale), MAX_TEXT)}`]),
	];
}

const heading = (text: string): Block => ({ kind: "heading", level: 4, text: [text] });

function criteriaBlocks({ criteria }: TaskView): Block[] {
	if (criteria.length === 0) return [];
	const rows = criteria.map(({ criterion, status, evidence, tests }): Cell[] => [
		cell(criterion),
		status === "unmet" ? { strong: "not met" } : status === "unjudged" ? "not judged" : status,
		cell([evidence ?? "", tests.join(", ")].filter((part) => part !== "").join("; ")),
	]);
	return [
		heading("Criteria"),
		{ kind: "table", head: ["criterion", "the coach says", "shown by"], rows },
	];
}

function evidenceBlocks({ evidence, report: { merged } }: TaskView): Block[] {
	if (evidence.length === 0) return [];
	const isMerged = merged && evidence.some(({ purpose }) => purpose === "assembled");
	return [
		heading(isMerged ? "Evidence on the merged tree" : "Evidence of the last turn"),
		{
			kind: "table",
			head: ["check", "kind", "result", "details"],
			rows: evidence.map((piece) => [
				cell(piece.label ?? checkWords(piece.check)),
				piece.kind,
				piece.status === "pass" ? "pass" : { strong: piece.status },
				cell(evidenceText(piece)),
			]),
		},
	];
}

function evidenceText({ counts, reason, status, details }: CheckView): string {
	const shown = status === "pass" ? [] : details.slice(0, 3);
	return [renderCounts(counts), reason ?? "", ...shown].filter((part) => part !== "").join("; ");
}

function findingBlocks({ findings }: TaskView): Block[] {
	if (findings.length === 0) return [];
	const rows = findings.map((finding): Cell[] => [
		finding.id,
		finding.severity,
		findingOutcome(finding),
		finding.file === null ? "" : { code: cell(textAt(finding)) },
		cell(finding.issue),
	]);
	const told = findings.filter(
		(finding) => finding.suggestion !== null || findingLife(finding).some(saysSomething),
	);
	const head = ["id", "severity", "outcome", "place", "finding"];
	return [
		heading("Findings"),
		{ kind: "table", head, rows },
		...(told.length === 0
			? []
			: [
					{
						kind: "details" as const,
						summary: `Suggestions and answers (${counted(told.length, "finding")})`,
						blocks: told.flatMap(lifeBlocks),
					},
				]),
	];
}

function findingOutcome(finding: FindingReport): Cell {
	const { state, ruling, blocking } = finding;
	const by = ruling === null ? "" : ` by ${MOVER_WORDS[ruling.by]}`;
	if (state === "overruled") return `overruled${by}`;
	return blocking ? { strong: `${state}, blocking` } : state;
}

const saysSomething = ({ text }: LifeStep): boolean => text !== null;

function lifeBlocks(finding: FindingReport): Block[] {
	const { id, suggestion } = finding;
	const items = findingLife(finding)
		.filter(saysSomething)
		.map(({ when, what, text, evidence }) => {
			const shown = evidence === null ? "" : ` Evidence: ${evidence}`;
			return cutTo(oneLine(`${when}${what}: ${text ?? ""}${shown}`), MAX_WORDS);
		});
	const advice =
		suggestion === null ? [] : [cutTo(oneLine(`suggestion: ${suggestion}`), MAX_WORDS)];
	return [paragraph({ strong: id }), { kind: "list", items: [...advice, ...items] }];
}

function noteBlocks({ report, gate }: TaskView): Block[] {
	const { verification_result: verified, mutation, not_counted, concerns, false_claims } = report;
	const notes: Cell[] = [
		...(verified === null || (verified.verdict === "skipped" && !verified.required)
			? []
			: [`independent verification: ${verified.verdict}${after(verified.reasons.join("; "))}`]),
		...(gate === null ? [] : [`gate ${gate.risk_tier}: ${gate.verdict}${after(gate.rule)}`]),
		...(gate?.allowed ?? []).map(
			({ path, change, reason }) => `allowed: ${change} of ${path}${after(reason)}`,
		),
		...(gate?.suspicions ?? []).map((one) => `suspicion ${suspicionText(one)}`),
		...not_counted,
		...(mutation === null
			? []
			: [
					`mutants of the changed lines: ${mutation.detected} noticed by a test, ${mutation.undetected} by none`,
					...mutation.survivors.map(
						({ file, line, old, new: fresh }) => `unnoticed: ${file}:${line}: ${old} -> ${fresh}`,
					),
				]),
		...false_claims.map((claim) => `false claim: ${claim}`),
		...concerns.map((concern) => `the player is unsure: ${concern}`),
	];
	if (notes.length === 0) return [];
	return [heading("Gate and notes"), { kind: "list", items: notes.slice(0, 2 * MOST).map(short) }];
}

const short = (note: Cell): Cell => (typeof note === "string" ? cell(note) : note);
const after = (text: string): string => (text === "" ? "" : `: ${text}`);

function decisionBlocks(decisions: readonly DecisionView[]): Block[] {
	if (decisions.length === 0) return [];
	const items = decisions.slice(-MOST).map(({ trigger, choice, finding, words }) => {
		const about = finding === null ? "" : ` (${finding})`;
		const what = `${triggerWords(trigger)}${about}: ${choiceWords(choice)}`;
		return cell(`${what}${after(words ?? "")}`);
	});
	return [heading("Decided by a person"), { kind: "list", items }];
}
