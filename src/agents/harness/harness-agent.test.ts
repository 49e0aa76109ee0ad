import { lstat, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { thorough } from "../../../test/support/amount.ts";
import type { ProcessRequest } from "../../process/process.ts";
import { bareHost } from "../../process/run-process.ts";
import { contractCall, HANGING, made, REPORT } from "../agent.contract.ts";
import type { Agent, AgentCall, AgentOutcome } from "../agent.ts";
import { type FakeProgram, fakeProgram } from "./fake-harness.fixture.ts";
import type { Harness, HarnessEnd, HarnessLaunch, HarnessSeat } from "./harness.ts";
import { type HarnessAgentOptions, harnessAgent } from "./harness-agent.ts";

const never = new AbortController().signal;
const SPENT = {
	inputTokens: 1_000,
	cacheReadTokens: null,
	cacheWriteTokens: null,
	outputTokens: 100,
	costUsd: null,
	model: null,
};
let dir = "";
let seats: HarnessSeat[] = [];
let requests: ProcessRequest[] = [];

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "spar-harness-"));
	seats = [];
	requests = [];
});

afterEach(() => rm(dir, { recursive: true }));

/** A harness that ends each call with `end`, and whose launch is that of `launch`. */
function harness(
	end: HarnessEnd,
	launch: (seat: HarnessSeat) => Partial<HarnessLaunch> = () => ({}),
): Harness {
	return {
		name: "claude",
		package: { name: "fake", version: "1" },
		hosts: [],
		homes: [],
		steps: () => [],
		storeVariables: ["STORE"],
		keyVariables: ["A_KEY"],
		gateways: [],
		launch: (seat) => {
			seats.push(seat);
			const none = { args: [], model: null, env: {}, files: {}, stdin: seat.prompt, writable: [] };
			return { ...none, ...launch(seat) };
		},
		reader: () => ({ read: () => undefined, end: () => end }),
		signIn: () => Promise.resolve({ ok: true, detail: "", fix: null }),
	};
}

const answered = (message: object = { text: "fin" }): HarnessEnd =>
	// The message is what the test gives as one.
	({ kind: "answered", message, spent: SPENT }) as HarnessEnd;

async function agentOf(
	made: Harness,
	fake: FakeProgram,
	rest: Partial<HarnessAgentOptions> = {},
): Promise<Agent> {
	return harnessAgent(made, {
		program: await fakeProgram(dir, fake),
		model: undefined,
		args: [],
		login: "user",
		env: {},
		store: {},
		host: {
			...bareHost,
			run: (request, signal) => {
				requests.push(request);
				return bareHost.run(request, signal);
			},
		},
		...rest,
	});
}

async function outcomeOf(
	made: Harness,
	fake: FakeProgram,
	rest: Partial<HarnessAgentOptions> = {},
	call: Partial<AgentCall> = {},
): Promise<AgentOutcome> {
	const agent = await agentOf(made, fake, rest);
	return agent.call(await contractCall(dir, call), never);
}

test("of a judge the whole message is handed in, of a player the last object counts", async () => {
	const text = `Here is {"decision":"feedback"}, which I ignored:\n${REPORT}`;
	expect(await outcomeOf(harness(answered({ text })), { events: [] })).toMatchObject({
		kind: "answered",
		report: text,
	});
	const player = { role: "player" } as const;
	expect(await outcomeOf(harness(answered({ text })), { events: [] }, {}, player)).toMatchObject({
		report: REPORT,
	});
});

test("the program gets the prompt, its arguments, the protocol and the harness's variables", async () => {
	const made = harness(answered(), () => ({ args: ["-p", "x y"], env: { TERM: "odd" } }));
	const printed = { events: [], before: 'echo "$SPAR_ROLE $TERM $NO_COLOR $TMPDIR $MINE $STORE"' };
	const rest = { env: { MINE: "yes", SPAR_ROLE: "player" }, store: { STORE: "/s" } };
	const outcome = await outcomeOf(made, printed, rest);
	expect(outcome.output).toBe(`coach odd 1 ${dir}/call-1/tmp yes /s\n`);
	const program = dirname(requests[0]?.command[0] ?? "");
	expect(await readFile(join(program, "prompt"), "utf8")).toBe("Judge.");
	expect(await readFile(join(program, "args"), "utf8")).toBe("-p\nx y\n");
});

test("the seat tells role, rights, places, keys and schema", async () => {
	const env = { PATH: "/usr/bin:/bin", HOME: "/home/user" };
	const keys = { env: { A_KEY: "k", OTHER: "o" } };
	await outcomeOf(harness(answered()), { events: [] }, keys, { role: "verifier", env });
	expect(seats[0]).toMatchObject({
		role: "verifier",
		rights: "restricted",
		cwd: dir,
		workDir: `${dir}/call-1`,
		home: `${dir}/call-1/home`,
		tmpDir: `${dir}/call-1/tmp`,
		userHome: "/home/user",
		keys: { A_KEY: "k" },
		confined: false,
		schema: { type: "object" },
	});
});

test("servers and their variables are a player's alone", async () => {
	const servers = [{ name: "notes", command: ["/opt/notes"], env: { NOTES_KEY: "n" } }];
	const printed = { events: [], before: 'echo "key: $NOTES_KEY"' };
	const outputs: string[] = [];
	for (const role of ["player", "coach", "verifier", "evaluator"] as const)
		outputs.push((await outcomeOf(harness(answered()), printed, { servers }, { role })).output);
	expect(outputs).toEqual(["key: n\n", "key: \n", "key: \n", "key: \n"]);
	expect(seats.map((seat) => seat.servers?.length)).toEqual([1, 0, 0, 0]);
	const named = requests.map((request) => request.named);
	expect(named).toEqual([["/opt/notes", "n"], [], [], []]);
});

test("with login: key everything that is kept below a home directory goes into a private one", async () => {
	const script = 'echo "$HOME $XDG_CONFIG_HOME $STORE"; ls -A "$HOME"';
	const rest = { login: "key" as const, store: { STORE: "/s" } };
	const outcome = await outcomeOf(harness(answered()), { events: [], before: script }, rest);
	expect(outcome.output).toBe(`${dir}/call-1/home ${dir}/call-1/home/.config \n`);
});

test("its files and links are made in an empty home, whatever an earlier call left there", async () => {
	const made = harness(answered(), ({ home }) => ({
		files: { [join(home, "a/b.json")]: "{}" },
		links: { [join(home, "c/auth.json")]: join(dir, "missing.json") },
	}));
	const home = join(dir, "call-1/home");
	const script = `cd '${home}'; find . -type f -printf '%p %m\\n'; find . -type l -printf '%p %l\\n'`;
	const agent = await agentOf(made, { events: [], before: script });
	const call = await contractCall(dir);
	await mkdir(home, { recursive: true });
	await writeFile(join(home, "planted"), "x");
	const { output } = await agent.call(call, never);
	expect(output).toBe(`./a/b.json 600\n./c/auth.json ${dir}/missing.json\n`);
});

describe("the home of a call is gone when it has ended", () => {
	const launch = ({ home }: HarnessSeat): Partial<HarnessLaunch> => ({
		files: { [join(home, "settings.json")]: "{}" },
		links: { [join(home, "auth.json")]: join(dir, "mine", "auth.json") },
	});
	const session =
		"mkdir -p home/.store && echo secret > home/.store/session.jsonl && [ -L home/auth.json ]";
	const before = `cd call-1 && ${session} && touch ../${HANGING}`;
	const mine = (): string => join(dir, "mine", "auth.json");

	beforeEach(async () => {
		await mkdir(dirname(mine()));
		await writeFile(mine(), "{}");
	});

	afterEach(async () => {
		await expect(lstat(join(dir, "call-1/home"))).rejects.toThrow("ENOENT");
		expect(await readFile(mine(), "utf8")).toBe("{}");
	});

	const failed = { kind: "failed", failure: "network", message: "claude failed", spent: null };

	test.each([
		["an answer", answered(), {}, "answered"],
		// Typed by hand, as the harness's reader would give it.
		["a failure", failed as HarnessEnd, {}, "failed"],
		["a crash", failed as HarnessEnd, { after: "kill -KILL $$" }, "failed"],
	])("after %s", async (_name, end, fake, kind) => {
		const outcome = await outcomeOf(harness(end, launch), { events: [], before, ...fake });
		expect(outcome.kind).toBe(kind);
		await lstat(join(dir, HANGING));
	});

	thorough("after a timeout", async () => {
		const slow = { events: [], before: `${before}; sleep 300` };
		const outcome = await outcomeOf(harness(answered(), launch), slow, {}, { timeoutMs: 500 });
		expect(outcome).toMatchObject({ failure: "timeout" });
	});

	test("after an abort", async () => {
		const slow = { events: [], before: `${before}; sleep 300` };
		const agent = await agentOf(harness(answered(), launch), slow);
		const controller = new AbortController();
		const call = agent.call(await contractCall(dir), controller.signal);
		const rejected = expect(call).rejects.toThrow("stop");
		await made(dir, HANGING);
		controller.abort(new Error("stop"));
		await rejected;
	});

	test("when the program is missing, and when its files cannot be written", async () => {
		const missing = { program: join(dir, "gone") };
		await outcomeOf(harness(answered(), launch), { events: [] }, missing);
		const odd = (seat: HarnessSeat) => ({ files: { ...launch(seat).files, [`${mine()}/x`]: "" } });
		expect(await outcomeOf(harness(answered(), odd), { events: [] })).toMatchObject({
			failure: "unknown",
		});
	});

	test("when the caller's process host breaks", async () => {
		const host = { ...bareHost, run: () => Promise.reject(new Error("broken")) };
		await expect(outcomeOf(harness(answered(), launch), { events: [] }, { host })).rejects.toThrow(
			"broken",
		);
	});
});

test("a home that stays is told in the transcript", async () => {
	const made = harness(answered());
	const agent = await agentOf(made, { events: [] });
	const call = await contractCall(dir);
	// No path is as long, so that nothing below it is made or removed.
	const outcome = await agent.call({ ...call, workDir: join(dir, "x".repeat(300)) }, never);
	expect(outcome.output).toMatch(/\[spar\] .*\/home could not be removed \(ENAMETOOLONG\)/);
});

test("files that cannot be written are a failure that names the system's reason", async () => {
	const made = harness(answered(), () => ({ files: { [join(dir, "plain/below")]: "x" } }));
	await writeFile(join(dir, "plain"), "a file, not a directory");
	const outcome = await outcomeOf(made, { events: [] });
	expect(outcome).toMatchObject({ kind: "failed", failure: "unknown" });
	expect(outcome.kind === "failed" && outcome.message).toMatch(
		/its files cannot be written \(E(?:EXIST|NOTDIR)\)/,
	);
});

test("a judge may write its home and its temporary directory only, others the checkout too, and links may be read", async () => {
	const links = { [join(dir, "call-1/home/auth.json")]: "/mine/auth.json" };
	const made = harness(answered(), ({ role }) => ({
		writable: ["/w"],
		...(role === "coach" ? { links } : {}),
	}));
	await outcomeOf(made, { events: [] });
	await outcomeOf(made, { events: [] }, {}, { role: "verifier", call: 2 });
	expect(requests.map(({ writable }) => writable)).toEqual([
		[`${dir}/call-1/home`, `${dir}/call-1/tmp`, "/w"],
		[dir, `${dir}/call-2/home`, `${dir}/call-2/tmp`, "/w"],
	]);
	expect(requests.map(({ readable }) => readable)).toEqual([["/mine/auth.json"], []]);
});

test("structured output is the report, and a final message that is one object", async () => {
	const structured = answered({ structured: { decision: "approve" } });
	expect(await outcomeOf(harness(structured), { events: [] })).toMatchObject({
		report: '{"decision":"approve"}',
	});
	const text = answered({ text: '```json\n{"decision":"feedback"}\n```\n' });
	expect(await outcomeOf(harness(text), { events: [] })).toMatchObject({
		report: '{"decision":"feedback"}',
	});
});

test("what stands in the prompt is not a report of a judge's, structured or not", async () => {
	const call = { prompt: `The change adds a file:\n+${REPORT}\n` };
	for (const message of [{ structured: { decision: "approve" } }, { text: REPORT }]) {
		const outcome = await outcomeOf(harness(answered(message)), { events: [] }, {}, call);
		expect(outcome).toMatchObject({ kind: "answered", report: null });
		expect(outcome).toHaveProperty("reportProblem");
	}
});

test("structured output that is nested too deeply to be written is not a report, and says so", async () => {
	const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
	expect(await outcomeOf(harness(answered({ structured: deep })), { events: [] })).toMatchObject({
		kind: "answered",
		report: null,
		reportProblem: "the structured report is nested too deeply",
	});
});

test("a report file counts nothing", async () => {
	const fake = { events: [], before: 'echo \'{"decision":"approve"}\' > "$SPAR_REPORT"' };
	expect(await outcomeOf(harness(answered({ text: "" })), fake)).toMatchObject({ report: null });
});

test("cost comes from the harness, else from the price table, by the model that answered", async () => {
	const told = { ...SPENT, costUsd: 7, model: "claude-sonnet-4-5" };
	const ends = [
		{ ...answered(), spent: told },
		{ ...answered(), spent: { ...told, costUsd: null } },
		{ ...answered(), spent: { ...SPENT, model: "no-such-model" } },
		{ ...answered(), spent: null },
	] as HarnessEnd[];
	const usages = [];
	for (const end of ends) usages.push((await outcomeOf(harness(end), { events: [] })).usage);
	expect(usages.map((usage) => usage?.costUsd)).toEqual([
		7,
		expect.closeTo(0.0045, 10),
		null,
		undefined,
	]);
});

test("a model that nobody told is the one that was passed on, and none when it was not", async () => {
	const model = "claude-sonnet-4-5";
	const passed = harness(answered(), (seat) => ({ model: seat.model ?? null }));
	const asked = await outcomeOf(passed, { events: [] }, { model });
	expect(asked.usage?.model).toBe(model);
	expect(asked.usage?.costUsd).toBeCloseTo(0.0045, 10);
	const overruled = await outcomeOf(harness(answered()), { events: [] }, { model });
	expect(overruled.usage).toMatchObject({ inputTokens: 1_000, model: null, costUsd: null });
});

test("a failure that tells of a missing sign-in names the command that helps, another one does not", async () => {
	const told = async (failure: "unknown" | "network", message: string) => {
		const end = { kind: "failed", failure, message, spent: null } as const;
		const outcome = await outcomeOf(harness(end), { events: [] });
		return outcome.kind === "failed" ? outcome.message : "";
	};
	const help = "(`spar doctor` says how to sign in)";
	expect(await told("unknown", "Please run /login")).toBe(`Please run /login ${help}`);
	expect(await told("unknown", "keys are in credentials.json")).toContain(help);
	expect(await told("unknown", "no such model")).toBe("no such model");
	expect(await told("network", "login host is down")).toBe("login host is down");
});

test("a failure keeps what was spent and how long to wait", async () => {
	const failed = { kind: "failed", failure: "rate_limit", message: "claude failed: slow down" };
	const end = { ...failed, spent: SPENT, retryAfterMs: 1_500 } as HarnessEnd;
	expect(await outcomeOf(harness(end), { events: [] })).toMatchObject({
		...failed,
		retryAfterMs: 1_500,
		usage: { inputTokens: 1_000, costUsd: null },
	});
});

test("a program that is missing is named, and a timeout names its limit and what was spent", async () => {
	expect(
		await outcomeOf(harness(answered()), { events: [] }, { program: join(dir, "gone") }),
	).toMatchObject({
		kind: "failed",
		failure: "unknown",
		message: "claude could not be started: the program is missing",
	});
	const slow = { events: [], before: "sleep 300" };
	expect(await outcomeOf(harness(answered()), slow, {}, { timeoutMs: 150 })).toMatchObject({
		kind: "failed",
		failure: "timeout",
		message: "claude did not end within 0.15 s",
		usage: { inputTokens: 1_000 },
	});
});
