import type { TraceFile } from "../app/sparring.ts";
import { taskWords } from "../app/status-words.ts";
import { reasonParts } from "../human/reason.ts";
import { counted } from "../kernel/counted.ts";
import { formatDuration } from "../kernel/duration.ts";
import { leftWorkLines } from "../kernel/left-work.ts";
import { isDelivered } from "../kernel/task-state.ts";
import {
	choiceWords,
	flagWords,
	itemStatusWords,
	PHASE_WORDS,
	ROUTE_WORDS,
	RUN_STATUS_WORDS,
	seatName,
	TASK_STATUS_WORDS,
	triggerWords,
} from "../words/states.ts";
import { oneLine } from "../words/visible-text.ts";
import { otherAgents } from "./other-agents.ts";
import type { Paint } from "./paint.ts";
import { renderAttempts, renderUntried } from "./render-attempts.ts";
import { renderAdded, renderWarning } from "./render-budget-event.ts";
import { renderCheckName, withCause } from "./render-check-name.ts";
import {
	renderBlocked,
	renderComparedClaims,
	renderPlayerReport,
	renderStatements,
} from "./render-claims.ts";
import { renderArgument, renderChoices, renderSettlement } from "./render-conflict-event.ts";
import { renderCounts } from "./render-counts.ts";
import { doesNotMerge } from "./render-forecast.ts";
import { renderLoss } from "./render-loss.ts";
import { renderMutants, renderSurvivor } from "./render-mutants.ts";
import { preflightProblem } from "./render-preflight.ts";
import { renderScoreParts, renderSwitch } from "./render-score-event.ts";
import { suspicionTexts } from "./render-suspicions.ts";
import { renderCallUsage } from "./render-usage.ts";
import { renderRetrying, renderWait } from "./render-wait.ts";
import { byEvent, type EventTexts, type RunEvent } from "./run-event.ts";
import { type TraceStep, traceSteps } from "./trace-steps.ts";
import { wallTexts } from "./wall-texts.ts";

type ConflictsReason = NonNullable<Extract<RunEvent, { type: "item-opened" }>["data"]["conflicts"]>;

const LIMIT = 1_000;
/** Sparring's own checks are named by their kind. */
const kindBeside = (kind: string, check: string): string =>
	check === kind || check.startsWith(`${kind}:`) ? "" : `${kind}, `;
const bullets = (texts: readonly string[]): string =>
	texts.map((text) => `\n  - ${oneLine(text, LIMIT)}`).join("");
/** Several conflicts are a list, any other reason stands behind what it explains. */
const because = (reason: string | null, conflicts?: ConflictsReason): string => {
	if (reason === null || reason === "") return "";
	const parts = conflicts === undefined ? [] : reasonParts({ reason, conflicts });
	return parts.length > 1 ? bullets(parts.map(({ text }) => text)) : `: ${oneLine(reason, LIMIT)}`;
};
const took = (ms: number): string => ` (${formatDuration(ms)})`;
const printed = (length: number): string =>
	length === 0 ? "" : `, ${length} characters of output`;
const callTook = (ms: number, usage: unknown): string =>
	` (${formatDuration(ms)}${renderCallUsage(usage)})`;

/** Every event is told: a trace leaves nothing out. */
const TEXTS: EventTexts = {
	"run-started": ({ workflow, base, base_commit, branch }) =>
		`run of ${workflow} on ${base} at ${base_commit}, branch ${branch}`,
	"run-resumed": ({ owner, ...agents }) => `resumed by ${owner}${otherAgents(agents)}`,
	"run-cancelled": ({ by }) => `cancelled by ${oneLine(by)}`,
	"run-ended": ({ status }) => `run ended: ${RUN_STATUS_WORDS[status]}`,
	"preflight-ended": ({ outcome, problems }) => {
		const texts = problems.map((problem) => preflightProblem(problem, LIMIT));
		return `preflight: ${outcome === "stopped" ? "stopped" : "went on"}${bullets(texts)}`;
	},
	"base-merged": ({ base, into, commit }) => `merged ${base} into ${into} at ${commit}`,
	"landing-refused": ({ branch, reason }) => `not landed on ${branch}: ${oneLine(reason, LIMIT)}`,
	"run-landed": ({ branch, commit }) => `landed on ${branch} at ${commit}`,
	"task-started": ({ branch, start_commit, bound, player, coach, checkout }) =>
		`started at ${start_commit} on ${branch}: player ${player}, coach ${coach ?? "none"}, at most ${counted(bound, "turn")}${
			checkout === null ? "" : `\n  checkout: ${oneLine(checkout, LIMIT)}`
		}`,
	"task-reopened": ({ bound }) => `reopened, at most ${counted(bound, "turn")}`,
	"task-stopped": ({ code, message, hint }) =>
		`stopped by an error${code === null ? "" : ` (${code})`}: ${oneLine(message, LIMIT)}${hint === null ? "" : `\n  ${oneLine(hint, LIMIT)}`}`,
	"task-ended": ({ status, reason, conflicts, turns, merged, flags, checkout }) =>
		`${TASK_STATUS_WORDS[status]} after ${counted(turns, "turn")}, ${merged ? "merged" : isDelivered({ merged, flags }) ? "nothing to merge" : "not merged"}${
			flags.length === 0 ? "" : `, flags ${flags.map(flagWords).join(", ")}`
		}${because(reason, conflicts)}${
			checkout === null ? "" : `\n  its checkout was kept: ${oneLine(checkout, LIMIT)}`
		}`,
	"node-entered": () => undefined,
	"node-left": () => undefined,
	"setup-ran": ({ checkout, status, ms, reason, said }) =>
		`setup of the ${checkout} checkout: ${status}${took(ms)}${because(withCause(said, reason))}`,
	"setup-copied": ({ checkout, ms }) => `setup of the ${checkout} checkout: copied${took(ms)}`,
	"call-queued": renderWait,
	"call-retrying": renderRetrying,
	"agent-called": ({ role, agent, call }) => `${seatName(role, agent)} called (call ${call})`,
	"agent-answered": ({ role, agent, ms, output_length, transcript, usage }) =>
		`${seatName(role, agent)} answered${callTook(ms, usage)}${printed(output_length)}${transcript === null ? "" : `, transcript ${oneLine(transcript)}`}`,
	"agent-failed": ({ role, agent, failure, message, ms, output_length, usage }) =>
		`${seatName(role, agent)} failed, ${failure.replaceAll("_", " ")}${callTook(ms, usage)}${printed(output_length)}${because(message)}`,
	"turns-lost": renderLoss,
	"work-lost": ({ role, agent, call, reason }) =>
		`${seatName(role, agent)}, call ${call}: its work is lost (${reason}); the call is made again`,
	"agent-replaced": ({ role, agent, fallback, why }) =>
		`${seatName(role, agent)} is replaced by ${fallback} (${why})`,
	"report-rejected": ({ role, agent, call, reason }) =>
		`report of ${seatName(role, agent)} (call ${call}) rejected${because(reason)}`,
	"player-reported": renderPlayerReport,
	"player-blocked": renderBlocked,
	"snapshot-taken": ({ commit, tree, changed, empty }) =>
		empty
			? `snapshot ${commit}: nothing changed, tree ${tree}`
			: `snapshot ${commit}: ${counted(changed, "file")} changed, tree ${tree}`,
	"work-left": ({ work }) =>
		`work left in the checkout's own repository${bullets(leftWorkLines(work))}`,
	"check-ran": ({ kind, purpose, status, reason, said, ms, counts, mutants, ...ran }) => {
		const cases = renderCounts(counts);
		const killed = mutants === undefined ? "" : `, ${renderMutants(mutants)}`;
		const survived = bullets((mutants?.survivors ?? []).map(renderSurvivor));
		return `${renderCheckName(ran)} (${kindBeside(kind, ran.check)}${purpose}): ${status}${cases === "" ? "" : `, ${cases}`}${killed}${took(ms)}${because(withCause(said, reason))}${survived}`;
	},
	"phase-changed": ({ from, to }) =>
		PHASE_WORDS[from] === PHASE_WORDS[to]
			? undefined
			: `phase: ${PHASE_WORDS[from]} -> ${PHASE_WORDS[to]}`,
	"tests-taken": ({ call, files, left }) =>
		`tests taken from the verifier's call ${call}${bullets(files)}${left.length === 0 ? "" : `\n  not taken:${bullets(left)}`}`,
	"verification-ran": ({ suite, place, status, problem, ms, cases }) =>
		`tests ${suite} on the ${place}: ${problem ?? status}${cases === null ? "" : `, ${cases} ran`}${took(ms)}`,
	"verification-decided": ({ verdict, reasons, tests, attempts }) =>
		`verification: ${verdict}${attempts === 0 ? "" : `, attempt ${attempts}`}${bullets(reasons)}${bullets(tests.map(({ name, status }) => `${status}: ${name}`))}`,
	"integrity-checked": ({ status, ...found }) => `integrity: ${status}${bullets(wallTexts(found))}`,
	"suspicions-answered": ({ suspicions }) => `suspicions:${bullets(suspicionTexts(suspicions))}`,
	"replay-planned": ({ purpose, differs, restored, left_out: leftOut }) =>
		differs === "none"
			? `no file of the tests differs, so the run of the checks (${purpose}) is the replay`
			: `replay of the base's tests (${purpose})${bullets([...restored.map((file) => `put back: ${file}`), ...leftOut.map((file) => `left out: ${file}`)])}`,
	"claims-compared": renderComparedClaims,
	"turn-judged": ({ raw, effective, reasons, rationale, attempts, criteria }) =>
		[
			`verdict: ${effective ?? "none"}${raw === effective ? renderUntried(raw, attempts) : ` (the coach said ${raw ?? "nothing"}${renderUntried(raw, attempts)})`}${bullets(reasons)}`,
			...(rationale === "" ? [] : [`  rationale: ${oneLine(rationale, LIMIT)}`]),
			...renderStatements(criteria ?? []),
			...renderAttempts(attempts ?? [], LIMIT).map((attempt) => `  tried ${attempt}`),
		].join("\n"),
	"confidence-scored": (data) => {
		const { line, parts } = renderScoreParts(data);
		return [`${line}${bullets(parts)}`, ...renderStatements(data.criteria ?? [])].join("\n");
	},
	"gate-evaluated": ({ verdict, rule, risk_tier }) =>
		`gate ${risk_tier}: ${verdict}${because(rule)}`,
	"turn-routed": ({ route, reason, conflicts }) =>
		`route: ${ROUTE_WORDS[route]}${because(reason, conflicts)}`,
	"subtask-completed": ({ subtask, turn }) => `subtask ${subtask} is done in turn ${turn}`,
	"seats-switched": renderSwitch,
	"review-decided": ({ decision, rationale }) =>
		`review: ${decision}${rationale === "" ? "" : `\n  rationale: ${oneLine(rationale, LIMIT)}`}`,
	"finding-changed": ({ finding, state, severity, issue, blocking, argument }) =>
		`finding ${finding} ${state} (${severity}${blocking ? ", blocking" : ""})${because(issue)}${renderArgument(argument, LIMIT)}`,
	"finding-ignored": ({ finding, reason }) =>
		`finding ${oneLine(finding)} raised again, and it stays closed${because(reason)}`,
	"dispute-ignored": ({ finding, reason }) =>
		`dispute of ${oneLine(finding)} has no effect${because(reason)}`,
	"conflict-detected": ({ conflict, finding, attempt }) =>
		`conflict ${conflict} over ${oneLine(finding)}, attempt ${attempt}`,
	"conflict-resolved": (data) => renderSettlement(data, LIMIT),
	"orchestrator:conflict:escalation": ({ conflictId, escalationReason }) =>
		`conflict ${conflictId} goes to a person${because(escalationReason)}`,
	PAUSED_FOR_USER_ESCALATION: ({ conflict, reason }) =>
		`paused for a person to settle conflict ${conflict}${because(reason)}`,
	"item-opened": ({ item, trigger, reason, conflicts }) =>
		`a person is asked: ${item} (${triggerWords(trigger)})${because(reason, conflicts)}`,
	"person-notified": ({ item, target, outcome, reason }) =>
		`told of ${item ?? "the run"} by ${oneLine(target)}: ${outcome}${because(reason)}`,
	"item-answered": ({ item, status, choice, findings, added }) =>
		`${item} ${itemStatusWords(status)}${choice === null ? "" : `, ${choiceWords(choice)}`}${renderChoices(findings)}${renderAdded(added)}`,
	"budget-warned": renderWarning,
	"merge-forecast": ({ clean, conflicts, against }) =>
		clean
			? "merge forecast: clean"
			: `${against === undefined ? "merge forecast: conflicts" : doesNotMerge(against)}${bullets(conflicts)}`,
	"tests-left-out": ({ files }) =>
		`the verifier's tests do not land where another task's stand${bullets(files)}`,
	"merge-refused": ({ reason, attempt }) => `merge attempt ${attempt} refused${because(reason)}`,
	"task-merged": ({ commit, into, onto, turn_commit }) =>
		`merged into ${into} at ${commit}: turn's commit ${turn_commit} onto ${onto}`,
};

function stepHeading(step: TraceStep, paint: Paint): string[] {
	if (step.node === null) return [];
	if (step.passedThrough !== null) {
		return [paint("quiet", `  ${step.node}: passed through${because(step.passedThrough)}`)];
	}
	const duration = step.ms === null ? " (not finished)" : took(step.ms);
	return [`  ${paint("strong", step.node)}${duration}`];
}

function stepLines(step: TraceStep, paint: Paint): string[] {
	const indent = step.node === null ? "  " : "    ";
	const events = step.events.flatMap((event) => {
		// The heading says why.
		if (step.passedThrough !== null && event.type === "verification-decided") return [];
		const text = byEvent(TEXTS, event);
		return text === undefined ? [] : [`${indent}${text.replaceAll("\n", `\n${indent}`)}`];
	});
	return [...stepHeading(step, paint), ...events];
}

/** Whether the question that a task waits with has its answer: no later event tells that somebody acted on it. */
function hasAnswer({ status, events }: TraceFile): boolean {
	if (status !== "paused_for_human") return false;
	const last = events.findLast(({ type }) => type === "item-opened" || type === "item-answered");
	if (last?.type !== "item-answered") return false;
	return last.data.status === "RESOLVED" || last.data.status === "REJECTED";
}

function headingLines(trace: TraceFile, paint: Paint): string[] {
	const calls = Object.entries(trace.agent_invocations).map(
		([agent, count]) => `${agent} ${count}`,
	);
	const ended = trace.ended_at === null ? "" : `, ended ${trace.ended_at}`;
	return [
		`${paint("strong", `task ${trace.task_id}`)} of run ${trace.run_id}: ${taskWords({ status: trace.status, human_item_answered: hasAnswer(trace) })}`,
		...(trace.feature_id === null ? [] : [`feature: ${oneLine(trace.feature_id)}`]),
		trace.started_at === null ? "not started" : `started ${trace.started_at}${ended}`,
		`turns: ${trace.turns}; agent calls: ${calls.length === 0 ? "none" : calls.join(", ")}`,
		...(trace.files_removed === true
			? ["its transcripts and outputs were removed (spar prune, or keep_runs)"]
			: []),
	];
}

/** A task's trace as a readable account: turn by turn, node by node, every event with its durations and reasons. */
export function renderTrace(trace: TraceFile, paint: Paint): string {
	const lines = headingLines(trace, paint);
	let turn: number | null = null;
	for (const step of traceSteps(trace.events)) {
		// What is done for the start commit in a later turn belongs to that turn.
		if (step.turn !== null && step.turn > (turn ?? -1)) {
			lines.push("", paint("strong", step.turn === 0 ? "before turn 1" : `turn ${step.turn}`));
			turn = step.turn;
		}
		lines.push(...stepLines(step, paint));
	}
	return lines.join("\n");
}
