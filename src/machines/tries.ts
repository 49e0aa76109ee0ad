import { Fault } from "../kernel/fault.ts";
import {
	type Records,
	type StepKey,
	stepWrite,
	type TaskRecord,
	type Write,
} from "../store/records.ts";
import { NoGround } from "./run-ground.ts";

const MOST_TRIES = 8;
const LONGEST_PAUSE_MS = 60_000;

interface Tries {
	/** Turn and phase, such as `2/merging`: further on it counts from the start. */
	readonly point: string;
	readonly times: number;
}

export const triesStep = ({
	runId,
	taskId,
}: Pick<TaskRecord, "runId" | "taskId">): StepKey<Tries | null> => ({
	runId,
	taskId,
	turn: 0,
	step: "tries",
});

/** Fault in an error of a worker; anything else is a bug. */
export const causeOf = (error: unknown): unknown =>
	error instanceof NoGround ? error.cause : error;

// A hook, a lock or a server of the remote that says no may say yes in a minute.
const passes = (cause: unknown): cause is Fault =>
	cause instanceof Fault && (cause.retryable || cause.code === "push-refused");

/** Tells whether an error is of this machine and no other: it does not pass, and nothing of the task was begun. */
export const isOfMachine = (error: unknown): error is NoGround =>
	error instanceof NoGround && !passes(error.cause);

/**
 * Tells whether what a task met is waited for where its checkout is, since elsewhere an agent would have to be paid again
 * for what was not pushed yet.
 */
export const isWaitedFor = (error: unknown): error is Fault =>
	error instanceof Fault && ["remote-unreachable", "push-refused"].includes(error.code);

/** Pause before another try, in ms: 1 s, 2 s, 4 s, at most 60 s; so eight tries last three minutes. */
export const pauseMs = (times: number): number =>
	Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (times - 1));

/**
 * Counts the tries of a task where an error passes by itself: at most eight at the same point, and without limit where the
 * store was away.
 *
 * @returns number of the next try, from 1; 0 where it is not counted; null: there is none
 */
export async function nextTry(
	commit: (writes: readonly Write[]) => Promise<void>,
	records: Pick<Records, "task" | "step">,
	{
		runId,
		taskId,
		error,
	}: { readonly runId: string; readonly taskId: string; readonly error: unknown },
): Promise<number | null> {
	const cause = causeOf(error);
	if (!passes(cause)) return null;
	if (cause.code === "store-unreachable") return 0;
	const task = await records.task(runId, taskId);
	const point = `${task?.turns}/${task?.phase}`;
	const key = triesStep({ runId, taskId });
	const before = (await records.step(key)) ?? null;
	const times = before?.point === point ? before.times + 1 : 1;
	if (times > MOST_TRIES) return null;
	await commit([stepWrite(key, { point, times })]);
	return times;
}
