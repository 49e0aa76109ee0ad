import { counted } from "../kernel/counted.ts";
import { leftWorkLines } from "../kernel/left-work.ts";
import {
	choiceWords,
	itemStatusWords,
	ROUTE_WORDS,
	RUN_STATUS_WORDS,
	seatName,
	TASK_STATUS_WORDS,
	triggerWords,
} from "../words/states.ts";
import { oneLine } from "../words/visible-text.ts";
import { otherAgents } from "./other-agents.ts";
import type { Paint, Tone } from "./paint.ts";
import { reasonLine } from "./reason-line.ts";
import { renderAdded, renderWarning } from "./render-budget-event.ts";
import { renderCheckName, withCause } from "./render-check-name.ts";
import { renderChoices, renderSettlement } from "./render-conflict-event.ts";
import { renderCounts } from "./render-counts.ts";
import { doesNotMerge } from "./render-forecast.ts";
import { renderFindingChange, renderVerdict } from "./render-judgement-event.ts";
import { renderLoss } from "./render-loss.ts";
import { renderMutants } from "./render-mutants.ts";
import { renderScore, renderSwitch } from "./render-score-event.ts";
import { suspicionTexts } from "./render-suspicions.ts";
import { renderKnownCost } from "./render-usage.ts";
import { renderRetrying, renderWait } from "./render-wait.ts";
import { byEvent, type EventTable, type EventTexts, type RunEvent } from "./run-event.ts";
import { wallTexts } from "./wall-texts.ts";

/** The reason of an event; null where it has none. */
type EndReason = Pick<Extract<RunEvent, { type: "task-ended" }>["data"], "reason" | "conflicts">;

/** More tasks are not named at the start of their run. */
const MOST_NAMED = 12;

const silent = (): undefined => undefined;
/** The first call of a turn needs no number. */
const nth = (call: number): string => (call === 1 ? "" : `, call ${call}`);
const short = (commit: string): string => commit.slice(0, 10);
const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)}s`;
const because = (reason: string | null): string =>
	reason === null || reason === "" ? "" : `: ${oneLine(reason, 200)}`;
/** Likewise, for a reason that may be about conflicts. */
const becauseOf = ({ reason, conflicts }: EndReason): string => {
	if (reason === null || reason === "") return "";
	return `: ${reasonLine(conflicts === undefined ? { reason } : { reason, conflicts })}`;
};
const listed = (texts: readonly string[]): string =>
	texts.length === 0 ? "" : `: ${oneLine(texts.join("; "), 400)}`;

/** What is worth a line while a run goes on; events without a text say nothing new to a person. */
const LINES: EventTexts = {
	"run-started": ({ workflow, base, base_commit, tasks }, { run }) =>
		`run ${run} of ${workflow} on ${base} (${short(base_commit)}): ${
			tasks.length > MOST_NAMED ? counted(tasks.length, "task") : tasks.join(", ")
		}`,
	"run-resumed": ({ owner: _owner, ...agents }, { run }) =>
		`run ${run} goes on${otherAgents(agents)}`,
	"run-cancelled": ({ by }, { run }) => `run ${run} is cancelled by ${oneLine(by)}`,
	// It is told as notices, in the error, or in the question.
	"preflight-ended": silent,
	"run-ended": ({ status }, { run }) => `run ${run}: ${RUN_STATUS_WORDS[status]}`,
	"base-merged": ({ base, into, commit }) => `merged ${base} into ${into} (${short(commit)})`,
	"landing-refused": ({ branch, reason }) => `not landed on ${branch}: ${oneLine(reason, 2_000)}`,
	"run-landed": ({ branch, commit }) => `landed on ${branch} (${short(commit)})`,
	"task-started": ({ bound, player, coach }) =>
		`started, at most ${counted(bound, "turn")}, player ${player}, ${coach === null ? "no coach" : `coach ${coach}`}`,
	"task-reopened": ({ bound }) => `reopened, at most ${counted(bound, "turn")}`,
	"task-stopped": ({ message, others_go_on: go = false }) =>
		`stopped: ${oneLine(message)}${go ? ". The other tasks go on" : ""}`,
	"task-ended": ({ status, turns, ...why }) =>
		`${TASK_STATUS_WORDS[status]}${turns === 0 ? "" : ` after ${counted(turns, "turn")}`}${becauseOf(why)}`,
	"turns-lost": renderLoss,
	"node-entered": silent,
	"node-left": silent,
	"setup-ran": ({ checkout, status, reason, said }) =>
		status === "pass"
			? undefined
			: `setup of the ${checkout} checkout: ${status}${because(withCause(said, reason))}`,
	"setup-copied": silent,
	"call-queued": renderWait,
	"call-retrying": renderRetrying,
	"agent-called": ({ role, agent, call }) => {
		if (call > 1) return `${seatName(role, agent)} is called again (call ${call})`;
		// The turn's own lines tell of any other first call.
		return role === "planner" ? `${seatName(role, agent)} reads the requirements` : undefined;
	},
	"agent-answered": ({ role, agent, call, ms, usage }) =>
		`${seatName(role, agent)} answered${nth(call)} (${seconds(ms)}${renderKnownCost(usage)})`,
	"agent-failed": ({ role, agent, failure, message }) =>
		`${seatName(role, agent)} failed (${failure.replaceAll("_", " ")}): ${oneLine(message)}`,
	"work-lost": ({ role, agent, reason }) =>
		`the work of ${seatName(role, agent)} is lost: ${reason}; the call is made again`,
	"agent-replaced": ({ role, agent, fallback, why }) =>
		`${seatName(role, agent)} is replaced by ${fallback} (${why})`,
	"report-rejected": ({ role, agent, call, reason }) =>
		`${seatName(role, agent)}: the report of call ${call} cannot be used: ${oneLine(reason)}`,
	"player-reported": ({ concerns }) =>
		concerns.length === 0 ? undefined : `the player is unsure${listed(concerns)}`,
	"player-blocked": ({ what }) =>
		what === "" ? undefined : `the player stopped: ${oneLine(what, 400)}`,
	"snapshot-taken": ({ changed, empty }) =>
		empty ? "the player changed nothing" : `${counted(changed, "file")} changed`,
	"work-left": ({ work }) =>
		`the player left work in its checkout's own repository; the run keeps it${listed(leftWorkLines(work))}`,
	"check-ran": ({ purpose, status, reason, said, counts, mutants, ...ran }) => {
		const cases = renderCounts(counts);
		const where = purpose === "turn" ? "" : ` (${purpose})`;
		const killed = mutants === undefined ? "" : `, ${renderMutants(mutants)}`;
		return `${renderCheckName(ran)}${where}: ${status}${cases === "" ? "" : `, ${cases}`}${killed}${because(withCause(said, reason))}`;
	},
	"phase-changed": silent,
	"tests-taken": ({ files, left }) =>
		`the verifier wrote ${counted(files.length, "test file")}${left.length === 0 ? "" : `; not taken: ${oneLine(left.join(", "), 200)}`}`,
	"verification-ran": ({ place, status, problem }) =>
		`the verifier's tests (${place}): ${status === "none" ? (problem ?? "") : status}`,
	"verification-decided": ({ verdict, required, reasons }) =>
		required ? `verification ${verdict}${listed(reasons)}` : undefined,
	"integrity-checked": ({ status, ...found }) => {
		const told = wallTexts(found);
		return status === "pass" && told.length === 0
			? undefined
			: `integrity: ${status}${listed(told)}`;
	},
	"suspicions-answered": ({ suspicions }) => `suspicions${listed(suspicionTexts(suspicions))}`,
	"replay-planned": ({ purpose, differs, restored, left_out: leftOut }) => {
		if (differs === "none") return undefined;
		const where = purpose === "turn" ? "" : ` (${purpose})`;
		const out = leftOut.length === 0 ? "" : `, ${leftOut.length} left out`;
		return `replaying the tests of the base${where}: ${counted(restored.length, "file")} put back${out}`;
	},
	"claims-compared": ({ discrepancies }) =>
		discrepancies.length === 0
			? undefined
			: `the player's report is not borne out${listed(discrepancies)}`,
	"turn-judged": renderVerdict,
	"confidence-scored": renderScore,
	"gate-evaluated": ({ verdict, rule, risk_tier }) =>
		`gate ${risk_tier} ${verdict}: ${oneLine(rule)}`,
	// At a limit, and before a person is asked, the next line says why.
	"turn-routed": ({ route, ...why }) =>
		route === "approve" || route === "feedback"
			? `next: ${ROUTE_WORDS[route]}${becauseOf(why)}`
			: undefined,
	"subtask-completed": ({ subtask }) => `subtask ${subtask} is done`,
	"seats-switched": renderSwitch,
	"review-decided": ({ decision, rationale }) => `review: ${decision}${because(rationale)}`,
	"finding-changed": renderFindingChange,
	"finding-ignored": ({ finding, reason }) =>
		`${oneLine(finding)} is raised again and stays closed${because(reason)}`,
	"dispute-ignored": ({ finding, reason }) =>
		`the dispute of ${oneLine(finding)} has no effect${because(reason)}`,
	"conflict-detected": ({ finding, attempt, upheld_by: upholder = "coach" }) =>
		`conflict over ${oneLine(finding)}: the player disputes it, the ${upholder} upholds it (attempt ${attempt})`,
	"conflict-resolved": (data) => renderSettlement(data, 200),
	// The settlement says it already, and the question that follows says how to answer.
	"orchestrator:conflict:escalation": silent,
	PAUSED_FOR_USER_ESCALATION: ({ reason }) =>
		`paused for a person to settle a conflict${because(reason)}`,
	"item-opened": ({ item, trigger, ...why }) =>
		`waiting for a person: ${item} (${triggerWords(trigger)}): ${reasonLine(why)}; ` +
		`see your choices with: spar hil show ${item}`,
	"person-notified": ({ item, target, outcome, reason }) =>
		outcome === "sent"
			? `told of ${item ?? "the run"}: ${oneLine(target)}`
			: `not told of ${item ?? "the run"}: ${oneLine(target)} failed${because(reason)}`,
	"item-answered": ({ item, status, choice, findings, added }) =>
		`${item} ${itemStatusWords(status)}${choice === null ? "" : ` (${choiceWords(choice)})`}${renderChoices(findings)}${renderAdded(added)}`,
	"budget-warned": renderWarning,
	"merge-forecast": ({ clean, conflicts, against }) =>
		clean ? undefined : `${doesNotMerge(against)}${listed(conflicts)}`,
	"tests-left-out": ({ files }) =>
		`the verifier's tests do not land where another task's stand${listed(files)}`,
	"merge-refused": ({ reason }) => `not merged: ${oneLine(reason)}`,
	"task-merged": ({ commit, into }) => `merged into ${into} (${short(commit)})`,
};

const GOOD = new Set(["pass", "PASS", "completed"]);
const BAD = new Set(["fail", "FAIL", "error", "failed", "blocked", "cancelled"]);

const FINDING_TONES: Readonly<Record<string, Tone>> = {
	open: "attention",
	reopened: "attention",
	disputed: "attention",
	upheld: "attention",
	fixed: "good",
};

const toneOfWord = (word: string): Tone | undefined => {
	if (GOOD.has(word)) return "good";
	return BAD.has(word) ? "bad" : undefined;
};

const TONES: EventTable<Tone | undefined> = {
	"check-ran": ({ status }) => toneOfWord(status),
	"integrity-checked": ({ status }) => toneOfWord(status),
	"task-stopped": () => "bad",
	"task-ended": ({ status }) => toneOfWord(status),
	"verification-decided": ({ verdict }) => toneOfWord(verdict === "passed" ? "pass" : verdict),
	"turn-judged": ({ effective }) => (effective === "approve" ? "good" : "attention"),
	"confidence-scored": ({ warnings }) => (warnings.length === 0 ? undefined : "attention"),
	"gate-evaluated": ({ verdict }) => toneOfWord(verdict),
	"review-decided": ({ decision }) => (decision === "approve" ? "good" : "attention"),
	"finding-changed": ({ state }) => FINDING_TONES[state],
	"finding-ignored": () => "attention",
	"dispute-ignored": () => "attention",
	"conflict-resolved": ({ resolution }) => (resolution === "ESCALATE" ? "attention" : undefined),
	PAUSED_FOR_USER_ESCALATION: () => "attention",
	"person-notified": ({ outcome }) => (outcome === "sent" ? undefined : "attention"),
	"task-merged": () => "good",
	"run-landed": () => "good",
	"landing-refused": () => "bad",
	"agent-failed": () => "bad",
	"budget-warned": () => "attention",
	"report-rejected": () => "bad",
	"merge-refused": () => "bad",
	"item-opened": () => "attention",
	"work-left": () => "attention",
};

/** What an event says, without the name of its task; undefined when it is not worth a line. */
export function eventText(event: RunEvent): string | undefined {
	return byEvent(LINES, event);
}

/**
 * One line about an event, without its line end; undefined when the event is not worth one.
 *
 * @param margin where the text of an event of a task begins at the earliest, so that mixed lines of several tasks can be
 * read
 * @example a passed check of turn 2 gives `"limiter, turn 2: check tests: pass, 12 of 12 passed"`
 */
export function renderLine(event: RunEvent, paint: Paint, margin: number = 0): string | undefined {
	const text = eventText(event);
	if (text === undefined) return undefined;
	const tone = byEvent(TONES, event);
	const line = tone === undefined ? text : paint(tone, text);
	if (event.task === null) return line;
	const turn = event.turn === null || event.turn === 0 ? "" : `, turn ${event.turn}`;
	const blanks = " ".repeat(Math.max(0, margin - `${event.task}${turn}: `.length));
	return `${paint("strong", event.task)}${turn}: ${blanks}${line}`;
}
