import { jsonIn, textAt } from "../kernel/fields.ts";
import { canonicalJson, sha256 } from "../kernel/json.ts";
import { excerpt } from "./excerpt.ts";
import type { Finding } from "./finding.ts";

type RoleSwitch = "session" | "subtask" | "checkpoint";

/** Plan of a pair, from the workflow; fixed until a person puts another agent in a seat. */
export interface PairPlan {
	/** Agent that first sits as player. */
	readonly driver: string;
	/** Agent that first sits as coach. */
	readonly challenger: string;
	readonly roleSwitch: RoleSwitch;
	/** With `checkpoint`: turn numbers (from 1) and ids of subtasks after which the seats change. */
	readonly checkpoints: readonly (number | string)[];
	/** Bound of the loop, 1 or more; what a person adds later is not counted in. */
	readonly maxIterations: number;
	/** Earlier agents of the two seats, in the order of turns; undefined: the same two from the first on. */
	readonly replaced?:
		| readonly { readonly until: number; readonly driver: string; readonly challenger: string }[]
		| undefined;
}

interface PairIteration {
	readonly iteration: number;
	readonly turn: number;
	readonly driver: string;
	/** Masked notes of the player on one line, at most {@link MAX_SUMMARY} characters. */
	readonly summary: string;
	readonly critique: string;
	readonly findings: readonly Pick<Finding, "id" | "issue" | "severity" | "state">[];
	readonly approved: boolean;
	readonly completedSubtask: string | null;
}

/**
 * The state of a pair on one task, as it is stored.
 *
 * `currentDriver`, `iteration` and `challengerApproved` follow from `history`; they are kept beside it because programs
 * read them, and they disagree with it only when the session is damaged (`sessionProblems`).
 */
export interface PairSession extends PairPlan {
	readonly runId: string;
	readonly taskId: string;
	/** The player of the next turn. */
	readonly currentDriver: string;
	/** Iterations that are done: the length of `history`. */
	readonly iteration: number;
	readonly history: readonly PairIteration[];
	/** Verdict of the last iteration; false before the first. */
	readonly challengerApproved: boolean;
}

interface PairSeats {
	readonly player: string;
	readonly coach: string;
}

export const MAX_SUMMARY = 1_000;

const MAX_FINDINGS = 30;

/** A session before its first turn: the driver is to play. */
export function startSession(
	{ runId, taskId }: Pick<PairSession, "runId" | "taskId">,
	plan: PairPlan,
): PairSession {
	return {
		...plan,
		runId,
		taskId,
		currentDriver: plan.driver,
		iteration: 0,
		history: [],
		challengerApproved: false,
	};
}

/**
 * Seats of the next turn. To be asked of a session without problems only. For a new session with driver `pe` and
 * challenger `architect`: `{ player: "pe", coach: "architect" }`.
 */
export function seatsAt(
	session: Pick<PairSession, "driver" | "challenger" | "currentDriver">,
): PairSeats {
	const { driver, challenger, currentDriver } = session;
	return currentDriver === driver
		? { player: driver, coach: challenger }
		: { player: challenger, coach: driver };
}

export interface SessionJson {
	readonly driver_agent: string;
	readonly challenger_agent: string;
	readonly current_role_driver: string;
	readonly role_switch: RoleSwitch;
	readonly checkpoints: readonly (number | string)[];
	readonly iteration: number;
	readonly max_iterations: number;
	readonly history: readonly {
		readonly iteration: number;
		readonly driver_output_summary: string;
		readonly challenger_critique: string;
		readonly findings: readonly Pick<Finding, "id" | "issue" | "severity" | "state">[];
		readonly challenger_approved: boolean;
		readonly turn: number;
		readonly driver_agent: string;
		readonly completed_subtask: string | null;
	}[];
	readonly challenger_approved: boolean;
}

/** The session in the form that programs read. */
export function sessionJson(session: PairSession): SessionJson {
	return {
		driver_agent: session.driver,
		challenger_agent: session.challenger,
		current_role_driver: session.currentDriver,
		role_switch: session.roleSwitch,
		checkpoints: session.checkpoints,
		iteration: session.iteration,
		max_iterations: session.maxIterations,
		history: session.history.map((entry) => ({
			iteration: entry.iteration,
			driver_output_summary: entry.summary,
			challenger_critique: entry.critique,
			findings: entry.findings,
			challenger_approved: entry.approved,
			turn: entry.turn,
			driver_agent: entry.driver,
			completed_subtask: entry.completedSubtask,
		})),
		challenger_approved: session.challengerApproved,
	};
}

export type IterationResult = Omit<PairIteration, "iteration" | "driver">;

function append(session: PairSession, result: IterationResult): PairSession {
	const seats = seatsAt(session);
	const { turn, approved, completedSubtask } = result;
	const entry: PairIteration = {
		iteration: session.history.length + 1,
		turn,
		driver: driverAt(session, turn, seats.player),
		summary: excerpt(result.summary, MAX_SUMMARY),
		critique: excerpt(result.critique, MAX_SUMMARY),
		findings: result.findings.slice(0, MAX_FINDINGS).map(({ id, issue, severity, state }) => {
			return { id, issue: excerpt(issue, MAX_SUMMARY), severity, state };
		}),
		approved,
		completedSubtask,
	};
	const after = session.history.at(-1)?.turn ?? 0;
	return {
		...session,
		currentDriver: switchSeats(seats, session, { after, turn, completedSubtask }).player,
		iteration: entry.iteration,
		history: [...session.history, entry],
		challengerApproved: approved,
	};
}

function driverAt({ replaced = [], driver }: PairPlan, turn: number, player: string): string {
	const earlier = replaced.find(({ until }) => turn <= until);
	if (earlier === undefined) return player;
	return player === driver ? earlier.driver : earlier.challenger;
}

/**
 * The session rebuilt from its history and the workflow's plan, which determine seats, iteration numbers and the last
 * verdict. Entries whose turn is not later than that of the previous entry are left out.
 *
 * A person who resolves a corrupt session agrees to this one. A sound session stays the same.
 */
export function rebuildSession(session: PairSession, plan: PairPlan): PairSession {
	const sound: PairIteration[] = [];
	for (const entry of session.history) {
		if (entry.turn > (sound.at(-1)?.turn ?? 0)) sound.push(entry);
	}
	return sound.reduce(append, startSession(session, plan));
}

/**
 * The session after an iteration; of one without problems only. The last turn given again replaces its iteration,
 * since a coach may be asked twice within a turn and a verdict may be computed again.
 */
export function advanceSession(session: PairSession, result: IterationResult): PairSession {
	const last = session.history.at(-1)?.turn ?? 0;
	if (!Number.isSafeInteger(result.turn) || result.turn < Math.max(last, 1)) {
		throw new Error(
			`turn ${result.turn} of task ${session.taskId} cannot follow turn ${last} of its pair session`,
		);
	}
	if (result.turn > last) return append(session, result);
	const before = { ...session, history: session.history.slice(0, -1) };
	return append(rebuildSession(before, session), result);
}

interface SwitchPoint extends Pick<IterationResult, "turn" | "completedSubtask"> {
	/** Turn of the iteration before. */
	readonly after: number;
}

function isSwitch(
	{ roleSwitch, checkpoints }: Pick<PairPlan, "roleSwitch" | "checkpoints">,
	{ after, turn, completedSubtask }: SwitchPoint,
): boolean {
	switch (roleSwitch) {
		case "session":
			return false;
		case "subtask":
			return completedSubtask !== null;
		case "checkpoint":
			return checkpoints.some((checkpoint) =>
				typeof checkpoint === "number"
					? checkpoint > after && checkpoint <= turn
					: checkpoint === completedSubtask,
			);
	}
}

// One iteration swaps at most once, also when it reaches a turn and a subtask that are both named. A named turn that
// the coach never judged counts with the next one that it did.
export function switchSeats(
	seats: PairSeats,
	plan: Pick<PairPlan, "roleSwitch" | "checkpoints">,
	point: SwitchPoint,
): PairSeats {
	return isSwitch(plan, point) ? { player: seats.coach, coach: seats.player } : seats;
}

/** A session as it is stored: with the digests by which its file is known. */
export interface PairRecord {
	readonly session: PairSession;
	/** SHA-256 that the file has, or will have once it is written; null before the first iteration. */
	readonly digest: string | null;
	/** Digest of the file before: what a kill between record and file leaves; null before the second. */
	readonly previousDigest: string | null;
}

/** The session as the file that other programs read, with run and task beside it. */
export function sessionText(session: PairSession): string {
	const { runId: run_id, taskId: task_id } = session;
	return `${JSON.stringify({ pair_session: sessionJson(session), run_id, task_id }, null, 2)}\n`;
}

/**
 * The record of a session, to be stored before its file is written. `before`: the last one; null for the first file.
 */
export function recordOf(session: PairSession, before: PairRecord | null): PairRecord {
	const digest = sha256(sessionText(session));
	const previousDigest =
		before?.digest === digest ? before.previousDigest : (before?.digest ?? null);
	return { session, digest, previousDigest };
}

/** `stale`: it only has to be written. A kill left it behind its record, or it is that of another run. */
export type FileCheck = "sound" | "stale" | "gone" | "changed";

/**
 * Identity of a session's file, by the digests of its record. It is compared and never read back, so that it has to be
 * the file that was written last; one iteration behind, or not yet there after the first, is what a kill leaves.
 *
 * @param text of the file; null when there is none
 */
export function checkFile(text: string | null, record: PairRecord): FileCheck {
	const { session, digest, previousDigest } = record;
	if (digest === null) return "sound";
	if (text === null) return previousDigest === null ? "stale" : "gone";
	const found = sha256(text);
	if (found === digest) return "sound";
	if (found === previousDigest) return "stale";
	const run = textAt(jsonIn(text), "run_id");
	return run !== null && run !== session.runId ? "stale" : "changed";
}

const MAX_PROBLEMS = 20;

/**
 * Differences, for a person, of a stored session from the one that follows from its history and the workflow
 * (`plan`), at most 20: `iteration is 3, but history and workflow give 2`. `maxIterations` may be any: a person can
 * grant more.
 */
export function sessionProblems(session: PairSession, plan: PairPlan): string[] {
	const { maxIterations } = session;
	const stored = sessionJson(session);
	const sound = sessionJson(rebuildSession(session, { ...plan, maxIterations }));
	const shown = (value: unknown): string => excerpt(canonicalJson(value), 80);
	const differs = (one: unknown, other: unknown): boolean =>
		canonicalJson(one) !== canonicalJson(other);
	// `sessionJson` gives each of these keys.
	const keys = Object.keys(sound) as (keyof SessionJson)[];
	const fields = keys
		.filter((key) => key !== "history" && differs(stored[key], sound[key]))
		.map(
			(key) =>
				`${key} is ${shown(stored[key])}, but history and workflow give ${shown(sound[key])}`,
		);
	const entries = stored.history
		.map((entry, index) => ({ entry, other: sound.history[index], number: index + 1 }))
		.filter(({ entry, other }) => differs(entry, other))
		.map(({ number }) => `iteration ${number} of the history does not follow from those before it`);
	return [...fields, ...entries].slice(0, MAX_PROBLEMS);
}
