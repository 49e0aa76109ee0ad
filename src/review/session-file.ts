import { sha256 } from "../kernel/json.ts";
import type { PairSession } from "./pair-session.ts";
import { readSessionJson, sessionJson } from "./session-json.ts";

/** Longest file that is looked at, in UTF-16 code units; one that we write needs some 3,000 for an iteration. */
export const MAX_SESSION_FILE = 32_000_000;

/** A session as a file, and the digest that stands in it. */
export interface SessionFile {
	readonly text: string;
	/** 64 hexadecimal digits. */
	readonly digest: string;
}

/** What a file says of itself. */
export type SessionReading =
	| { readonly kind: "missing" }
	/** Whole and unchanged since it was written, for whatever run. */
	| { readonly kind: "intact"; readonly session: PairSession; readonly digest: string }
	/** `session`: what it says all the same, as far as it can be read. */
	| {
			readonly kind: "damaged";
			readonly problem: string;
			readonly session: PairSession | null;
	  };

/** The end of every file, which the digest leaves out of itself. */
const TAIL = /"digest": "([0-9a-f]{64})"\n\}\n$/;
const blankTail = '"digest": ""\n}\n';

/**
 * The session as the file that other programs read, with run, task and a digest beside it.
 *
 * The digest is the SHA-256 of the whole text with an empty digest in it, so that no character can change unseen,
 * and whoever writes the text in another form later can still check old files.
 */
export function sessionFile(session: PairSession): SessionFile {
	const { runId: run_id, taskId: task_id } = session;
	const content = { pair_session: sessionJson(session), run_id, task_id, digest: "" };
	const blank = `${JSON.stringify(content, null, 2)}\n`;
	const digest = sha256(blank);
	const head = blank.slice(0, -blankTail.length);
	return { text: `${head}${blankTail.replace('""', `"${digest}"`)}`, digest };
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function readContent(text: string): PairSession | null {
	const content = parsed(text);
	if (typeof content !== "object" || content === null) return null;
	const runId: unknown = Reflect.get(content, "run_id");
	const taskId: unknown = Reflect.get(content, "task_id");
	if (typeof runId !== "string" || typeof taskId !== "string") return null;
	return readSessionJson(Reflect.get(content, "pair_session"), { runId, taskId });
}

/**
 * Reads a session file that anybody may have changed, cut or replaced.
 *
 * @param text null when there is no file
 */
export function readSessionFile(text: string | null): SessionReading {
	if (text === null) return { kind: "missing" };
	if (text.length > MAX_SESSION_FILE) {
		const problem = `the file has more than ${MAX_SESSION_FILE / 1_000_000} million characters`;
		return { kind: "damaged", problem, session: null };
	}
	const session = readContent(text);
	const tail = TAIL.exec(text.slice(-100));
	const digest = tail?.[1];
	if (session === null) {
		const problem =
			parsed(text) === undefined
				? "the file is no JSON: it was cut short or overwritten"
				: "the file is no pair session of ours: fields are missing or of another type";
		return { kind: "damaged", problem, session };
	}
	if (tail === null || digest === undefined) {
		return { kind: "damaged", problem: "the file does not end with its digest", session };
	}
	const blank = `${text.slice(0, text.length - tail[0].length)}${blankTail}`;
	return sha256(blank) === digest
		? { kind: "intact", session, digest }
		: { kind: "damaged", problem: "the file was changed after it was written", session };
}
