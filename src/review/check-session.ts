import { canonicalJson, sha256 } from "../kernel/json.ts";
import { rebuildSession } from "./advance-session.ts";
import { excerpt } from "./excerpt.ts";
import { type PairPlan, type PairSession, type SessionJson, sessionJson } from "./pair-session.ts";

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
 * The record of a session, to be stored before its file is written.
 *
 * @param before what was stored last; null for the first file
 */
export function recordOf(session: PairSession, before: PairRecord | null): PairRecord {
	const digest = sha256(sessionText(session));
	const previousDigest =
		before?.digest === digest ? before.previousDigest : (before?.digest ?? null);
	return { session, digest, previousDigest };
}

/** The run that a file names; undefined of what cannot be read, and of what names none. */
function runOf(text: string): unknown {
	try {
		const content: unknown = JSON.parse(text);
		return typeof content === "object" && content !== null
			? Reflect.get(content, "run_id")
			: undefined;
	} catch {
		return undefined;
	}
}

/** `stale`: it only has to be written. A kill left it behind its record, or it is that of another run. */
export type FileCheck = "sound" | "stale" | "gone" | "changed";

/**
 * What the file of a session is, by the digests of its record. It is compared and never read back, so that it has to be
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
	const run = runOf(text);
	return typeof run === "string" && run !== session.runId ? "stale" : "changed";
}

const MAX_PROBLEMS = 20;

/**
 * What does not hold in a stored session: whatever differs from the session that follows from its history and from the
 * workflow. So the history is as long as `iteration` says, its entries are numbered without gaps and their turns grow,
 * both agents are the workflow's, drivers follow from the switches, and the last verdict is that of the last entry.
 *
 * `maxIterations` may be any: a person can grant more.
 *
 * @param plan the pair as the run's workflow has it
 * @returns sentences for a person, at most 20; empty for a sound session
 * @example `iteration: 3` with two entries gives `["iteration is 3, but history and workflow give 2"]`
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
