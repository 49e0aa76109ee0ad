import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { AgentCall, AgentOutcome } from "../agents/agent.ts";
import { writeCallFiles } from "../agents/call-files.ts";
import { retryAfter } from "../agents/retry.ts";
import { randomId } from "../kernel/ids.ts";
import { maskDeep } from "../kernel/masking.ts";
import type { Role } from "../kernel/roles.ts";
import { maskCaptured } from "../process/capture.ts";
import type { CallRecord, StepKey, Write } from "../store/records.ts";
import { eventWrite, type Site, type TaskContext, usageOf } from "./context.ts";

/** A request to whoever sits in a seat; the same request again after a kill gives the same answer. */
export interface SeatRequest {
	readonly site: Site;
	readonly role: Role;
	/** Name of the agent in the workflow. */
	readonly agent: string;
	readonly checkout: string;
	/** Brings the checkout to the state that the call begins on; run before each attempt. */
	readonly prepare: () => Promise<void>;
	/** Prompt and context for this call; `workDir` is the call's own directory for further files. */
	readonly compose: (
		workDir: string,
	) => Promise<{ readonly prompt: string; readonly context: unknown }>;
	/** Which answered call of this seat, turn and episode is wanted, from 0: 1 is the repaired report. */
	readonly nth: number;
	/** True when the cassette line is written by the caller, who knows the files. */
	readonly recordLater: boolean;
}

export type SeatAnswer =
	| { readonly kind: "answered"; readonly call: CallRecord; readonly outcome: AgentOutcome | null }
	| { readonly kind: "failed"; readonly call: CallRecord };

/**
 * Calls an agent, with retries for the failures that may pass. No turn is charged for them.
 *
 * Every finished call is stored before anything is done with it, so that after a kill at most the call that was
 * running is made again.
 */
export async function callSeat(context: TaskContext, request: SeatRequest): Promise<SeatAnswer> {
	for (;;) {
		const { finished, episode } = await finishedCalls(context, request);
		const answered = episode.filter((call) => call.outcome === "answered")[request.nth];
		if (answered !== undefined) return { kind: "answered", call: answered, outcome: null };
		const failures = failuresInARow(episode);
		const last = episode.at(-1);
		if (last !== undefined && failures > 0 && isFinal(last, failures))
			return { kind: "failed", call: last };
		const { call, outcome } = await callOnce(context, request, finished.length + 1);
		if (outcome.kind === "answered") return { kind: "answered", call, outcome };
		const delay = retryAfter(outcome.failure, failures + 1, outcome.retryAfterMs);
		if (delay === null) return { kind: "failed", call };
		await context.clock.sleep(delay, context.signal);
	}
}

/** Ends the present episode of a seat: after a person said "try again", earlier answers and failures count no more. */
export async function endOfEpisode(context: TaskContext, site: Site, role: Role): Promise<Write> {
	const calls = await context.records.calls(context.run.runId, context.task.id, site.turn, role);
	return { kind: "step", key: episodeKey(context, site, role), result: calls.length };
}

function episodeKey(context: TaskContext, site: Site, role: Role): StepKey {
	return {
		runId: context.run.runId,
		taskId: context.task.id,
		turn: site.turn,
		step: `episode/${role}`,
	};
}

async function finishedCalls(
	context: TaskContext,
	{ site, role }: SeatRequest,
): Promise<{ finished: readonly CallRecord[]; episode: readonly CallRecord[] }> {
	const finished = await context.records.calls(context.run.runId, context.task.id, site.turn, role);
	const from = await context.records.step(episodeKey(context, site, role));
	return { finished, episode: finished.slice(typeof from === "number" ? from : 0) };
}

function failuresInARow(calls: readonly CallRecord[]): number {
	const lastAnswer = calls.findLastIndex((call) => call.outcome === "answered");
	return calls.length - 1 - lastAnswer;
}

function isFinal(call: CallRecord, failures: number): boolean {
	// An outcome that is not `answered` is one of the closed set: it was written from an AgentFailure.
	return retryAfter(call.outcome as Parameters<typeof retryAfter>[0], failures) === null;
}

async function callOnce(
	context: TaskContext,
	request: SeatRequest,
	number: number,
): Promise<{ call: CallRecord; outcome: AgentOutcome }> {
	const { site, role, agent } = request;
	await request.prepare();
	const seat = await context.seat(agent);
	await removeOldCalls(context, site, `${site.turn}-${role}-${number}-`);
	// A name that no earlier call knows: what one left behind cannot be taken for this one's report.
	const workDir = `${context.places.work}/calls/${site.turn}-${role}-${number}-${randomId(12)}`;
	await mkdir(workDir, { recursive: true });
	const composed = await request.compose(workDir);
	const prompt = context.masker.mask(composed.prompt);
	const files = await writeCallFiles(workDir, {
		prompt,
		context: maskDeep(context.masker, composed.context),
	});
	const call: AgentCall = {
		run: context.run.runId,
		task: context.task.id,
		subtask: null,
		turn: site.turn,
		role,
		agent,
		call: number,
		cwd: request.checkout,
		prompt,
		...files,
		timeoutMs: seat.definition.timeoutMs,
		env: {
			...context.environment(seat.definition.env),
			GIT_CEILING_DIRECTORIES: dirname(request.checkout),
		},
		mark: `${context.run.runId}:${context.task.id}:${site.turn}:${role}:${number}`,
	};
	await context.commit([eventWrite(context, site, "agent-called", { role, agent, call: number })]);
	const startedAt = new Date(context.clock.now()).toISOString();
	const outcome = await seat.agent.call(call, context.signal);
	return { call: await keep(context, request, { call, outcome, startedAt }), outcome };
}

/** What a killed attempt of this call left goes, and so does what turns before the last one left: disk is finite. */
async function removeOldCalls(context: TaskContext, site: Site, prefix: string): Promise<void> {
	const directory = `${context.places.work}/calls`;
	const names = await readdir(directory).catch(() => []);
	for (const name of names) {
		const old = Number.parseInt(name, 10) < site.turn - 1;
		if (old || name.startsWith(prefix)) {
			await rm(`${directory}/${name}`, { recursive: true, force: true });
		}
	}
}

async function keep(
	context: TaskContext,
	request: SeatRequest,
	{ call, outcome, startedAt }: { call: AgentCall; outcome: AgentOutcome; startedAt: string },
): Promise<CallRecord> {
	const { site, role, agent } = request;
	const transcriptPath = await keepTranscript(context, call, outcome.output);
	const { masker } = context;
	const failed = outcome.kind === "failed";
	const record: CallRecord = {
		runId: call.run,
		taskId: call.task,
		subtask: null,
		turn: site.turn,
		role,
		call: call.call,
		agent,
		outcome: failed ? outcome.failure : "answered",
		report: failed || outcome.report === null ? null : masker.mask(outcome.report),
		reportProblem: failed ? null : (outcome.reportProblem ?? null),
		message: failed ? masker.mask(outcome.message) : null,
		transcriptPath,
		startedAt,
		ms: outcome.ms,
		usage: usageOf(outcome),
	};
	if (failed || !request.recordLater) await recordCall(context, request, call.call, outcome, null);
	const told = { role, agent, call: call.call, ms: outcome.ms };
	await context.commit([
		{ kind: "call", call: record },
		record.outcome === "answered"
			? eventWrite(context, site, "agent-answered", {
					...told,
					transcript: transcriptPath,
					usage: record.usage,
				})
			: eventWrite(context, site, "agent-failed", {
					...told,
					failure: record.outcome,
					message: record.message ?? "",
				}),
	]);
	// It stands masked in the record; the agent's own file may hold a secret that it was trusted with.
	await rm(call.reportPath, { recursive: true, force: true });
	return record;
}

/** Hands a finished call to the cassette that is being recorded, if any. */
export async function recordCall(
	context: TaskContext,
	request: Pick<SeatRequest, "site" | "role" | "agent">,
	call: number,
	outcome: AgentOutcome,
	change: { readonly from: string; readonly to: string } | null,
): Promise<void> {
	await context.recorder?.record({
		role: request.role,
		agent: request.agent,
		task: context.task.id,
		subtask: null,
		turn: request.site.turn,
		call,
		outcome,
		change,
	});
}

async function keepTranscript(
	context: TaskContext,
	call: AgentCall,
	output: string,
): Promise<string | null> {
	if (output === "") return null;
	const name = `turn-${call.turn}-${call.role}-${call.call}.log`;
	await mkdir(context.places.transcriptDir, { recursive: true });
	await writeFile(`${context.places.transcriptDir}/${name}`, maskCaptured(output, context.masker));
	return `${context.places.transcriptPrefix}/${name}`;
}
