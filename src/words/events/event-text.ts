import { reasonLine, triggerWords } from "../../human/headline.ts";
import { counted } from "../../kernel/counted.ts";
import { formatClock, formatDuration } from "../../kernel/duration.ts";
import { leftWorkLines } from "../../kernel/left-work.ts";
import { formatUsd } from "../../kernel/money.ts";
import { isDelivered } from "../../kernel/task-state.ts";
import { oneLine } from "../../kernel/visible-text.ts";
import type { EventData, StoredEvent } from "../../trace/event.ts";
import { preflightProblem, renderCallUsage, renderKnownCost, withCause } from "../evidence-text.ts";
import {
	choiceWords,
	flagWords,
	itemStatusWords,
	PHASE_WORDS,
	plain,
	RUN_STATUS_WORDS,
	seatName,
	TASK_STATUS_WORDS,
	toneOf,
} from "../states.ts";
import {
	atLength,
	because,
	below,
	bullets,
	byEvent,
	type EventTable,
	type EventText,
	joined,
	LIMIT,
	longBecause,
	MOST_NAMED,
	shortBecause,
	took,
} from "./event-parts.ts";
import { EVIDENCE, JUDGEMENT } from "./turn-events.ts";

const commitId = (commit: string): string => commit.slice(0, 10);
const callTook = (ms: number, usage: unknown): string =>
	` (${formatDuration(ms)}${renderCallUsage(usage)})`;
const printed = (length: number): string =>
	length === 0 ? "" : `, ${length} characters of output`;

function otherAgents(agents: Omit<EventData["run-resumed"], "owner">): string {
	const named = Object.entries(agents).map(([seat, name]) => `the ${seat} ${oneLine(name)}`);
	return named.length === 0 ? "" : `, with ${named.join(" and ")}`;
}

function lossText({ turns, commit, reason }: EventData["turns-lost"]): string {
	const lost = turns.length === 0 ? "its last commit" : `turn ${turns.join(", ")}`;
	return `${lost} cannot be read from the repository any more (${oneLine(reason, 200)}); the task goes on from ${commit.slice(0, 10)}`;
}

/** @example `"82 % of the budget of the run is spent: $8.20 of $10.00; 1 call of unknown cost is not in it"` */
function budgetText(warning: EventData["budget-warned"]): string {
	const { scope, kind, limit, spent, unknown_cost_calls: unknown } = warning;
	const write = kind === "usd" ? formatUsd : formatDuration;
	const share = Math.floor((spent / limit) * 100);
	const left = unknown === 1 ? "1 call of unknown cost is" : `${unknown} calls of unknown cost are`;
	return (
		`${share} % of the budget of the ${scope} is spent: ${write(spent)} of ${write(limit)}` +
		(kind === "usd" && unknown > 0 ? `; ${left} not in it` : "")
	);
}

function mergesNot(against: EventData["merge-forecast"]["against"]): string {
	if (against === undefined) return "does not merge cleanly";
	return against === null
		? "would not merge with what others have merged"
		: `would not merge with the present work of ${against}`;
}

/** @example `"4 calls of dev at once are allowed (max_parallel)"` */
function waitCause(
	agent: string,
	{ why, limit, until }: Omit<EventData["call-queued"], "role" | "agent">,
): string {
	const allowed = limit === 1 ? "is allowed" : "are allowed";
	const calls = `${counted(limit ?? 0, "call")} of ${agent}`;
	return {
		max_parallel: `${calls} at once ${allowed} (max_parallel)`,
		requests_per_minute: `${calls} a minute ${allowed} (requests_per_minute)`,
		budget: "the calls under way may use up the budget",
		quota: `its account has reached its limit, which is lifted at ${until ?? "an unknown time"}`,
	}[why];
}

function playerReport(report: EventData["player-reported"]): string {
	return [
		"the player reports",
		below("modified: ", report.files_modified.join(", ")),
		below("created: ", report.files_created.join(", ")),
		below("tests: ", report.tests_written.join(", ")),
		below("passed checks: ", report.checks_passed.join(", ")),
		below("notes: ", report.implementation_notes),
		...report.concerns.map((concern) => below("unsure: ", concern)),
	].join("");
}

function choicesText(findings: EventData["item-answered"]["findings"]): string {
	const chosen = Object.entries(findings ?? {}).map(
		([id, choice]) => `${oneLine(id)} ${oneLine(choiceWords(choice))}`,
	);
	return chosen.length === 0 ? "" : `: ${chosen.join(", ")}`;
}

function addedText(added: EventData["item-answered"]["added"]): string {
	if (added === undefined) return "";
	const parts = [
		...(added.usd > 0 ? [formatUsd(added.usd)] : []),
		...(added.wall_ms > 0 ? [formatDuration(added.wall_ms)] : []),
	];
	return `, added to the budget of the ${added.scope}: ${parts.join(" and ")}`;
}
function endOfTask({ turns, merged, flags, checkout, ...why }: EventData["task-ended"]): string {
	const work = merged
		? "merged"
		: isDelivered({ merged, flags })
			? "nothing to merge"
			: "not merged";
	const flagged = flags.length === 0 ? "" : `, flags ${flags.map(flagWords).join(", ")}`;
	return ` after ${counted(turns, "turn")}, ${work}${flagged}${longBecause(why)}${below("its checkout was kept: ", checkout)}`;
}

const RUN = {
	"run-started": ({ workflow, base, base_commit: commit, tasks, branch }, { run }) => ({
		short: `run ${run} of ${workflow} on ${base} (${commitId(commit)}): ${
			tasks.length > MOST_NAMED ? counted(tasks.length, "task") : tasks.join(", ")
		}`,
		long: `run of ${workflow} on ${base} at ${commit}, branch ${branch}`,
	}),
	"run-resumed": ({ owner, ...agents }, { run }) => ({
		short: `run ${run} goes on${otherAgents(agents)}`,
		long: `resumed by ${owner}${otherAgents(agents)}`,
	}),
	"preflight-ended": ({ outcome, problems }) => {
		const texts = problems.map((problem) => preflightProblem(problem, LIMIT));
		return outcome === "stopped"
			? {
					short: `stopped before the first call${joined(texts)}`,
					long: `preflight: stopped${bullets(texts)}`,
					tone: "bad",
				}
			: { long: `preflight: went on${bullets(texts)}` };
	},
	"run-ended": ({ status }, { run }) => ({
		short: `run ${run}: ${RUN_STATUS_WORDS[status]}`,
	}),
	"base-merged": ({ base, into, commit }) => ({
		short: `merged ${base} into ${into} (${commitId(commit)})`,
		long: `merged ${base} into ${into} at ${commit}`,
	}),
	"landing-refused": ({ branch, reason }) => ({
		short: `not landed on ${branch}: ${oneLine(reason, 2_000)}`,
		tone: "bad",
	}),
	"run-landed": ({ branch, commit }) => ({
		short: `landed on ${branch} (${commitId(commit)})`,
		long: `landed on ${branch} at ${commit}`,
		tone: "good",
	}),
	"task-started": ({ branch, start_commit: start, bound, player, coach, checkout }) => ({
		short: `started, at most ${counted(bound, "turn")}, player ${player}, ${coach === null ? "no coach" : `coach ${coach}`}`,
		long: `started at ${start} on ${branch}: player ${player}, coach ${coach ?? "none"}, at most ${counted(bound, "turn")}${below("checkout: ", checkout)}`,
	}),
	"task-reopened": ({ bound }) => ({ short: `reopened, at most ${counted(bound, "turn")}` }),
	"task-stopped": ({ code, message, hint, others_go_on: go = false }) => ({
		short: `stopped: ${oneLine(message)}${go ? ". The other tasks go on" : ""}`,
		long: `stopped by an error${code === null ? "" : ` (${code})`}: ${oneLine(message, LIMIT)}${below("", hint)}`,
		tone: "bad",
	}),
	"task-ended": (ended) => ({
		short: `${TASK_STATUS_WORDS[ended.status]}${ended.turns === 0 ? "" : ` after ${counted(ended.turns, "turn")}`}${shortBecause(ended)}`,
		long: `${TASK_STATUS_WORDS[ended.status]}${endOfTask(ended)}`,
		tone: toneOf(ended.status),
	}),
	"turns-lost": (lost) => ({ short: lossText(lost), tone: "bad" }),
	"budget-warned": (warning) => ({ short: budgetText(warning), tone: "attention" }),
	"merge-forecast": ({ clean, conflicts, against }) =>
		clean
			? { long: "merge forecast: clean" }
			: {
					short: `${mergesNot(against)}${joined(conflicts)}`,
					long: `${against === undefined ? "merge forecast: conflicts" : mergesNot(against)}${bullets(conflicts)}`,
					tone: "attention",
				},
	"tests-left-out": ({ files }) => ({
		short: `the verifier's tests do not land where another task's stand${joined(files)}`,
		long: `the verifier's tests do not land where another task's stand${bullets(files)}`,
		tone: "attention",
	}),
	"merge-refused": ({ reason, attempt }) => ({
		short: `not merged: ${oneLine(reason)}`,
		long: `merge attempt ${attempt} refused${because(reason, LIMIT)}`,
		tone: "bad",
	}),
	"task-merged": ({ commit, into, onto, turn_commit: turn }) => ({
		short: `merged into ${into} (${commitId(commit)})`,
		long: `merged into ${into} at ${commit}: turn's commit ${turn} onto ${onto}`,
		tone: "good",
	}),
} satisfies EventTable<EventText>;

const CALLS = {
	"setup-ran": ({ checkout, status, ms, reason, said }) => ({
		short:
			status === "pass"
				? undefined
				: `setup of the ${checkout} checkout: ${status}${because(withCause(said, reason))}`,
		long: `setup of the ${checkout} checkout: ${status}${took(ms)}${because(withCause(said, reason), LIMIT)}`,
		tone: status === "pass" ? undefined : "bad",
	}),
	"setup-copied": ({ checkout, ms }) => ({
		long: `setup of the ${checkout} checkout: copied${took(ms)}`,
	}),
	"call-queued": ({ role, agent, ...queued }) => ({
		short: `${seatName(role, agent)} waits: ${waitCause(agent, queued)}`,
	}),
	"call-retrying": ({ role, agent, ms, said }) => ({
		short: `no progress of ${seatName(role, agent)} for ${formatClock(ms)}; it says: ${oneLine(said, 200)}`,
	}),
	"agent-called": ({ role, agent, call, conventions = [] }) => {
		const short = `${seatName(role, agent)} is called${call === 1 ? "" : ` again (call ${call})`}`;
		return conventions.length === 0
			? { short }
			: { short, long: `${short}, with conventions of the base${joined(conventions)}` };
	},
	"agent-answered": ({ role, agent, call, ms, output_length: length, transcript, usage }) => ({
		short: `${seatName(role, agent)} answered${call === 1 ? "" : `, call ${call}`} (${(ms / 1_000).toFixed(1)}s${renderKnownCost(usage)})`,
		long: `${seatName(role, agent)} answered${callTook(ms, usage)}${printed(length)}${transcript === null ? "" : `, transcript ${oneLine(transcript)}`}`,
	}),
	"agent-failed": ({ role, agent, failure, message, ms, output_length: length, usage }) => ({
		short: `${seatName(role, agent)} failed (${plain(failure)}): ${oneLine(message)}`,
		long: `${seatName(role, agent)} failed, ${plain(failure)}${callTook(ms, usage)}${printed(length)}${because(message, LIMIT)}`,
		tone: "bad",
	}),
	"work-lost": ({ role, agent, call, reason }) => ({
		short: `the work of ${seatName(role, agent)} is lost: ${reason}; the call is made again`,
		long: `${seatName(role, agent)}, call ${call}: its work is lost (${reason}); the call is made again`,
		tone: "bad",
	}),
	"agent-replaced": ({ role, agent, fallback, why }) => ({
		short: `${seatName(role, agent)} is replaced by ${fallback} (${why})`,
		tone: "attention",
	}),
	"report-rejected": ({ role, agent, call, reason }) => ({
		short:
			role === "player"
				? `the report of ${seatName(role, agent)} cannot be used, and its work counts all the same: ${oneLine(reason)}`
				: `${seatName(role, agent)}: the report of call ${call} cannot be used: ${oneLine(reason)}`,
		long: `report of ${seatName(role, agent)} (call ${call}) rejected${because(reason, LIMIT)}`,
		tone: "bad",
	}),
	"player-reported": (report) => ({
		short:
			report.concerns.length === 0 ? undefined : `the player is unsure${joined(report.concerns)}`,
		long: playerReport(report),
		tone: report.concerns.length === 0 ? undefined : "attention",
	}),
	"player-blocked": ({ reason, what, evidence, proposal }) =>
		what === ""
			? { long: "the player says that it is blocked, but not by what: ignored" }
			: {
					short: `the player stopped: ${oneLine(what, 400)}`,
					long: `the player stopped (${reason}): ${oneLine(what, LIMIT)}${evidence.map((text) => below("evidence: ", text)).join("")}${below("proposal: ", proposal)}`,
					tone: "attention",
				},
	"snapshot-taken": ({ commit, tree, changed, empty }) => ({
		short: empty ? "the player changed nothing" : `${counted(changed, "file")} changed`,
		long: `snapshot ${commit}: ${empty ? "nothing" : counted(changed, "file")} changed, tree ${tree}`,
	}),
	"work-left": ({ work }) => ({
		short: `the player left work in its checkout's own repository; the run keeps it${joined(leftWorkLines(work))}`,
		long: `work left in the checkout's own repository${bullets(leftWorkLines(work))}`,
		tone: "attention",
	}),
} satisfies EventTable<EventText>;

const PEOPLE = {
	// The settlement says it already, and the question that follows says how to answer.
	"orchestrator:conflict:escalation": ({ conflictId, escalationReason }) => ({
		long: `conflict ${conflictId} goes to a person${because(escalationReason, LIMIT)}`,
	}),
	PAUSED_FOR_USER_ESCALATION: ({ conflict, reason }) => ({
		short: `paused for a person to settle a conflict${because(reason)}`,
		long: `paused for a person to settle conflict ${conflict}${because(reason, LIMIT)}`,
		tone: "attention",
	}),
	"item-opened": ({ item, trigger, ...why }) => ({
		short: `waiting for a person: ${item} (${triggerWords(trigger)}): ${reasonLine(why)}`,
		long: `a person is asked: ${item} (${triggerWords(trigger)})${longBecause(why)}`,
		tone: "attention",
	}),
	"person-notified": ({ item, target, outcome, reason }) => ({
		...atLength((limit) =>
			outcome === "sent"
				? `told of ${item ?? "the run"}: ${oneLine(target)}`
				: `not told of ${item ?? "the run"}: ${oneLine(target)} failed${because(reason, limit)}`,
		),
		tone: outcome === "sent" ? undefined : "attention",
	}),
	"item-answered": ({ item, status, choice, findings, added }) => ({
		short: `${item} ${itemStatusWords(status)}${choice === null ? "" : ` (${choiceWords(choice)})`}${choicesText(findings)}${addedText(added)}`,
	}),
} satisfies EventTable<EventText>;

const TABLE: Required<EventTable<EventText>> = {
	...RUN,
	...CALLS,
	...EVIDENCE,
	...JUDGEMENT,
	...PEOPLE,
	"phase-changed": ({ from, to }) =>
		PHASE_WORDS[from] === PHASE_WORDS[to]
			? {}
			: { long: `phase: ${PHASE_WORDS[from]} -> ${PHASE_WORDS[to]}` },
	// A trace has them as headings.
	"node-entered": () => ({}),
	"node-left": () => ({}),
};

/** The texts of an event. */
export function eventText(event: StoredEvent): EventText {
	return byEvent(TABLE, event) ?? {};
}
