import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { AgentCall, AgentOutcome, HandsIn } from "../agents/agent.ts";
import { attendedCall } from "../agents/attended-call.ts";
import { writeCallFiles } from "../agents/call-files.ts";
import { removeHome } from "../agents/call-home.ts";
import { maskOutcome } from "../agents/mask-report.ts";
import type { Checkout } from "../git/checkout.ts";
import { randomId } from "../kernel/ids.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import type { Role } from "../kernel/roles.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import { repairPrompt } from "../review/report-format.ts";
import { composeProject } from "../setups/execution.ts";
import { openTemporary } from "../setups/own-temporary.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { CallRecord } from "../store/records.ts";
import type { Ground, Seat } from "./context.ts";

/** An answered call that does not count, and why. */
export interface RefusedAnswer {
	readonly call: CallRecord;
	readonly reason: string;
}

export interface PreparedCall {
	readonly seat: Seat;
	readonly request: SeatRequest;
	readonly call: Omit<AgentCall, "tmpDir">;
	readonly conventions: readonly string[];
}

// Text for the agent passes the masker here.
export async function prepareCall(
	ground: Ground,
	request: SeatRequest,
	number: number,
): Promise<PreparedCall> {
	const { role, agent } = request;
	const { turn } = ground.log;
	await request.prepare();
	const seat = await ground.seat(agent);
	await removeOldCalls(ground, role, `${turn}-${role}-${number}-`);
	// A name that no earlier call knows: what one left behind cannot be taken for this one's report.
	const workDir = `${ground.places.work}/calls/${turn}-${role}-${number}-${randomId(12)}`;
	mkdirSync(workDir, { recursive: true });
	const composed = await request.compose({ workDir, handsIn: seat.agent.handsIn });
	const prompt = ground.masker.mask(repaired(request, composed.prompt, seat.agent.handsIn));
	const files = await writeCallFiles(workDir, {
		prompt,
		context: maskAllButNames(ground.masker, composed.context),
	});
	const call: PreparedCall["call"] = {
		run: ground.run.runId,
		task: ground.task.id,
		subtask: ground.subtask?.id ?? null,
		turn,
		role,
		agent,
		call: number,
		cwd: request.checkout,
		prompt,
		...files,
		timeoutMs: request.timeoutMs ?? seat.definition.timeoutMs,
		env: {
			...composeProject(request.checkout),
			...ground.environment(seat.definition.env),
			GIT_CEILING_DIRECTORIES: dirname(request.checkout),
		},
		mark: `${ground.run.runId}:${ground.task.id}:${turn}:${role}:${number}`,
	};
	return { seat, request, call, conventions: composed.conventions ?? [] };
}

function repaired(
	{ role, refused = null, judgesCriteria }: SeatRequest,
	original: string,
	handsIn: HandsIn,
): string {
	if (refused === null || role === "tie_breaker" || role === "planner") return original;
	const { call, reason: error } = refused;
	return repairPrompt({ role, original, error, rejected: call.report, handsIn, judgesCriteria });
}

// An answer of the agent passes the masker here; the outcome holds no secret any more.
export async function makeCall(
	ground: Ground,
	{ seat, request, call, conventions }: PreparedCall,
): Promise<{ call: CallRecord; outcome: AgentOutcome }> {
	const { role, agent } = request;
	const named = conventions.length === 0 ? {} : { conventions };
	await ground.commit([
		ground.log.event("agent-called", { role, agent, call: call.call, ...named }),
	]);
	const startedAt = new Date(ground.clock.now()).toISOString();
	const checkout = (await request.worksIn?.id()) ?? null;
	const temporary = await asStateFault(call.workDir, () => openTemporary(ground.places.work));
	const asked = { ...call, tmpDir: temporary.path };
	let answer: AgentOutcome;
	try {
		answer = await attendedCall(seat.agent, asked, {
			...ground,
			tell: async (text, ms) => {
				const said = ground.masker.mask(text);
				const told = { role, agent, call: call.call, ms, said };
				await ground.commit([ground.log.event("call-retrying", told)]);
			},
		});
	} finally {
		await temporary.close();
	}
	const said = maskOutcome(ground.masker, answer);
	const kept = checkout === (await request.worksIn?.id()) || checkout === null;
	const outcome = kept ? said : withoutWork(said, request.checkout);
	return { call: await keep(ground, request, { call, outcome, startedAt, checkout }), outcome };
}

/** An answer whose checkout is gone is none: a missing directory must not be read as one without files. */
function withoutWork(outcome: AgentOutcome, checkout: string): AgentOutcome {
	if (outcome.kind === "failed") return outcome;
	const { output, ms, usage } = outcome;
	const message = `its checkout ${checkout} is gone, and its work with it`;
	return { kind: "failed", failure: "tool_error", message, output, ms, usage };
}

// Disk is finite. While a player works nothing of a judge's calls is there, whose prompts may hold hidden tests.
async function removeOldCalls(
	ground: Pick<Ground, "places" | "log">,
	role: Role,
	prefix: string,
): Promise<void> {
	const directory = `${ground.places.work}/calls`;
	if (!existsSync(directory)) return;
	for (const name of readdirSync(directory)) {
		const old = Number.parseInt(name, 10) < ground.log.turn - 1;
		const hidden = role === "player" && !name.includes("-player-");
		if (old || hidden || name.startsWith(prefix)) {
			// What cannot be removed now is tried again with the next call, and by `spar prune`.
			await removeHome(`${directory}/${name}`);
		}
	}
}

async function keep(
	ground: Ground,
	request: SeatRequest,
	{
		call,
		outcome,
		startedAt,
		checkout,
	}: Pick<PreparedCall, "call"> &
		Pick<CallRecord, "startedAt" | "checkout"> & { readonly outcome: AgentOutcome },
): Promise<CallRecord> {
	const { role, agent } = request;
	const transcriptPath = await keepTranscript(ground, call, outcome.output);
	const failed = outcome.kind === "failed";
	const record: CallRecord = {
		runId: call.run,
		taskId: call.task,
		subtask: call.subtask,
		turn: call.turn,
		role,
		call: call.call,
		agent,
		outcome: failed ? outcome.failure : "answered",
		report: failed ? null : outcome.report,
		reportProblem: failed ? null : (outcome.reportProblem ?? null),
		message: failed ? outcome.message : null,
		transcriptPath,
		checkout,
		startedAt,
		ms: outcome.ms,
		usage: outcome.usage ?? null,
	};
	// Changes of an answer in its checkout is recorded once a snapshot of it was taken.
	if (failed || request.worksIn === undefined)
		await recordCall(ground, request, call.call, outcome, null);
	const output_length = codePoints(outcome.output);
	const told = { role, agent, call: call.call, ms: outcome.ms, output_length };
	const { usage } = record;
	await ground.commit([
		{ kind: "call", call: record },
		record.outcome === "answered"
			? ground.log.event("agent-answered", { ...told, transcript: transcriptPath, usage })
			: ground.log.event("agent-failed", {
					...told,
					failure: record.outcome,
					message: record.message ?? "",
					usage,
				}),
	]);
	// It stands masked in the record; the agent's own file may hold a secret that it was trusted with.
	await removeFiles(call.reportPath);
	return record;
}

/** Number of characters of a text: a pair of surrogates is one. */
export const codePoints = (text: string): number =>
	text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
export function answeredBefore({ report, ms, usage }: CallRecord): AgentOutcome {
	return { kind: "answered", report, output: "", ms, usage };
}

export async function recordCall(
	ground: Pick<Ground, "recorder" | "task" | "subtask" | "log">,
	request: Pick<SeatRequest, "role" | "agent">,
	call: number,
	outcome: AgentOutcome,
	change: { readonly from: string; readonly to: string } | null,
): Promise<void> {
	await ground.recorder?.record({
		role: request.role,
		agent: request.agent,
		task: ground.task.id,
		subtask: ground.subtask?.id ?? null,
		turn: ground.log.turn,
		call,
		outcome,
		change,
	});
}

/** File of a call's transcript: below `transcripts/`, in the folder of its run and task. */
export function transcriptName({
	turn,
	role,
	call,
}: Pick<AgentCall, "turn" | "role" | "call">): string {
	return `turn-${turn}-${role}-${call}.log`;
}

async function keepTranscript(
	{ places, blobs }: Pick<Ground, "places" | "blobs">,
	call: PreparedCall["call"],
	output: string,
): Promise<string | null> {
	if (output === "") return null;
	const key = `${places.transcripts}/${transcriptName(call)}`;
	await blobs.put(key, output);
	return key;
}

export interface CallPlace {
	readonly workDir: string;
	readonly handsIn: HandsIn;
}

// The same request again after a kill gives the same answer.
export interface SeatRequest {
	readonly role: Role;
	readonly agent: string;
	readonly checkout: string;
	readonly worksIn?: Checkout;
	/** Longest duration of the call in milliseconds; undefined: the agent's. */
	readonly timeoutMs?: number | undefined;
	readonly prepare: () => Promise<void>;
	readonly compose: (place: CallPlace) => Promise<{
		readonly prompt: string;
		readonly context: unknown;
		/** Paths of the files of instructions that the prompt holds. */
		readonly conventions?: readonly string[];
	}>;
	readonly nth: number;
	readonly refused?: RefusedAnswer | null;
	readonly judgesCriteria?: boolean;
}
