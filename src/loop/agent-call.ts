import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Agent, AgentCall, AgentOutcome, HandsIn } from "../agents/agent.ts";
import { attendedCall } from "../agents/attended-call.ts";
import { writeCallFiles } from "../agents/call-files.ts";
import { removeHome } from "../agents/call-home.ts";
import { maskOutcome } from "../agents/mask-report.ts";
import type { Checkout } from "../git/checkout.ts";
import { type Clock, isoTime } from "../kernel/clock.ts";
import { randomId } from "../kernel/ids.ts";
import { removeFiles } from "../kernel/remove-files.ts";
import type { Role } from "../kernel/roles.ts";
import { asStateFault } from "../kernel/state-fault.ts";
import type { Masker } from "../masking/masking.ts";
import { repairPrompt } from "../review/report-format.ts";
import { composeProject } from "../setups/execution.ts";
import { openTemporary } from "../setups/own-temporary.ts";
import { maskAllButNames } from "../store/mask-texts.ts";
import type { CallRecord } from "../store/records.ts";
import type { EventData, EventType } from "../trace/event.ts";
import type { Ground } from "./context.ts";

type WrittenCall = Omit<AgentCall, "tmpDir">;

export interface Told {
	readonly prompt: string;
	readonly context: unknown;
	/** Paths of the files of instructions that the prompt holds. */
	readonly conventions?: readonly string[] | undefined;
}

/** Writes the files of a call. All that the agent is told passes the masker here. */
export async function writtenCall(
	masker: Masker,
	call: Omit<WrittenCall, "prompt" | "promptPath" | "contextPath" | "reportPath">,
	told: Pick<Told, "prompt" | "context">,
): Promise<WrittenCall> {
	const prompt = masker.mask(told.prompt);
	const context = maskAllButNames(masker, told.context);
	const files = await writeCallFiles(call.workDir, { prompt, context });
	const env = { ...call.env, GIT_CEILING_DIRECTORIES: dirname(call.cwd) };
	return { ...call, env, prompt, ...files };
}

/** Makes a call once, in a temporary folder of its own. All that the agent says passes the masker here. */
export async function madeCall(
	agent: Agent,
	call: WrittenCall,
	by: {
		readonly masker: Masker;
		readonly clock: Clock;
		readonly signal: AbortSignal;
		/** Directory of the task, outside of every checkout. */
		readonly work: string;
		readonly retrying: (data: EventData["call-retrying"]) => Promise<void>;
	},
): Promise<AgentOutcome> {
	const { masker, clock, signal } = by;
	const temporary = await asStateFault(call.workDir, () => openTemporary(by.work));
	try {
		const tell = (text: string, ms: number) =>
			by.retrying({ ...namesOf(call), ms, said: masker.mask(text) });
		const asked = { ...call, tmpDir: temporary.path };
		return maskOutcome(masker, await attendedCall(agent, asked, { clock, signal, tell }));
	} finally {
		await temporary.close();
	}
}

const namesOf = ({ role, agent, call }: Pick<AgentCall, "role" | "agent" | "call">) => ({
	role,
	agent,
	call,
});

/** Tells how a call ended. Of its text it tells the number of characters; a pair of surrogates is one. */
export function tellEnd<Result>(
	tell: <Type extends EventType>(type: Type, data: EventData[Type]) => Result,
	call: Pick<AgentCall, "role" | "agent" | "call">,
	outcome: AgentOutcome,
	transcript: string | null,
): Result {
	const { ms, output, usage = null } = outcome;
	const pairs = output.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0;
	const ended = { ...namesOf(call), ms, output_length: output.length - pairs };
	if (outcome.kind === "answered") return tell("agent-answered", { ...ended, transcript, usage });
	const { failure, message } = outcome;
	return tell("agent-failed", { ...ended, failure, message, usage });
}

/** An answered call that does not count, and why. */
export interface RefusedAnswer {
	readonly call: CallRecord;
	readonly reason: string;
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
	/** The checkout, where its changes are part of the answer. */
	readonly worksIn?: Checkout | undefined;
	/** Longest duration of the call in milliseconds; undefined: the agent's. */
	readonly timeoutMs?: number | undefined;
	readonly prepare: () => Promise<void>;
	readonly compose: (place: CallPlace) => Promise<Told>;
	readonly nth: number;
	readonly refused?: RefusedAnswer | null;
	readonly judgesCriteria?: boolean | undefined;
}

/** Makes all ready for a call of a task; the returned function makes it. */
export async function readyCall(
	ground: Ground,
	request: SeatRequest,
	number: number,
): Promise<() => Promise<MadeCall>> {
	const { role, agent: name, checkout } = request;
	const { run, task, log, places } = ground;
	await request.prepare();
	const { agent, definition } = await ground.seat(name);
	const { handsIn } = agent;
	const prefix = `${log.turn}-${role}-${number}-`;
	await removeOldCalls(ground, role, prefix);
	// A name that no earlier call knows: what one left behind cannot be taken for this one's report.
	const workDir = `${places.work}/calls/${prefix}${randomId(12)}`;
	mkdirSync(workDir, { recursive: true });
	const told = await request.compose({ workDir, handsIn });
	const asked = {
		run: run.runId,
		task: task.id,
		subtask: ground.subtask?.id ?? null,
		turn: log.turn,
		role,
		agent: name,
		call: number,
		cwd: checkout,
		workDir,
		timeoutMs: request.timeoutMs ?? definition.timeoutMs,
		env: { ...composeProject(checkout), ...ground.environment(definition.env) },
		mark: `${run.runId}:${task.id}:${log.turn}:${role}:${number}`,
	};
	const prompt = repaired(request, told.prompt, handsIn);
	const call = await writtenCall(ground.masker, asked, { ...told, prompt });
	return () => makeCall(ground, request, agent, { call, conventions: told.conventions });
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

// Disk is finite. While a player works nothing of a judge's calls is there, whose prompts may hold hidden tests.
async function removeOldCalls(
	{ places, log }: Pick<Ground, "places" | "log">,
	role: Role,
	prefix: string,
): Promise<void> {
	const directory = `${places.work}/calls`;
	if (!existsSync(directory)) return;
	for (const name of readdirSync(directory)) {
		const isOld = Number.parseInt(name, 10) < log.turn - 1;
		const isHidden = role === "player" && !name.includes("-player-");
		// What cannot be removed now is tried again with the next call, and by `spar prune`.
		if (isOld || isHidden || name.startsWith(prefix)) await removeHome(`${directory}/${name}`);
	}
}

export interface MadeCall {
	readonly call: CallRecord;
	readonly outcome: AgentOutcome;
}

async function makeCall(
	ground: Ground,
	{ worksIn }: Pick<SeatRequest, "worksIn">,
	agent: Agent,
	{ call, conventions = [] }: Pick<Told, "conventions"> & { readonly call: WrittenCall },
): Promise<MadeCall> {
	const { log, clock, places } = ground;
	const named = conventions.length === 0 ? {} : { conventions };
	await ground.commit([log.event("agent-called", { ...namesOf(call), ...named })]);
	const startedAt = isoTime(clock.now());
	const checkout = (await worksIn?.id()) ?? null;
	const said = await madeCall(agent, call, {
		...ground,
		work: places.work,
		retrying: (told) => ground.commit([log.event("call-retrying", told)]),
	});
	const isThere = checkout === null || checkout === (await worksIn?.id());
	const outcome = isThere ? said : withoutWork(said, call.cwd);
	// Changes of an answer in its checkout is recorded once a snapshot of it was taken.
	if (outcome.kind === "failed" || worksIn === undefined)
		await recordCall(ground, call, outcome, null);
	const transcriptPath = await keepTranscript(ground, call, outcome);
	const record = { ...recordOf(call, outcome), transcriptPath, checkout, startedAt };
	await ground.commit([
		{ kind: "call", call: record },
		tellEnd(log.event, call, outcome, transcriptPath),
	]);
	// It stands masked in the record; the agent's own file may hold a secret that it was trusted with.
	await removeFiles(call.reportPath);
	return { call: record, outcome };
}

/** An answer whose checkout is gone is none: a missing directory must not be read as one without files. */
function withoutWork(outcome: AgentOutcome, checkout: string): AgentOutcome {
	if (outcome.kind === "failed") return outcome;
	const { output, ms, usage } = outcome;
	const message = `its checkout ${checkout} is gone, and its work with it`;
	return { kind: "failed", failure: "tool_error", message, output, ms, usage };
}

function recordOf(
	{ run, task, subtask, turn, role, call, agent }: WrittenCall,
	outcome: AgentOutcome,
): Omit<CallRecord, "transcriptPath" | "checkout" | "startedAt"> {
	const { ms, usage = null } = outcome;
	const of = { runId: run, taskId: task, subtask, turn, role, call, agent, ms, usage };
	if (outcome.kind === "failed") {
		const { failure, message } = outcome;
		return { ...of, outcome: failure, report: null, reportProblem: null, message };
	}
	const { report, reportProblem = null } = outcome;
	return { ...of, outcome: "answered", report, reportProblem, message: null };
}

export function answeredBefore({ report, ms, usage }: CallRecord): AgentOutcome {
	return { kind: "answered", report, output: "", ms, usage };
}

export async function recordCall(
	{ recorder, task, subtask, log }: Pick<Ground, "recorder" | "task" | "subtask" | "log">,
	call: Pick<CallRecord, "role" | "agent" | "call">,
	outcome: AgentOutcome,
	change: { readonly from: string; readonly to: string } | null,
): Promise<void> {
	const of = { ...namesOf(call), task: task.id, subtask: subtask?.id ?? null, turn: log.turn };
	await recorder?.record({ ...of, outcome, change });
}

/** File of a call's transcript: below `transcripts/`, in the folder of its run and task. */
export const transcriptName = (of: Pick<AgentCall, "turn" | "role" | "call">): string =>
	`turn-${of.turn}-${of.role}-${of.call}.log`;

async function keepTranscript(
	{ places, blobs }: Pick<Ground, "places" | "blobs">,
	call: WrittenCall,
	{ output }: AgentOutcome,
): Promise<string | null> {
	if (output === "") return null;
	const key = `${places.transcripts}/${transcriptName(call)}`;
	await blobs.put(key, output);
	return key;
}
