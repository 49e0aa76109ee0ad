import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import { fieldsOf } from "../../kernel/fields.ts";
import { bareHost } from "../../process/run-process.ts";
import { contractCall, HANGING, made, REPORT } from "../agent.contract.ts";
import type { Agent, AgentCall, AgentOutcome } from "../agent.ts";
import { type AcpAgentOptions, acpAgent } from "./acp-agent.ts";
import { MAX_PATHS } from "./tool-calls.ts";

const FAKE = resolve("test/fixtures/acp/fake-agent.mjs");

type Json = Readonly<Record<string, unknown>>;

/** An agent that does what the script says; see the fixture. */
const fake = (script: Json = {}, rest: Partial<AcpAgentOptions> = {}): Agent =>
	acpAgent({
		run: [process.execPath, FAKE, JSON.stringify(script)],
		login: "user",
		env: {},
		host: bareHost,
		...rest,
	});

const say = (text: string): Json => ({
	update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});

const never = new AbortController().signal;
let dir = "";

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-acp-session-"));
	await mkdir(join(dir, "checkout"));
});

afterEach(() => rm(dir, { recursive: true }));

async function outcomeOf(agent: Agent, rest: Partial<AgentCall> = {}): Promise<AgentOutcome> {
	return agent.call(await contractCall(dir, { cwd: join(dir, "checkout"), ...rest }), never);
}

/** What the fake agent has noted. */
async function linesOf(log: string): Promise<readonly Json[]> {
	const lines = (await readFile(log, "utf8")).trim().split("\n");
	return lines.map((line) => fieldsOf(JSON.parse(line)));
}

thorough("a session without an id is not prompted", async () => {
	const log = join(dir, "log");
	for (const sessionId of ["", null, 7]) {
		const outcome = await outcomeOf(fake({ log, session: { sessionId }, steps: [say(REPORT)] }));
		expect(outcome).toMatchObject({
			kind: "failed",
			failure: "unknown",
			message: "node opened a session without an id",
		});
	}
	const methods = (await linesOf(log)).map(({ method }) => method);
	expect(methods).not.toContain("prompt");
});

test("an agent that does not enter its reading mode is told of, and judges all the same", async () => {
	const availableModes = ["default", "plan"].map((id) => ({ id, name: id }));
	const session = { modes: { currentModeId: "default", availableModes } };
	const outcome = await outcomeOf(fake({ session, refusesMode: true, steps: [say(REPORT)] }));
	expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
	expect(outcome.output).toMatch(/^\[spar\] the agent did not enter its reading mode: /);
});

thorough(
	"a session that does not open in time is a timeout, long before that of the call",
	async () => {
		const outcome = await outcomeOf(fake({ silent: true }, { openMs: 400 }), { timeoutMs: 60_000 });
		const message = "node did not answer initialize within 0.4 s";
		expect(outcome).toMatchObject({ kind: "failed", failure: "timeout", message });
		expect(outcome.ms).toBeLessThan(30_000);
	},
);

thorough("a session that is open has the whole time of its call", async () => {
	const agent = fake({ steps: [{ pause: 3_000 }, say(REPORT)] }, { openMs: 2_500 });
	expect(await outcomeOf(agent)).toMatchObject({ kind: "answered", report: REPORT });
});

test("what the agent says that it has cost is the cost of the call", async () => {
	const costs = [0, 0.25].map((amount) => ({
		update: { sessionUpdate: "usage_update", used: 1, size: 2, cost: { amount, currency: "USD" } },
	}));
	const outcome = await outcomeOf(fake({ steps: [...costs, say(REPORT)] }));
	expect(outcome.usage).toMatchObject({ costUsd: 0.25, inputTokens: null });
});

test("permission for more paths than are checked is refused, though all are inside", async () => {
	const log = join(dir, "log");
	const options = ["allow_once", "reject_once"].map((kind) => ({
		kind,
		optionId: kind,
		name: kind,
	}));
	const steps = [MAX_PATHS, MAX_PATHS + 1].map((count) => {
		const locations = Array.from({ length: count }, (_, at) => ({
			path: join(dir, "checkout", `f${at}`),
		}));
		return { ask: { toolCall: { toolCallId: `t${count}`, kind: "read", locations }, options } };
	});
	await outcomeOf(fake({ log, steps }));
	const answers = (await linesOf(log)).filter(({ method }) => method === "answer");
	const chosen = answers.map(({ params }) => fieldsOf(fieldsOf(params)["outcome"])["optionId"]);
	expect(chosen).toEqual(["allow_once", "reject_once"]);
});

describe("the private home of a call is gone", () => {
	/** Leaves in its home what agents leave there, and says so. */
	const leaves = (home: string): Json => ({
		shell: `mkdir -p ${home}/.x/sessions && echo secret > ${home}/.x/sessions/1 && chmod 500 ${home}/.x && touch left`,
	});
	const home = (): string => join(dir, "call-1", "home");

	test.each(["key", "user"] as const)("after an answer, by %s", async (login) => {
		const agent = fake({ steps: [leaves(home()), say(REPORT)] }, { login });
		const outcome = await outcomeOf(agent);
		expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
		expect(outcome.output).not.toContain("could not be removed");
		expect(existsSync(join(dir, "checkout", "left"))).toBe(true);
		expect(existsSync(home())).toBe(false);
	});

	thorough("after a crash and after a timeout", async () => {
		for (const last of [{ exit: 3 }, { hang: true }]) {
			const agent = fake({ steps: [leaves(home()), last] }, { login: "key" });
			const outcome = await outcomeOf(agent, { timeoutMs: 3_000 });
			expect(outcome).toMatchObject({ kind: "failed" });
			expect(existsSync(join(dir, "checkout", "left"))).toBe(true);
			expect(existsSync(home())).toBe(false);
		}
	});

	thorough("after an abort", async () => {
		const steps = [leaves(home()), { shell: `touch ${HANGING}` }, { hang: true }];
		const agent = fake({ steps }, { login: "key" });
		const cwd = join(dir, "checkout");
		const controller = new AbortController();
		const running = agent.call(await contractCall(dir, { cwd }), controller.signal);
		const rejected = expect(running).rejects.toThrow("stop");
		await Promise.race([made(cwd, HANGING), rejected]);
		controller.abort(new Error("stop"));
		await rejected;
		expect(existsSync(home())).toBe(false);
	});

	test("after a program that could not be started", async () => {
		const agent = fake({}, { run: ["/no/such/agent"] });
		expect(await outcomeOf(agent)).toMatchObject({ kind: "failed", failure: "unknown" });
		expect(existsSync(home())).toBe(false);
	});
});

test("a call whose directory cannot be written is a failure, and nothing is started", async () => {
	const file = join(dir, "file");
	await writeFile(file, "");
	const call = await contractCall(dir, { cwd: join(dir, "checkout") });
	const agent = fake({ steps: [{ shell: "touch started" }, say(REPORT)] });
	for (const [workDir, code] of [
		[join(file, "below"), "ENOTDIR"],
		[join(dir, "none"), "ENOENT"],
	] as const) {
		expect(await agent.call({ ...call, workDir }, never)).toMatchObject({
			kind: "failed",
			failure: "unknown",
			message: `node could not be started: its home cannot be made (${code})`,
		});
	}
	expect(existsSync(join(dir, "checkout", "started"))).toBe(false);
});
