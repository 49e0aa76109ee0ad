import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { AgentFailure } from "../../kernel/roles.ts";
import { systemCode } from "../../kernel/system-code.ts";
import { killed } from "../../process/ended-result.ts";
import type { ProcessHost, ProcessRequest, ProcessResult } from "../../process/process.ts";
import type { Agent, AgentCall, AgentOutcome, Usage } from "../agent.ts";
import { homeOf, homeVariables, makeHome, withoutHome } from "../call-home.ts";
import { saysSignedOut } from "../failure-of.ts";
import { type FoundReport, reportIn, structuredReport } from "../final-report.ts";
import { costOf } from "../price.ts";
import { callEnvironment } from "../protocol-env.ts";
import { reportSchema } from "../report.ts";
import { rightsOf } from "../rights.ts";
import type {
	FinalMessage,
	Harness,
	HarnessLaunch,
	HarnessReader,
	HarnessSeat,
	Login,
	Spending,
	ToolServer,
} from "./harness.ts";
import { JsonLines } from "./json-lines.ts";
import { notStarted, unended } from "./program-end.ts";

// Output of a stuck program is not kept: it is the same few lines over and over.
async function runUntilStuck(
	host: ProcessHost,
	request: ProcessRequest,
	{ reader, signal }: { readonly reader: HarnessReader; readonly signal: AbortSignal },
): Promise<ProcessResult> {
	const stop = new AbortController();
	const lines = new JsonLines((event) => {
		reader.read(event);
		if (reader.stuck?.() === true) stop.abort();
	});
	const onStdout = (text: string): void => lines.add(text);
	const startedAt = Date.now();
	try {
		const either = AbortSignal.any([signal, stop.signal]);
		const result = await host.run({ ...request, onStdout }, either);
		lines.end();
		return result;
	} catch (error) {
		if (signal.aborted || !stop.signal.aborted) throw error;
		return killed(startedAt);
	}
}

/** A harness in a seat. */
export interface HarnessAgentOptions {
	/** Absolute path of the program. */
	readonly program: string;
	readonly model: string | undefined;
	readonly args: readonly string[];
	readonly login: Login;
	/** Variables that the workflow's `env` names for this agent, with their values. */
	readonly env: Readonly<Record<string, string>>;
	/** The user's own values of the harness's `storeVariables`. */
	readonly store: Readonly<Record<string, string>>;
	/** Servers that it may use as the player. Default: none. */
	readonly servers?: readonly ToolServer[];
	readonly host: ProcessHost;
	/** Default: the system's. */
	readonly clock?: Clock;
}

function seatOf(harness: Harness, call: AgentCall, options: HarnessAgentOptions): HarnessSeat {
	const { model, args, login, store, servers = [], host } = options;
	const known = [...harness.keyVariables, ...harness.gateways.map(({ variable }) => variable)];
	const keys = Object.entries(options.env).filter(([name]) => known.includes(name));
	return {
		role: call.role,
		rights: rightsOf(call.role),
		prompt: call.prompt,
		cwd: call.cwd,
		workDir: call.workDir,
		tmpDir: call.tmpDir,
		login,
		home: homeOf(call),
		userHome: call.env["HOME"],
		store,
		model,
		args,
		schema: reportSchema(call.role),
		keys: Object.fromEntries(keys),
		confined: host.confines,
		servers: call.role === "player" ? servers : [],
	};
}

/** @returns the system's code when they could not be written, such as `ENOSPC` */
async function writeFiles(
	home: string,
	{ files, links = {} }: HarnessLaunch,
): Promise<string | null> {
	const folderOf = (path: string) => mkdir(dirname(path), { recursive: true, mode: 0o700 });
	try {
		await makeHome(home);
		for (const [path, content] of Object.entries(files)) {
			await folderOf(path);
			await writeFile(path, content, { mode: 0o600 });
		}
		for (const [path, target] of Object.entries(links)) {
			await folderOf(path);
			await symlink(target, path);
		}
		return null;
	} catch (error) {
		return systemCode(error);
	}
}

async function usageOf(spent: Spending | null, model: string | null): Promise<Usage | null> {
	if (spent === null) return null;
	const named = spent.model ?? model;
	return {
		inputTokens: spent.inputTokens,
		outputTokens: spent.outputTokens,
		costUsd: spent.costUsd ?? (await costOf({ ...spent, model: named })),
		model: named,
	};
}

function reportOf(message: FinalMessage, call: AgentCall): FoundReport {
	return "text" in message
		? reportIn(message.text, call)
		: structuredReport(message.structured, call);
}

interface HarnessCall {
	readonly call: AgentCall;
	readonly seat: HarnessSeat;
	readonly launch: HarnessLaunch;
	readonly options: HarnessAgentOptions;
}

function requestOf({ call, seat, launch, options }: HarnessCall): ProcessRequest {
	const { servers = [] } = seat;
	const variables = servers.flatMap(({ env }) => Object.entries(env));
	const named = { ...options.env, ...Object.fromEntries(variables) };
	return {
		command: [options.program, ...launch.args],
		cwd: call.cwd,
		env: {
			...callEnvironment(call, {
				store: options.login === "key" ? homeVariables(seat.home) : options.store,
				named,
			}),
			...launch.env,
		},
		stdin: launch.stdin,
		timeoutMs: call.timeoutMs,
		mark: call.mark,
		onOutput: call.onOutput,
		places: [call.cwd, call.workDir],
		writable: [
			...(seat.rights === "read" ? [] : [call.cwd]),
			seat.home,
			call.tmpDir,
			...launch.writable,
		],
		readable: Object.values(launch.links ?? {}),
		named: [...options.args, ...servers.flatMap(({ command }) => command), ...Object.values(named)],
	};
}

const NOT_SIGNED_IN =
	/\blog ?in\b|\blogged in\b|\bsign(?:ed)?[ -]in\b|unauthori[sz]ed|authenticat|\bapi[ _-]?key\b|credentials|\b401\b/i;

const UNEXPLAINED: ReadonlySet<AgentFailure> = new Set(["unknown", "tool_error"]);

function withSignIn(
	message: string,
	failure: AgentFailure,
): { readonly failure: AgentFailure; readonly message: string } {
	const isOut = failure === "signed_out" || (UNEXPLAINED.has(failure) && saysSignedOut(message));
	const hints = isOut || (UNEXPLAINED.has(failure) && NOT_SIGNED_IN.test(message));
	const hint = hints ? " (`spar doctor` says how to sign in)" : "";
	return { failure: isOut ? "signed_out" : failure, message: `${message}${hint}` };
}

async function playedOut(
	harness: Harness,
	prepared: HarnessCall,
	signal: AbortSignal,
): Promise<AgentOutcome> {
	const { call, launch, options } = prepared;
	const reader = harness.reader(options.clock ?? systemClock);
	const result = await runUntilStuck(options.host, requestOf(prepared), { reader, signal });
	const broken = unended(harness.name, result, call.timeoutMs);
	const end = reader.end(result);
	const usage = await usageOf(end.spent, launch.model);
	if (broken !== null) return { ...broken, usage };
	const { output, ms } = result;
	if (end.kind === "answered") {
		return { kind: "answered", ...reportOf(end.message, call), output, ms, usage };
	}
	const { retryAfterMs } = end;
	const told = withSignIn(end.message, end.failure);
	return { kind: "failed", ...told, output, ms, usage, retryAfterMs };
}

/**
 * A coding agent's own program in a seat: started for each call, controlled through its command line, and read
 * through the events that it prints.
 *
 * The report is the harness's structured output or the agent's final message; a file that it writes counts nothing.
 * A call that the harness's survey refuses, and a program that cannot be started, are `unknown`, a timeout is
 * `timeout`; everything else is what its reader says. In any case the call's home, in which some harnesses
 * keep whole sessions, is removed.
 */
export function harnessAgent(harness: Harness, options: HarnessAgentOptions): Agent {
	return {
		handsIn: "message",
		call: async (call, signal) => {
			signal.throwIfAborted();
			const given = seatOf(harness, call, options);
			const { found = {}, refusal = null } = (await harness.survey?.(given)) ?? {};
			if (refusal !== null)
				return { kind: "failed", failure: "unknown", output: "", ms: 0, message: refusal };
			const seat = { ...given, found };
			const launch = harness.launch(seat);
			return await withoutHome(call, async () => {
				const unwritable = await writeFiles(seat.home, launch);
				if (unwritable === null)
					return await playedOut(harness, { call, seat, launch, options }, signal);
				const startError = `its files cannot be written (${unwritable})`;
				return notStarted(harness.name, { startError });
			});
		},
	};
}
