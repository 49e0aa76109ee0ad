import { Fault } from "../../kernel/fault.ts";
import type { Records, StepKey, TaskRecord, Write } from "../../store/records.ts";
import { stepWrite } from "../../store/records.ts";
import { NoGround } from "./open-grounds.ts";

/** How often a task is taken up again at the same point after a fault that passes by itself, before it is stopped. */
const MOST_TRIES = 8;

/** How often such a fault stopped a task where it stands. */
interface Tries {
	/** Turn and phase, such as `2/merging`: further on it counts from the start. */
	readonly point: string;
	readonly times: number;
}

/** The step that counts the tries; null where there were none. */
export const triesStep = ({
	runId,
	taskId,
}: Pick<TaskRecord, "runId" | "taskId">): StepKey<Tries | null> => ({
	runId,
	taskId,
	turn: 0,
	step: "tries",
});

/** What stands in the way of a task, wherever it was met. */
export const causeOf = (error: unknown): unknown =>
	error instanceof NoGround ? error.cause : error;

/**
 * Whether a task is to be taken up again after an error: up to eight times at the same point where the error passes by
 * itself, such as a remote that is away, or where another machine may not meet it, and always where the store was away. How often its job came back says nothing of
 * that: it also does so for each worker that is killed.
 *
 * @param commit under the lease of the task; stores the try
 */
export async function mayPass(
	commit: (writes: readonly Write[]) => Promise<void>,
	records: Pick<Records, "task" | "step">,
	{
		runId,
		taskId,
		error,
	}: { readonly runId: string; readonly taskId: string; readonly error: unknown },
): Promise<boolean> {
	const cause = causeOf(error);
	const isPassing = cause instanceof Fault && cause.retryable;
	if (!isPassing && !(error instanceof NoGround)) return false;
	if (isPassing && cause.code === "store-unreachable") return true;
	const task = await records.task(runId, taskId);
	const point = `${task?.turns}/${task?.phase}`;
	const key = triesStep({ runId, taskId });
	const before = (await records.step(key)) ?? null;
	const times = before?.point === point ? before.times + 1 : 1;
	if (times > MOST_TRIES) return false;
	await commit([stepWrite(key, { point, times })]);
	return true;
}
