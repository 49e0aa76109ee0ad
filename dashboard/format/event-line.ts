import type { StreamMessages } from "../../src/web/protocol.ts";
import {
	flagWords,
	plain,
	RUN_STATUS_WORDS,
	TASK_STATUS_WORDS,
	type Tone,
	toneOf,
} from "../../src/words/states.ts";
import { counted, span } from "./numbers.ts";

type StoredEvent = StreamMessages["message"];
type EventOf<Type extends StoredEvent["type"]> = Extract<StoredEvent, { type: Type }>;

/** An event as a line of a timeline; of the event itself nothing is kept. */
export interface EventLine {
	readonly id: number;
	readonly at: string;
	readonly task: string | null;
	readonly turn: number | null;
	readonly text: string;
	readonly tone: Tone;
}

type Said = readonly [text: string, tone: Tone] | null;

type Lines = { readonly [Type in StoredEvent["type"]]?: (event: EventOf<Type>) => Said };

const quiet = (text: string): Said => [text, "quiet"];
const why = (reason: string | null | undefined): string =>
	reason === null || reason === undefined || reason === "" ? "" : `: ${reason}`;
const list = (texts: readonly string[]): string =>
	texts.length === 0 ? "" : `: ${texts.join("; ")}`;
const seat = (role: string, agent: string): string => `${role.replace("_", "-")} ${agent}`;
const short = (commit: string): string => commit.slice(0, 10);

/** The first call of a turn needs no number. */
const nth = (call: number): string => (call === 1 ? "" : `, call ${call}`);

const RUN_LINES: Lines = {
	"run-started": ({ data }) =>
		quiet(`run of ${data.workflow} on ${data.base}: ${counted(data.tasks.length, "task")}`),
	"run-resumed": () => quiet("run goes on"),
	"run-ended": ({ data }) => [`run ${RUN_STATUS_WORDS[data.status]}`, toneOf(data.status)],
	"base-merged": ({ data }) =>
		quiet(`merged ${data.base} into ${data.into} (${short(data.commit)})`),
	"run-landed": ({ data }) => [`landed on ${data.branch} (${short(data.commit)})`, "good"],
	"run-cancelled": ({ data }) => quiet(`cancelled by ${data.by}`),
	"preflight-ended": ({ data }) =>
		data.outcome === "stopped"
			? [
					`stopped before the first call${list(data.problems.flatMap(({ reason }) => reason ?? []))}`,
					"bad",
				]
			: null,
	"task-started": ({ data }) =>
		quiet(
			`started, at most ${counted(data.bound, "turn")}; player ${data.player}, ${data.coach === null ? "no coach" : `coach ${data.coach}`}`,
		),
	"task-reopened": ({ data }) => quiet(`reopened, at most ${counted(data.bound, "turn")}`),
	"task-stopped": ({ data }) => [`stopped: ${data.message}`, "bad"],
	"task-ended": ({ data }) => [
		`${TASK_STATUS_WORDS[data.status]}${data.turns === 0 ? "" : ` after ${counted(data.turns, "turn")}`}${why(data.reason)}`,
		toneOf(data.status),
	],
	"budget-warned": ({ data }) => {
		const share = Math.round((data.spent / data.limit) * 100);
		return [`${share} % of the budget of the ${data.scope} is spent`, "attention"];
	},
	"subtask-completed": ({ data }) => [`subtask ${data.subtask} is done`, "good"],
	"seats-switched": ({ data }) => quiet(`seats change: player ${data.player}, coach ${data.coach}`),
	"task-merged": ({ data }) => [`merged into ${data.into} (${short(data.commit)})`, "good"],
	"merge-refused": ({ data }) => [`not merged: ${data.reason}`, "bad"],
	"merge-forecast": ({ data }) =>
		data.clean ? null : [`would not merge${list(data.conflicts)}`, "attention"],
	"tests-left-out": ({ data }) => [
		`the verifier's tests do not land where another task's are${list(data.files)}`,
		"attention",
	],
};

const CALL_LINES: Lines = {
	"setup-ran": ({ data }) =>
		data.status === "pass"
			? null
			: [`setup of the ${data.checkout} checkout: ${data.status}${why(data.reason)}`, "bad"],
	"call-retrying": ({ data }) =>
		quiet(`${seat(data.role, data.agent)} makes no progress: ${plain(data.said)}`),
	"call-queued": ({ data }) => quiet(`${seat(data.role, data.agent)} waits: ${plain(data.why)}`),
	"agent-called": ({ data }) =>
		data.call === 1
			? quiet(`${seat(data.role, data.agent)} is called`)
			: [`${seat(data.role, data.agent)} is called again (attempt ${data.call})`, "attention"],
	"agent-answered": ({ data }) =>
		quiet(`${seat(data.role, data.agent)} answered${nth(data.call)} (${span(data.ms)})`),
	"agent-failed": ({ data }) => [
		`${seat(data.role, data.agent)} failed (${plain(data.failure)}): ${data.message}`,
		"bad",
	],
	"agent-replaced": ({ data }) => [
		`${seat(data.role, data.agent)} is replaced by ${data.fallback} (${data.why})`,
		"attention",
	],
	"turns-lost": ({ data }) => [
		`work of turn ${data.turns.join(", ")} is lost: ${data.reason}`,
		"bad",
	],
	"work-lost": ({ data }) => [
		`the work of ${seat(data.role, data.agent)} is lost: ${data.reason}`,
		"bad",
	],
	"report-rejected": ({ data }) => [
		`${seat(data.role, data.agent)}: its report cannot be used: ${data.reason}`,
		"bad",
	],
	"player-reported": ({ data }) =>
		data.concerns.length === 0 ? null : [`the player is unsure${list(data.concerns)}`, "attention"],
	"player-blocked": ({ data }) =>
		data.what === "" ? null : [`the player stopped: ${data.what}`, "attention"],
	"work-left": ({ data }) => [
		`the player left work in its checkout's own repository; the run keeps it${list(data.work.map(({ kind, name }) => `${kind} ${name}`))}`,
		"attention",
	],
	"snapshot-taken": ({ data }) =>
		quiet(data.empty ? "the player changed nothing" : `${counted(data.changed, "file")} changed`),
};

const EVIDENCE_LINES: Lines = {
	"check-ran": ({ data }) => [
		`${data.item ?? data.check}${data.purpose === "turn" ? "" : ` (${data.purpose})`}: ${data.status}${why(data.reason)}`,
		toneOf(data.status),
	],
	"tests-taken": ({ data }) =>
		quiet(`the verifier wrote ${counted(data.files.length, "test file")}`),
	"verification-ran": ({ data }) => [
		`the verifier's tests (${data.place}): ${data.status === "none" ? (data.problem ?? "no result") : data.status}`,
		toneOf(data.status),
	],
	"verification-decided": ({ data }) =>
		data.required
			? [`verification ${data.verdict}${list(data.reasons)}`, toneOf(data.verdict)]
			: null,
	"integrity-checked": ({ data }) => {
		const told = [...data.violations, ...data.notes];
		return data.status === "pass" && told.length === 0
			? null
			: [`integrity: ${data.status}${list(told)}`, toneOf(data.status)];
	},
	"suspicions-answered": ({ data }) =>
		quiet(
			`suspicions${list(data.suspicions.map(({ id, ok }) => `${id} ${ok === null ? "not answered" : ok ? "accepted" : "refused"}`))}`,
		),
	"replay-planned": ({ data }) =>
		data.differs === "none" ? null : quiet("the tests of the start commit run on the new work"),
	"claims-compared": ({ data }) =>
		data.discrepancies.length === 0
			? null
			: [`the player's report is not borne out${list(data.discrepancies)}`, "attention"],
};

const JUDGEMENT_LINES: Lines = {
	"turn-judged": ({ data }) => {
		if (data.effective === null) return null;
		const changed =
			data.raw === data.effective || data.raw === null ? "" : ` (the coach said ${data.raw})`;
		return [`verdict: ${data.effective}${changed}${list(data.reasons)}`, toneOf(data.effective)];
	},
	"confidence-scored": ({ data }) =>
		quiet(`score ${data.score.toFixed(2)}, threshold ${data.threshold.toFixed(2)}`),
	"gate-evaluated": ({ data }) => [
		`gate ${data.risk_tier} ${data.verdict}: ${data.rule}`,
		toneOf(data.verdict),
	],
	"turn-routed": ({ data }) => quiet(`next: ${plain(data.route)}${why(data.reason)}`),
	"review-decided": ({ data }) => [
		`review: ${data.decision}${why(data.rationale)}`,
		toneOf(data.decision),
	],
	"finding-changed": ({ data }) => [
		`${data.finding} ${data.state} (${data.severity}): ${data.issue}`,
		toneOf(data.state),
	],
	"dispute-ignored": ({ data }) => [
		`the dispute of ${data.finding} has no effect${why(data.reason)}`,
		"attention",
	],
	"finding-ignored": ({ data }) => [
		`${data.finding} is raised again and stays closed${why(data.reason)}`,
		"attention",
	],
	"conflict-detected": ({ data }) => [
		`conflict over ${data.finding} (attempt ${data.attempt})`,
		"attention",
	],
	"conflict-resolved": ({ data }) => [
		`conflict over ${data.finding}: ${data.decision ?? "a person is asked"}${why(data.rationale ?? data.escalation_reason)}`,
		data.resolution === "ESCALATE" ? "attention" : "quiet",
	],
};

const PEOPLE_LINES: Lines = {
	"item-opened": ({ data }) => [
		`waiting for you (${flagWords(data.trigger)}): ${data.reason}`,
		"attention",
	],
	"person-notified": ({ data }) =>
		data.outcome === "sent"
			? quiet(`told: ${data.target}`)
			: [`not told: ${data.target} failed${why(data.reason)}`, "attention"],
	"item-answered": ({ data }) =>
		quiet(`answered${data.choice === null ? "" : `: ${plain(data.choice)}`}`),
};

const LINES: Lines = {
	...RUN_LINES,
	...CALL_LINES,
	...EVIDENCE_LINES,
	...JUDGEMENT_LINES,
	...PEOPLE_LINES,
};

function said(event: StoredEvent): Said {
	// The table's entry for a type takes an event of that type.
	const line = LINES[event.type] as ((event: StoredEvent) => Said) | undefined;
	return line?.(event) ?? null;
}

/** A text on one line: control characters and line ends would break a list's rows. */
function oneLine(text: string): string {
	return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

/**
 * An event as a line; null for what says nothing new to a person, such as a node that was passed through.
 *
 * @param room characters that a line keeps
 */
export function eventLine(event: StoredEvent, room = 400): EventLine | null {
	const line = said(event);
	if (line === null) return null;
	const { id, timestamp: at, task, turn } = event;
	return { id, at, task, turn, text: oneLine(line[0].slice(0, room)), tone: line[1] };
}
