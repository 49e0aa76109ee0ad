import type { AgentOutcome } from "../agents/agent.ts";
import { retryAfter, speaksOfTask } from "../agents/circuit.ts";
import type { Parsed } from "../agents/parse-report.ts";
import type { QuotaReason } from "../human/reason.ts";
import { isoTime } from "../kernel/clock.ts";
import type { AgentFailure, Role } from "../kernel/roles.ts";
import { type CallRecord, type StepKey, stepWrite, type Write } from "../store/records.ts";
import type { AgentDefinition } from "../workflow/workflow.ts";
import { budgetStanding, wallLeftMs } from "./admission/budget.ts";
import type { OnWait, WaitReason } from "./admission/call-limits.ts";
import { type RefusedAnswer, readyCall, type SeatRequest } from "./agent-call.ts";
import type { Ground } from "./context.ts";

interface Answered {
	readonly kind: "answered";
	readonly call: CallRecord;
	/** Null of one that was stored before. */
	readonly outcome: AgentOutcome | null;
}

export type SeatAnswer =
	| Answered
	| {
			readonly kind: "failed";
			readonly call: CallRecord;
			readonly retryAfterMs?: number | undefined;
	  }
	| { readonly kind: "unpaid"; readonly reason: string };

// No turn is charged for retries and fallbacks. Every finished call is stored before anything is done with it, so
// that after a kill at most the call that was running is made again.
export async function callSeat(ground: Ground, request: SeatRequest): Promise<SeatAnswer> {
	const { role } = request;
	for (let agent = request.agent; ; ) {
		const tried = await tryAgent(ground, { ...request, agent });
		if (tried.kind === "replaced") {
			const { fallback, why } = tried;
			await ground.commit([ground.log.event("agent-replaced", { role, agent, fallback, why })]);
			agent = fallback;
		} else if (tried.kind === "failed" && LIMITS.has(tried.call.outcome))
			await outwaitAccount(ground, role, tried);
		// It went out of order while the call waited: the same agent is judged by that.
		else if (tried.kind !== "refused") return tried;
	}
}

/** `refused`: answers that were no reports. */
export type Heard<Report> =
	| ((
			| { readonly kind: "report"; readonly call: CallRecord; readonly report: Report }
			| {
					readonly kind: "failed";
					readonly agent: string;
					readonly reason: string;
					/** Of its call; left out where it answered, and not usably. */
					readonly failure?: AgentFailure;
			  }
	  ) & { readonly refused: readonly RefusedAnswer[] })
	| Extract<SeatAnswer, { kind: "unpaid" }>;

/** Asks for a report, and once more with the error where it cannot be used. No turn is charged. */
export async function heardTwice<Report>(
	/** Named, a failure of its fallback says whose it is. */
	asked: string | null,
	ask: (nth: number, refused: RefusedAnswer | null) => Promise<SeatAnswer>,
	parse: (report: string | null, problem?: string) => Parsed<Report>,
	refused: RefusedAnswer[] = [],
): Promise<Heard<Report>> {
	for (let nth = 0; ; nth += 1) {
		const answer = await ask(nth, refused.at(-1) ?? null);
		if (answer.kind === "unpaid") return answer;
		const { call } = answer;
		const { agent } = call;
		if (answer.kind === "failed")
			return { kind: "failed", agent, ...whyFailed(call, asked), refused };
		const parsed = parse(call.report, call.reportProblem ?? undefined);
		if (parsed.ok) return { kind: "report", call, report: parsed.report, refused };
		const { reason } = parsed;
		refused.push({ call, reason });
		if (refused.length > 1)
			return { kind: "failed", agent, reason: `its report was invalid twice: ${reason}`, refused };
	}
}

function whyFailed(call: CallRecord, asked: string | null) {
	const { agent, message } = call;
	const who = agent === (asked ?? agent) ? "" : `its fallback ${agent}: `;
	return { reason: `${who}${message ?? ""}`, failure: failureOfCall(call) };
}

const LIMITS: ReadonlySet<string> = new Set<AgentFailure>(["quota_exhausted", "rate_limit"]);

type Asked = Pick<SeatRequest, "role" | "nth">;

export async function answerSoFar(ground: Reads, asked: Asked): Promise<Answered | null> {
	const { episode } = await finishedCalls(ground, asked);
	return answerIn(episode, asked);
}

function answerIn(episode: readonly CallRecord[], { nth }: Asked): Answered | null {
	const call = episode.filter(({ outcome }) => outcome === "answered")[nth];
	return call === undefined ? null : { kind: "answered", call, outcome: null };
}

type Tried =
	| SeatAnswer
	| { readonly kind: "replaced"; readonly fallback: string; readonly why: string }
	| { readonly kind: "refused" };

// An agent that is out of order is passed over for its fallback; without one it is asked once.
async function tryAgent(ground: Ground, request: SeatRequest): Promise<Tried> {
	const { admission, task } = ground;
	const { definition } = await ground.seat(request.agent);
	const { fallback } = definition;
	const isDown = (): boolean => admission.isOutOfOrder(definition, task.id);
	const wasDown = isDown();
	const passedOver: Tried | null =
		wasDown && fallback !== undefined ? { kind: "replaced", fallback, why: "out of order" } : null;
	const lost = (call: CallRecord, retryAfterMs?: number): Tried =>
		fallback === undefined || speaksOfTask(call.outcome)
			? { kind: "failed", call, retryAfterMs }
			: { kind: "replaced", fallback, why: call.outcome };
	for (;;) {
		const { finished, episode } = await finishedCalls(ground, request);
		const failed = failuresInARow(episode, request.agent);
		const [last] = failed.slice(-1).filter((call) => isFinal(call, failed.length));
		const known =
			answerIn(episode, request) ??
			passedOver ??
			(last === undefined ? await unpaid(ground) : lost(last));
		if (known !== null) return known;
		// It waits where all is ready: a place stands empty for no checkout, and the wait is no time of the call.
		const make = await readyCall(ground, request, finished.length + 1);
		const mayStart = (): boolean => wasDown || failed.length > 0 || !isDown();
		const onWait = tellWait(ground, request, definition);
		const made = await admission.enter(ground, { definition, mayStart, onWait }, make);
		if (made.kind !== "made") return made;
		const { call, outcome } = made;
		if (outcome.kind === "answered") return { kind: "answered", call, outcome };
		const { failure, retryAfterMs, hasRetried = false } = outcome;
		const delay = retryAfter(failure, failed.length + 1, retryAfterMs);
		if (delay === null || wasDown || hasRetried) return lost(call, retryAfterMs);
		await ground.clock.sleep(delay, ground.signal);
	}
}

async function unpaid(ground: Ground): Promise<Tried | null> {
	const { stop: reason } = await budgetStanding(ground);
	return reason === null ? null : { kind: "unpaid", reason };
}

export async function endOfEpisode({ read, log }: Reads, role: Role): Promise<Write> {
	const calls = await read.calls(log.turn, role);
	return stepWrite(episodeKey(log, role), calls.length);
}

const episodeKey = (log: Ground["log"], role: Role): StepKey<number> => log.key(`episode/${role}`);

type Reads = Pick<Ground, "read" | "log">;

async function finishedCalls(
	{ read, log }: Reads,
	{ role }: Asked,
): Promise<{ finished: readonly CallRecord[]; episode: readonly CallRecord[] }> {
	const finished = await read.calls(log.turn, role);
	const from = await read.step(episodeKey(log, role));
	return { finished, episode: finished.slice(from ?? 0) };
}

// An account that had reached its limit says nothing of now: what was waited for is asked again.
function failuresInARow(calls: readonly CallRecord[], agent: string): readonly CallRecord[] {
	const own = calls.filter((call) => call.agent === agent);
	const since = own.slice(own.findLastIndex((call) => call.outcome === "answered") + 1);
	let failed: CallRecord[] = [];
	for (const call of since) {
		failed.push(call);
		if (LIMITS.has(call.outcome) && isFinal(call, failed.length)) failed = [];
	}
	return failed;
}

const isFinal = (call: CallRecord, failures: number): boolean =>
	retryAfter(failureOfCall(call), failures) === null;

/** Failure of a call that failed. */
export function failureOfCall({ outcome }: Pick<CallRecord, "outcome">): AgentFailure {
	// An outcome that is not `answered` is one of the closed set: it was written from an AgentFailure.
	return outcome as AgentFailure;
}

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

// Where the workflow wants that, the time is known and the budget of working time reaches so far; else it throws
// AccountSpent.
async function outwaitAccount(
	ground: Ground,
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
