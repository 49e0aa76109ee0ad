import type { AgentOutcome } from "../agents/agent.ts";
import type { CallRecord } from "../store/records.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import {
	type CallGround,
	makeCall,
	type PreparedCall,
	prepareCall,
	type SeatRequest,
} from "./agent-call.ts";
import { budgetStanding, hasBudget } from "./budget.ts";
import type { OnWait, WaitReason } from "./call-limits.ts";
import type { Ground } from "./context.ts";
import type { Reservation, Reserved } from "./reservations.ts";

/** What a call is made with that has to be let in first. */
export type AdmittedGround = CallGround &
	Pick<Ground, "limits" | "reservations" | "records" | "workflow">;

/** What came of it: a call, or why none was made. */
export type AdmittedCall =
	| { readonly kind: "made"; readonly call: CallRecord; readonly outcome: AgentOutcome }
	| { readonly kind: "unpaid"; readonly reason: string }
	| { readonly kind: "refused" };

/**
 * Prepares a call, waits until the agent's limits and the budgets let it in, and makes it. It waits where all is
 * ready, so that a place stands empty for no checkout, and the time of waiting is no time of the call.
 *
 * @param mayStart asked again after the wait for a place, in which other tasks may have learned that the agent is down
 */
export async function admittedCall(
	context: AdmittedGround,
	request: SeatRequest,
	{ number, mayStart }: { readonly number: number; readonly mayStart: () => boolean },
): Promise<AdmittedCall> {
	const prepared = await prepareCall(context, request, number);
	return await letIn(context, request, { prepared, mayStart });
}

async function letIn(
	context: AdmittedGround,
	request: SeatRequest,
	{ prepared, mayStart }: { readonly prepared: PreparedCall; readonly mayStart: () => boolean },
): Promise<AdmittedCall> {
	const { definition } = prepared.seat;
	const onWait = tellWait(context, request, definition);
	const leave = await context.limits.place(definition, context.signal, onWait);
	try {
		if (!mayStart()) return { kind: "refused" };
		const reserved = await reserve(context, request.agent, onWait);
		if (reserved.kind === "unpaid") return reserved;
		return await paidCall(context, prepared, { reserved, onWait });
	} finally {
		leave();
	}
}

function reserve(context: AdmittedGround, agent: string, onWait: OnWait): Promise<Reserved> {
	const { reservations, records, run, task, signal } = context;
	return reservations.reserve({
		taskId: task.id,
		agent,
		isBound: hasBudget(context),
		signal,
		onWait,
		standing: () => budgetStanding(context),
		highestCosts: () => records.highestCosts(run.runId),
	});
}

/** The last thing to wait for is the minute: what is counted there are starts. */
async function paidCall(
	context: AdmittedGround,
	prepared: PreparedCall,
	{ reserved, onWait }: { readonly reserved: Reservation; readonly onWait: OnWait },
): Promise<AdmittedCall> {
	let outcome: AgentOutcome | null = null;
	try {
		await context.limits.start(prepared.seat.definition, context.signal, onWait);
		const made = await makeCall(context, prepared);
		outcome = made.outcome;
		return { kind: "made", ...made };
	} finally {
		reserved.end(outcome);
	}
}

/** Tells once of each reason that a call has to wait for. */
function tellWait(
	{ commit, log }: Pick<Ground, "commit" | "log">,
	{ role, agent }: SeatRequest,
	{ maxParallel, requestsPerMinute }: AgentDefinition,
): OnWait {
	const limits: Record<WaitReason, number | undefined> = {
		max_parallel: maxParallel,
		requests_per_minute: requestsPerMinute,
		budget: undefined,
	};
	const told = new Set<WaitReason>();
	return async (why) => {
		if (told.has(why)) return;
		told.add(why);
		await commit([log.event("call-queued", { role, agent, why, limit: limits[why] ?? null })]);
	};
}
