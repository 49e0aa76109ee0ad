import { mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fieldsOf } from "../../kernel/fields.ts";
import { systemCode } from "../../kernel/system-code.ts";
import type {
	OpenProcess,
	ProcessHost,
	ProcessRequest,
	ProcessResult,
} from "../../process/process.ts";
import { within } from "../../process/run-process.ts";
import type { Agent, AgentBreakdown, AgentCall, AgentOutcome } from "../agent.ts";
import { homeOf, homeVariables, makeHome, withoutHome } from "../call-home.ts";
import { deadline } from "../deadline.ts";
import { reportIn } from "../final-report.ts";
import { notStarted } from "../harness/program-end.ts";
import { callEnvironment } from "../protocol-env.ts";
import { rightsOf } from "../rights.ts";
import { clientSide } from "./client-side.ts";
import { MAX_REQUESTS, MessageGate } from "./message-gate.ts";
import { AcpSession, type SessionResult } from "./session.ts";
import { crashFailure } from "./session-end.ts";
import { SessionReader } from "./session-reader.ts";
import { usageOf } from "./spent.ts";

/** A program that speaks the Agent Client Protocol, in a seat. */
export interface AcpAgentOptions {
	/** Program and arguments; no shell. A program with a slash is meant from the checkout, unless it is absolute. */
	readonly run: readonly [string, ...string[]];
	/** As the agent offers it; undefined: the agent's own choice. */
	readonly model?: string | undefined;
	/** `user`: the agent's own sign-in, where it is. `key`: a private home, and a key from `env`. */
	readonly login: "user" | "key";
	/** Variables that the workflow's `env` names for this agent, with their values. */
	readonly env: Readonly<Record<string, string>>;
	/** With `login: user`: variables by which the user tells agents where their stores are, such as `CODEX_HOME`. */
	readonly store?: Readonly<Record<string, string>>;
	/** With `login: user`: absolute paths of stores that a sandbox has to leave readable. Default none. */
	readonly readable?: readonly string[];
	readonly host: ProcessHost;
	/** For tests: how long the session may take to open, in ms. Default 120,000. */
	readonly openMs?: number;
}

// A program that says nothing is not waited for until its timeout.
const OPEN_MS = 120_000;

const CANCEL_MS = { timeout: 1_000, aborted: 250 } as const;

const LEAVE_MS = 500;

// Between the call's timeout and that of the process, which only guards against bugs in Sparring.
const SPARE_MS = 60_000;

// By itself opencode runs commands without asking; told so, it asks for permission, which a judging seat does not get.
const ASKS_FIRST = JSON.stringify({ bash: "ask", edit: "ask" });

const STDERR_MAX = 399_000;

interface Talk {
	readonly session: AcpSession;
	readonly turn: Promise<SessionResult>;
	readonly off: AbortController;
	readonly flooded: () => boolean;
	readonly openMs: number;
}

type SessionStop = "timeout" | "unopened" | "aborted";

async function turnOrStop(
	{ session, turn, openMs }: Talk,
	timeoutMs: number,
	signal: AbortSignal,
): Promise<SessionResult | SessionStop> {
	const { promise: stop, resolve } = Promise.withResolvers<SessionStop>();
	const limit = deadline(timeoutMs, signal);
	const onEnd = (): void => resolve(limit.timedOut() ? "timeout" : "aborted");
	limit.signal.addEventListener("abort", onEnd);
	if (limit.signal.aborted) onEnd();
	const opening = setTimeout(() => {
		if (session.request !== "session/prompt") resolve("unopened");
	}, openMs);
	try {
		return await Promise.race([stop, turn]);
	} finally {
		limit.clear();
		clearTimeout(opening);
	}
}

async function callOff({ session, turn, off }: Talk, ms: number): Promise<void> {
	off.abort();
	session.cancel();
	await within(turn, ms);
}

const isStop = (result: SessionResult | SessionStop): result is SessionStop =>
	result === "timeout" || result === "unopened" || result === "aborted";

async function endProgram(
	program: OpenProcess,
	patienceMs: number,
): Promise<{ readonly result: ProcessResult; readonly endedItself: boolean }> {
	program.stdin.end();
	let endedItself = false;
	const ended = program.ended.then(() => {
		endedItself = true;
	});
	await within(ended, patienceMs);
	const byItself = endedItself;
	program.end();
	return { result: await program.ended, endedItself: byItself };
}

function privateStores(home: string): Record<string, string> {
	return {
		...homeVariables(home),
		CODEX_HOME: join(home, ".codex"),
		CLAUDE_CONFIG_DIR: join(home, ".claude"),
		GEMINI_CLI_HOME: home,
	};
}

function processRequest(
	call: AgentCall,
	{ run, login, store = {}, env, readable = [] }: AcpAgentOptions,
): ProcessRequest {
	const isKey = login === "key";
	const home = homeOf(call);
	const rights = rightsOf(call.role);
	return {
		command: run,
		cwd: call.cwd,
		env: {
			...callEnvironment(call, {
				store: {
					...(isKey ? privateStores(home) : store),
					...(rights === "write" ? {} : { OPENCODE_PERMISSION: ASKS_FIRST }),
				},
				named: env,
			}),
			NO_BROWSER: "1",
		},
		timeoutMs: call.timeoutMs + SPARE_MS,
		mark: call.mark,
		places: [call.cwd, call.workDir],
		maxOutput: STDERR_MAX,
		writable: [...(rights === "read" ? [] : [call.cwd]), home, call.tmpDir],
		readable: isKey ? [] : readable,
		named: [...run, ...Object.values(env)],
	};
}

function transcriptOf(reader: SessionReader, stderr: string): string {
	const said = reader.transcript();
	if (stderr === "") return said;
	return `${said}${said === "" || said.endsWith("\n") ? "" : "\n"}[stderr]\n${stderr}`;
}

function verdictOf(
	how: SessionResult | Exclude<SessionStop, "aborted">,
	{ session, flooded, openMs, timeoutMs }: Talk & { readonly timeoutMs: number },
	end: { readonly result: ProcessResult; readonly endedItself: boolean },
): Pick<AgentBreakdown, "failure" | "message"> | "answered" {
	if (how === "timeout") {
		const doing =
			session.request === "session/prompt" ? "end its turn" : `answer ${session.request}`;
		return { failure: "timeout", message: `did not ${doing} within ${timeoutMs / 1_000} s` };
	}
	if (how === "unopened") {
		const message = `did not answer ${session.request} within ${openMs / 1_000} s`;
		return { failure: "timeout", message };
	}
	if (how !== "gone") return how;
	if (flooded()) {
		const message = `asked for permission or files more than ${MAX_REQUESTS} times in one turn`;
		return { failure: "tool_error", message };
	}
	return crashFailure({ ...end.result, endedItself: end.endedItself }, session.request);
}

async function unmadeHome(home: string): Promise<string | null> {
	try {
		await makeHome(home);
		await mkdir(join(home, ".codex"), { mode: 0o700 });
		return null;
	} catch (error) {
		return systemCode(error);
	}
}

async function begin(
	call: AgentCall,
	options: AcpAgentOptions,
	{ reader, kill }: { readonly reader: SessionReader; readonly kill: AbortSignal },
): Promise<
	{ readonly program: OpenProcess; readonly talk: Talk } | Parameters<typeof notStarted>[1]
> {
	const unmade = await unmadeHome(homeOf(call));
	if (unmade !== null) return { startError: `its home cannot be made (${unmade})` };
	const request = processRequest(call, options);
	const sdk = await import("@agentclientprotocol/sdk");
	const off = new AbortController();
	let flooded = false;
	const gate = new MessageGate({
		update: (params) => reader.update(params),
		asked: (params) => reader.tool(fieldsOf(params)["toolCall"]),
		flooded: () => {
			flooded = true;
			off.abort();
		},
	});
	const onOutput = (text: string): void => reader.beside(text);
	const onStdout = (text: string): void => gate.add(text);
	const program = await options.host.open({ ...request, onStdout, onOutput }, kill);
	if (!("ended" in program)) return program;
	const close = (): void => gate.close();
	program.stdout.once("close", close);
	program.ended.then(close, close);
	const rights = rightsOf(call.role);
	const places = { checkout: call.cwd, workDir: call.workDir, tmpDir: call.tmpDir };
	const app = clientSide(sdk, { rights, places, reader, off: off.signal });
	const connection = app.connect(gate.streamTo(program.stdin));
	const { model, login } = options;
	const hasKey = login === "key";
	const session = new AcpSession(connection, { call, rights, model, hasKey, reader });
	const turn = session.run().finally(() => connection.close());
	// Looked at later, and perhaps never when the call is aborted.
	turn.catch(() => undefined);
	const openMs = options.openMs ?? OPEN_MS;
	return { program, talk: { session, turn, off, flooded: () => flooded, openMs } };
}

async function playedOut(
	name: string,
	options: AcpAgentOptions,
	{ call, signal }: { readonly call: AgentCall; readonly signal: AbortSignal },
): Promise<AgentOutcome> {
	const reader = new SessionReader(call.onOutput);
	const killer = new AbortController();
	const begun = await begin(call, options, { reader, kill: killer.signal });
	if (!("talk" in begun)) return notStarted(name, begun);
	const { program, talk } = begun;
	const kill = (): void => killer.abort(signal.reason);
	try {
		const how = await turnOrStop(talk, call.timeoutMs, signal);
		signal.addEventListener("abort", kill);
		if (how !== "aborted") return await outcomeOf(how, { name, call, reader, program, talk });
		await callOff(talk, CANCEL_MS.aborted);
		throw signal.reason;
	} finally {
		if (signal.aborted) kill();
		program.end();
		await program.ended.catch(() => undefined);
		signal.removeEventListener("abort", kill);
	}
}

/**
 * A coding agent that speaks the Agent Client Protocol: a process and a session of its own for each call, without MCP
 * servers. The rights of its seat decide its permission requests; the report is what it says after its last tool call.
 * A program that cannot be started, one that speaks another version of the protocol and one that does not offer the
 * model are `unknown`; one that ends in mid-turn is `tool_error`, unless its last words tell more.
 */
export function acpAgent(options: AcpAgentOptions): Agent {
	const name = basename(options.run[0]);
	return {
		handsIn: "message",
		call: async (call, signal) => {
			signal.throwIfAborted();
			return await withoutHome(call, () => playedOut(name, options, { call, signal }));
		},
	};
}

async function outcomeOf(
	how: SessionResult | Exclude<SessionStop, "aborted">,
	at: {
		readonly name: string;
		readonly call: AgentCall;
		readonly reader: SessionReader;
		readonly program: OpenProcess;
		readonly talk: Talk;
	},
): Promise<AgentOutcome> {
	const { name, call, reader, program, talk } = at;
	const { session } = talk;
	if (isStop(how)) await callOff(talk, CANCEL_MS.timeout);
	const end = await endProgram(program, isStop(how) || talk.flooded() ? 0 : LEAVE_MS);
	const { agentName, model, answer } = session;
	const { steps, costUsd } = reader;
	const spent = { agentName, steps, costUsd, model };
	const usage = session.request === "session/prompt" ? await usageOf(answer, spent) : null;
	const verdict = verdictOf(how, { ...talk, timeoutMs: call.timeoutMs }, end);
	const told = { output: transcriptOf(reader, end.result.stderr), ms: end.result.ms, usage };
	if (verdict !== "answered") {
		const message = `${name} ${verdict.message}`;
		return { kind: "failed", ...verdict, message, ...told };
	}
	const message = reader.finalMessage;
	if (message !== null) {
		return { kind: "answered", ...reportIn(message, call), ...told };
	}
	const reportProblem = "the final message is longer than a report may be";
	return { kind: "answered", report: null, reportProblem, ...told };
}
