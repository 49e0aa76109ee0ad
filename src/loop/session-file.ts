import type { Blobs } from "../kernel/blobs.ts";
import { advanceSession, rebuildSession } from "../review/advance-session.ts";
import {
	checkFile,
	type FileCheck,
	type PairRecord,
	recordOf,
	sessionProblems,
	sessionText,
} from "../review/check-session.ts";
import { type PairPlan, seatsAt, startSession } from "../review/pair-session.ts";
import type { TurnRecord, Write } from "../store/records.ts";
import type { Ground } from "./context.ts";
import { planOf } from "./present-task.ts";
import { type SharedFile, sharedKeys, writeShared } from "./shared-file.ts";

/** A larger file is no session, and not worth its memory; one needs some 3,000 characters for an iteration. */
const MAX_BYTES = 96_000_000;

type SessionGround = Pick<Ground, "run" | "task" | "workflow" | "records" | "blobs">;

const sessionFile = ({ run, task }: SessionGround): SharedFile => ({
	runId: run.runId,
	taskId: task.id,
	folder: "state/pair-sessions",
});

/** `""` for what is too large to be a session, or no file; null where there is nothing. */
async function textOf(blobs: Blobs, key: string): Promise<string | null> {
	const entry = await blobs.entry(key);
	if (entry === undefined) return (await blobs.has(key)) ? "" : null;
	return entry.bytes > MAX_BYTES ? "" : ((await blobs.read(key)) ?? null);
}

/** The stored session of a task's pair; a new one before its first turn. */
async function pairRecord(context: SessionGround, plan: PairPlan): Promise<PairRecord> {
	const { records, run, task } = context;
	const stored = await records.pairSession(run.runId, task.id);
	const session = startSession({ runId: run.runId, taskId: task.id }, plan);
	return stored ?? { session, digest: null, previousDigest: null };
}

export async function writeSession(context: SessionGround): Promise<void> {
	const record = await context.records.pairSession(context.run.runId, context.task.id);
	if (record === undefined || record.digest === null) return;
	const text = sessionText(record.session);
	await writeShared(context, sessionFile(context), text);
}

/**
 * Looks whether the pair may go on: its stored session holds and its files are the ones that were written last. Files
 * that a kill left behind are written again.
 *
 * @returns one sentence for each problem; empty when all is well
 */
async function sessionTrouble(context: SessionGround, plan: PairPlan): Promise<readonly string[]> {
	const record = await pairRecord(context, plan);
	const checks: FileCheck[] = [];
	for (const key of await sharedKeys(context, sessionFile(context)))
		checks.push(checkFile(await textOf(context.blobs, key), record));
	const problems = sessionProblems(record.session, plan);
	if (checks.includes("gone")) problems.push("the session file is gone");
	if (checks.includes("changed"))
		problems.push("the session file was changed, cut short or replaced after it was written");
	if (problems.length === 0 && checks.includes("stale")) await writeSession(context);
	return problems;
}

export async function pairTrouble(context: SessionGround): Promise<string | null> {
	const plan = planOf(context);
	if (plan === null) return null;
	const problems = await sessionTrouble(context, plan);
	return problems.length === 0 ? null : `the pair session is inconsistent: ${problems.join("; ")}`;
}

export async function catchUpSession(context: SessionGround): Promise<void> {
	const plan = planOf(context);
	if (plan !== null) await sessionTrouble(context, plan);
}

/**
 * The pair session after a turn that the coach judged, with the seats changed where they are to. The files are written
 * when these records are stored.
 *
 * @param completed id of the subtask that the turn completed; null when it completed none
 */
export async function movedSession(
	context: SessionGround & Pick<Ground, "log" | "read">,
	{ turn, effective, notes: summary, rationale: critique }: TurnRecord,
	completed: string | null,
): Promise<Write[]> {
	const plan = planOf(context);
	if (plan === null || effective === null) return [];
	const before = await pairRecord(context, plan);
	const approved = effective === "approve";
	const open = new Set((await context.read.open()).map(({ id }) => id));
	const findings = (await context.read.findings()).filter(
		({ id, changedTurn }) => changedTurn === turn || open.has(id),
	);
	const result = { turn, summary, critique, findings, approved, completedSubtask: completed };
	const session = advanceSession(before.session, result);
	const { player, coach } = seatsAt(session);
	const writes: Write[] = [{ kind: "pair-session", record: recordOf(session, before) }];
	if (player !== seatsAt(before.session).player)
		writes.push(context.log.event("seats-switched", { player, coach, after: completed ?? turn }));
	return writes;
}

export async function rebuiltSession(context: SessionGround): Promise<Write[]> {
	const plan = planOf(context);
	if (plan === null) return [];
	const before = await pairRecord(context, plan);
	const record = recordOf(rebuildSession(before.session, plan), before);
	return [{ kind: "pair-session", record }];
}
