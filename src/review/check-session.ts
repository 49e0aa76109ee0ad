import { canonicalJson } from "../kernel/json.ts";
import { excerpt } from "./excerpt.ts";
import type { PairPlan, PairSession } from "./pair-session.ts";
import { readSessionFile, sessionFile } from "./session-file.ts";
import { type SessionJson, sessionJson } from "./session-json.ts";
import { sessionProblems } from "./session-problems.ts";

/** A session as it is stored: with the digests by which its file is known. */
export interface PairRecord {
	readonly session: PairSession;
	/** Digest that the file has, or will have once it is written; null before the first iteration. */
	readonly digest: string | null;
	/** Digest of the file before: what a kill between record and file leaves; null before the second. */
	readonly previousDigest: string | null;
}

/** What the file and the stored session say together. */
export type SessionCheck =
	| { readonly kind: "sound" }
	/** The session is sound, and its file only has to be written: the kill came before, or it is of another run. */
	| { readonly kind: "rewrite"; readonly why: "missing" | "behind" | "foreign" }
	/** A person has to look; one sentence for each problem. */
	| { readonly kind: "corrupt"; readonly problems: readonly string[] };

/** Differences are shown to people; more than these say nothing new. */
const MAX_DIFFERENCES = 10;

/**
 * The record and the file of a session. The record is to be stored before the file is written.
 *
 * @param before what was stored last; null for the first file
 */
export function fileSession(
	session: PairSession,
	before: PairRecord | null,
): { readonly record: PairRecord; readonly text: string } {
	const { text, digest } = sessionFile(session);
	const previousDigest =
		before?.digest === digest ? before.previousDigest : (before?.digest ?? null);
	return { record: { session, digest, previousDigest }, text };
}

function differences(file: PairSession, stored: PairSession): string[] {
	const [ours, theirs] = [sessionJson(stored), sessionJson(file)];
	// `sessionJson` gives each of these keys.
	const keys = Object.keys(ours) as (keyof SessionJson)[];
	const shown = (value: unknown): string => excerpt(canonicalJson(value), 80);
	const fields = keys
		.filter((key) => key !== "history" && canonicalJson(ours[key]) !== canonicalJson(theirs[key]))
		.map(
			(key) =>
				`${key} is ${shown(theirs[key])} in the file and ${shown(ours[key])} in the database`,
		);
	const length = Math.max(ours.history.length, theirs.history.length);
	const entries = Array.from({ length }, (_, index) => index)
		.filter(
			(index) =>
				canonicalJson(ours.history[index] ?? null) !== canonicalJson(theirs.history[index] ?? null),
		)
		.map((index) => `iteration ${index + 1} of the history is not the one in the database`);
	return [...fields, ...entries].slice(0, MAX_DIFFERENCES);
}

function checkFile(text: string | null, record: PairRecord): SessionCheck {
	const { session, digest, previousDigest } = record;
	if (digest === null) return { kind: "sound" };
	const file = readSessionFile(text);
	if (file.kind === "missing") {
		return previousDigest === null
			? { kind: "rewrite", why: "missing" }
			: { kind: "corrupt", problems: ["the session file is gone"] };
	}
	if (file.kind === "damaged") {
		const told = file.session === null ? [] : differences(file.session, session);
		return { kind: "corrupt", problems: [file.problem, ...told] };
	}
	if (file.session.runId !== session.runId) return { kind: "rewrite", why: "foreign" };
	if (file.session.taskId !== session.taskId) {
		const other = excerpt(file.session.taskId, 60);
		return { kind: "corrupt", problems: [`the file is that of task ${other}`] };
	}
	if (file.digest === digest) return { kind: "sound" };
	if (file.digest === previousDigest) return { kind: "rewrite", why: "behind" };
	const problem = "the file is not the one that was written last";
	return { kind: "corrupt", problems: [problem, ...differences(file.session, session)] };
}

/**
 * Whether a loop may go on with its pair session, before each turn.
 *
 * The stored session has to hold its invariants and the file has to be the one that was written last. A file that is
 * one iteration behind, or not yet there after the first, is what a kill between record and file leaves: no corruption.
 * A whole file of another run is no corruption either.
 *
 * @param text of the file; null when there is none
 */
export function checkSession(
	text: string | null,
	record: PairRecord,
	plan: PairPlan,
): SessionCheck {
	const problems = sessionProblems(record.session, plan);
	const file = checkFile(text, record);
	if (problems.length === 0) return file;
	return {
		kind: "corrupt",
		problems: file.kind === "corrupt" ? [...problems, ...file.problems] : problems,
	};
}
