import { assertNever } from "../kernel/assert-never.ts";
import { heldText } from "./lease-scope.ts";
import type { Fence, Write } from "./records.ts";

interface Owner {
	/** Undefined where only the stored row knows it. */
	readonly runId: string | undefined;
	/** Null for what is of the run as a whole, undefined for what any task of it may write. */
	readonly taskId: string | null | undefined;
}

function ownerOf(write: Write): Owner {
	switch (write.kind) {
		case "run":
			return { runId: write.runId, taskId: isReopened(write.patch) ? undefined : null };
		case "task":
		case "evidence":
		case "finding":
		case "score-outcome":
			return write;
		case "budget-warned":
			return { runId: write.runId, taskId: write.taskId ?? undefined };
		case "time":
		case "conflict":
		case "conflict-paused":
			return { runId: write.runId, taskId: undefined };
		case "step":
			return write.key;
		case "call":
			return write.call;
		case "turn":
			return write.turn;
		case "pair-session":
			return write.record.session;
		case "score":
			return write.score;
		case "item":
			return write.item;
		case "event":
			return { runId: write.run, taskId: write.event.task };
		case "item-consumed":
			return { runId: undefined, taskId: undefined };
		default:
			return assertNever(write);
	}
}

/** A merge says so: what landed before does not hold it. */
function isReopened(patch: Extract<Write, { kind: "run" }>["patch"]): boolean {
	return patch.landedCommit === null && Object.keys(patch).length === 1;
}

/** Checks that a fence may write this, see {@link Fence}; all else is a bug and throws. */
export function requireOwn(fence: Fence, write: Write): void {
	const { runId, taskId } = ownerOf(write);
	if (runId !== undefined) requireRun(fence, runId);
	if (fence.scope === "run") return;
	if (fence.scope !== "integration" && (taskId === undefined || taskId === fence.scope.task))
		return;
	throw new Error(
		`a fence of ${heldText(fence.runId, fence.scope)} may not write a ${write.kind} of ${taskId ?? "the run"}`,
	);
}

export function requireWhole(fence: Fence, runIds: readonly string[]): void {
	for (const runId of runIds) requireRun(fence, runId);
	if (fence.scope !== "run")
		throw new Error(`a fence of ${heldText(fence.runId, fence.scope)} may not make a run`);
}

function requireRun(fence: Fence, runId: string): void {
	if (runId !== fence.runId)
		throw new Error(`a fence of run ${fence.runId} may not write for run ${runId}`);
}
