import type { QuotaReason } from "../human/reason.ts";
import { isoTime } from "../kernel/clock.ts";
import type { Role } from "../kernel/roles.ts";
import type { CallRecord } from "../store/records.ts";
import { wallLeftMs } from "./admission/budget.ts";
import type { Ground } from "./context.ts";

/** Longest single wait: timers hold no more than 24 days, and a laptop sleeps meanwhile. In ms. */
const LONGEST_WAIT_MS = 3_600_000;

export class AccountSpent extends Error {
	readonly reason: QuotaReason;

	constructor(reason: QuotaReason) {
		super(`the account of ${reason.agent} has reached its limit`);
		this.reason = reason;
	}
}

/** The account in an error, or in what caused it; null where it is about something else. */
export function spentAccountIn(error: unknown): QuotaReason | null {
	if (error instanceof AccountSpent) return error.reason;
	return error instanceof Error && error.cause instanceof AccountSpent ? error.cause.reason : null;
}

/**
 * Waits until the account's limit is lifted, where the workflow wants that, the time is known and the budget of working
 * time reaches so far.
 *
 * @throws AccountSpent where nobody waits
 */
export async function outwaitAccount(
	ground: Pick<
		Ground,
		"workflow" | "task" | "run" | "records" | "clock" | "commit" | "log" | "signal"
	>,
	role: Role,
	{ call, retryAfterMs }: { readonly call: CallRecord; readonly retryAfterMs?: number | undefined },
): Promise<void> {
	const { workflow, clock, task } = ground;
	const resetsAt = retryAfterMs === undefined ? null : clock.now() + retryAfterMs;
	const mode = workflow.onQuota ?? (task.human ? "ask" : "wait");
	const { agent } = call;
	if (mode !== "wait" || resetsAt === null || resetsAt - clock.now() > (await wallLeftMs(ground))) {
		throw new AccountSpent({
			kind: "quota_spent",
			agent,
			resetsAt: resetsAt === null ? null : isoTime(resetsAt),
			said: call.message ?? "",
			fails: mode === "fail",
		});
	}
	const until = isoTime(resetsAt);
	await ground.commit([
		ground.log.event("call-queued", { role, agent, why: "quota", limit: null, until }),
	]);
	for (let left = resetsAt - clock.now(); left > 0; left = resetsAt - clock.now())
		await clock.sleep(Math.min(left, LONGEST_WAIT_MS), ground.signal);
}
