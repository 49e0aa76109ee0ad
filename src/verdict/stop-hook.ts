import { mkdir, readdir, readFile, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeOld } from "../drive/kept-evidence.ts";
import { replaceFile } from "../git/git-directory.ts";
import { Fault } from "../kernel/fault.ts";
import { countAt, fieldAt, fieldsOf, jsonIn, listOf, textAt, wordsOf } from "../kernel/fields.ts";
import { sha256 } from "../kernel/json.ts";
import { quote } from "../kernel/quote.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { homeOutside } from "../places/checkouts-home.ts";
import type { CheckOptions, CheckPlace } from "./check-bench.ts";
import type { CheckReport } from "./check-report.ts";
import { startOfSession, workOfSession } from "./check-work.ts";
import { keptNames } from "./kept-allowances.ts";
import { isAtWork, workerOf } from "./same-work.ts";
import type { SessionStart } from "./session-start.ts";

/** Times in a row that a session's end is blocked. */
export const MOST_BLOCKS = 3;

// Of Claude Code and Codex, and of Gemini CLI. A block of any other event would hold something else back.
const EVENTS: Readonly<Record<SessionHook, readonly [first: string, ...others: string[]]>> = {
	start: ["SessionStart"],
	stop: ["Stop", "SubagentStop", "AfterAgent"],
};

const MOMENTS = { start: "begin of a session", stop: "end of a turn" } as const;

/** Hook of a coding agent. */
export type SessionHook = "start" | "stop";

/** Session of a coding agent that begins, or is about to end its turn. */
export interface AgentSession {
	readonly id: string;
	/** Absolute directory in which it works. */
	readonly directory: string;
	/** It goes on: it was resumed, or its words were made fewer. */
	readonly isOlder: boolean;
}

// Else, under a new name, the work of a session would be let go with a word in between.
const GOES_ON: ReadonlySet<unknown> = new Set(["resume", "compact"]);

/**
 * Reads what a coding agent gives to a hook at the begin of a session or at the end of a turn.
 *
 * @throws Fault `usage`
 */
export function agentSession(text: string, hook: SessionHook): AgentSession {
	const given = fieldsOf(jsonIn(text));
	const [id, directory] = [wordsOf(given["session_id"]), wordsOf(given["cwd"])];
	const [usual] = EVENTS[hook];
	const event = wordsOf(given["hook_event_name"]) ?? usual;
	const fits = EVENTS[hook].includes(event);
	if (id !== null && directory !== null && fits)
		return { id, directory, isOlder: GOES_ON.has(given["source"]) };
	throw new Fault(
		fits
			? `standard input is not the JSON of a ${usual} hook, with \`session_id\` and \`cwd\``
			: `the event ${quote(event)} is not the ${MOMENTS[hook]}, which a ${usual} hook is for`,
		{
			code: "usage",
			hint: "`spar init --agents` installs the hook where it belongs. To check by hand: spar check",
		},
	);
}

/**
 * Answer to a session that wants to end. `let-go`: the work fails, and the session was blocked often enough; `review`: a
 * person has to look, or to know what is not counted.
 */
export type StopAnswer =
	| { readonly kind: "quiet"; readonly told: string }
	| { readonly kind: "pass" }
	| (Beside & { readonly kind: "review"; readonly report: CheckReport })
	| (Beside & { readonly kind: "block" | "let-go"; readonly why: string });

interface Beside {
	/** True where another session works in the same work tree, as far as its hooks tell. */
	readonly isShared: boolean;
}

/** Kept for a session, outside of the repository. */
interface LastStop extends Pick<CheckReport, "base" | "tree"> {
	/** What is wrong with that work, in words for the agent; empty where nothing is. */
	readonly why: string;
	/** The same for a person. */
	readonly left: string;
	/** Times in a row that it was blocked. */
	readonly blocks: number;
	/** Process that judges it; empty: it is judged. */
	readonly judge: string;
	/** Allowances that were kept then. */
	readonly allowed: readonly string[];
	/** Null: nobody knows it yet. */
	readonly start: SessionStart | null;
}

interface Notes {
	readonly file: string;
	/** For what is not committed at its start. */
	readonly pack: string;
	readonly last: LastStop;
	readonly keep: (stop: LastStop) => Promise<void>;
	/** Place where a session of any id was last, and its file. */
	readonly seen: SessionStart | null;
	readonly see: (here: SessionStart) => Promise<void>;
}

async function notesOf({ id }: Pick<AgentSession, "id">, { places }: CheckPlace): Promise<Notes> {
	const folder = join(await homeOutside(places), "stops");
	const named = join(folder, sha256(id).slice(0, 16));
	const [file, pack] = [`${named}.json`, `${named}.pack`];
	await asStateFault(folder, () => mkdir(folder, { recursive: true }));
	const keep = async (stop: LastStop): Promise<void> =>
		await asStateFault(folder, async () => {
			// It is needed for as long as the session goes on.
			await utimes(pack, new Date(), new Date()).catch(() => undefined);
			await removeOld(folder);
			replaceFile(file, JSON.stringify(stop));
		});
	const place = join(folder, "last-place.json");
	const see = (here: SessionStart): Promise<void> =>
		asStateFault(folder, async () => replaceFile(place, JSON.stringify(here)));
	const seen = startIn(jsonIn(await readFile(place, "utf8").catch(() => "")));
	return { file, pack, last: await lastStop(file), keep, seen, see };
}

/**
 * Notes where a session begins, with what its user has left there: what is there is not its work. One that is resumed has
 * begun before.
 *
 * @returns undefined: it began before
 */
export async function noteSession(
	session: Pick<AgentSession, "id" | "isOlder">,
	place: CheckPlace,
): Promise<SessionStart | undefined> {
	const { pack, last, keep } = await notesOf(session, place);
	if (session.isOlder || last.start !== null) return undefined;
	const start = { ...(await startOfSession(place, pack)), notedAt: Date.now() };
	await keep({ ...last, start });
	return start;
}

/**
 * Judges the work of a session that is about to end. What was judged last for it is not judged again: work that failed
 * holds it back once more, and other work says nothing.
 *
 * @param check judges the work as it is then
 * @param wordsFor what is wrong with work that fails
 * @throws what `checkWork` throws
 */
export async function answerStop(
	session: Pick<AgentSession, "id">,
	asked: CheckOptions,
	place: CheckPlace,
	{ check, wordsFor }: StopJudge,
): Promise<StopAnswer> {
	const { file, keep, see, seen, last: before } = await notesOf(session, place);
	const found = await workOfSession(asked, place, { start: before.start, seen });
	const { since: start, here, work } = found;
	await see(here);
	if (before.start === null) await keep({ ...before, start });
	await utimes(file, new Date(), new Date()).catch(() => undefined);
	if (typeof work === "string") return { kind: "quiet", told: work };
	const options = { ...asked, since: start };
	const last = await lastStop(file);
	const allowed = await keptNames(await homeOutside(place.places));
	const isSame =
		work.base === last.base && work.tree === last.tree && allowed.join() === last.allowed.join();
	// Who has the hook from the plugin and from the repository has two at once, of which one is enough.
	if (isSame && isAtWork(last.judge))
		return { kind: "quiet", told: "another hook judges this work" };
	// Before the answer: a block that is not counted would come again and again.
	const heldBack = async (
		of: Pick<LastStop, "base" | "tree" | "why" | "left">,
	): Promise<StopAnswer> => {
		const blocks = Math.min(last.blocks + 1, MOST_BLOCKS);
		await keep({ ...of, start, blocks, judge: "", allowed });
		return last.blocks < MOST_BLOCKS
			? { kind: "block", why: of.why, isShared: await isShared(file, start) }
			: { kind: "let-go", why: of.left, isShared: await isShared(file, start) };
	};
	if (isSame && last.judge === "")
		return last.why === ""
			? { kind: "quiet", told: "nothing changed since this work was judged" }
			: await heldBack(last);
	const unknown = { ...work, why: "", left: "", blocks: last.blocks, start, allowed };
	await keep({ ...unknown, judge: workerOf(process.pid) });
	const report = await check(options).catch(async (error: unknown) => {
		// Asked again about the same work, it is no other.
		if (error instanceof Fault && UNJUDGED.has(error.code)) await keep({ ...unknown, judge: "" });
		throw error;
	});
	const { verdict, base, tree } = report;
	if (verdict === "fail") return await heldBack({ base, tree, ...wordsFor(report) });
	await keep({ base, tree, why: "", left: "", blocks: 0, judge: "", start, allowed });
	const isPlain =
		verdict === "pass" && report.not_counted.length === 0 && report.allowed.length === 0;
	return isPlain
		? { kind: "pass" }
		: { kind: "review", report, isShared: await isShared(file, start) };
}

/** So long a session counts as at work that has begun, and of which nothing was judged yet. */
const NEW_MS = 3_600_000;

// Nothing tells of the end of a session: what began or stopped since this one did was there with it.
async function isShared(own: string, { notedAt }: SessionStart): Promise<boolean> {
	const folder = dirname(own);
	const since = notedAt ?? Date.now();
	for (const name of await readdir(folder)) {
		const file = join(folder, name);
		if (file === own || !/^[0-9a-f]+\.json$/.test(name)) continue;
		const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
		const isNew = (await lastStop(file)).base === "";
		if (mtimeMs > since - (isNew ? NEW_MS : 0)) return true;
	}
	return false;
}

const UNJUDGED: ReadonlySet<string> = new Set(["usage", "checkouts-lacking"]);

interface StopJudge {
	readonly check: (options: CheckOptions) => Promise<CheckReport>;
	readonly wordsFor: (report: CheckReport) => Pick<LastStop, "why" | "left">;
}

async function lastStop(file: string): Promise<LastStop> {
	const kept = jsonIn(await readFile(file, "utf8").catch(() => ""));
	return {
		base: textAt(kept, "base") ?? "",
		tree: textAt(kept, "tree") ?? "",
		why: textAt(kept, "why") ?? "",
		left: textAt(kept, "left") ?? "",
		blocks: countAt(kept, "blocks") ?? 0,
		judge: textAt(kept, "judge") ?? "",
		allowed: listOf(fieldAt(kept, "allowed")).map(String),
		start: startIn(fieldAt(kept, "start")),
	};
}

function startIn(kept: unknown): SessionStart | null {
	const [head, commit] = [textAt(kept, "head"), textAt(kept, "commit")];
	if (head === null || commit === null) return null;
	const [branch, pack] = [textAt(kept, "branch"), textAt(kept, "pack")];
	const known = listOf(fieldAt(kept, "known")).map(String);
	return { head, branch, commit, pack, known, notedAt: countAt(kept, "notedAt") };
}
