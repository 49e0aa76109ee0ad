import { lstat, mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ProcessRequest } from "../../process/process.ts";
import { bareHost } from "../../process/run-process.ts";
import { contractCall } from "../agent.contract.ts";
import type { AgentCall, AgentOutcome } from "../agent.ts";
import { type FakeProgram, fakeProgram } from "./fake-harness.contract.ts";
import type { Harness, HarnessEnd, HarnessLaunch, HarnessSeat } from "./harness.ts";
import { type HarnessAgentOptions, harnessAgent } from "./harness-agent.ts";

const never = new AbortController().signal;
const SPENT = {
	...{ inputTokens: 1_000, cacheReadTokens: null, cacheWriteTokens: null, outputTokens: 100 },
	...{ costUsd: null, model: null },
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
		...{ name: "claude", storeVariables: ["STORE"], keyVariables: ["A_KEY"] },
		launch: (seat) => {
			seats.push(seat);
			const none = { args: [], env: {}, files: {}, stdin: seat.prompt, writable: [] };
			return { ...none, ...launch(seat) };
		},
		reader: () => ({ read: () => undefined, end: () => end }),
		signIn: () => Promise.resolve({ ok: true, detail: "", fix: null }),
	};
}

const answered = (message: object = { text: "fin" }): HarnessEnd =>
	// The message is what the test gives as one.
	({ kind: "answered", message, spent: SPENT }) as HarnessEnd;

async function outcomeOf(
	made: Harness,
	fake: FakeProgram,
	rest: Partial<HarnessAgentOptions> = {},
	call: Partial<AgentCall> = {},
): Promise<AgentOutcome> {
	const agent = harnessAgent(made, {
		program: await fakeProgram(dir, fake),
		...{ model: undefined, args: [], login: "user", env: {}, store: {} },
		host: {
			...bareHost,
			run: (request, signal) => {
				requests.push(request);
				return bareHost.run(request, signal);
			},
		},
		...rest,
	});
	return agent.call(await contractCall(dir, call), never);
}

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
		...{ role: "verifier", rights: "restricted", cwd: dir, workDir: `${dir}/call-1` },
		...{ home: `${dir}/call-1/home`, tmpDir: `${dir}/call-1/tmp`, userHome: "/home/user" },
		...{ keys: { A_KEY: "k" }, confined: false, schema: { type: "object" } },
	});
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
	await mkdir(home, { recursive: true });
	await writeFile(join(home, "planted"), "x");
	await outcomeOf(made, { events: [] });
	expect(await readFile(join(home, "a/b.json"), "utf8")).toBe("{}");
	expect((await lstat(join(home, "a/b.json"))).mode & 0o777).toBe(0o600);
	expect(await readlink(join(home, "c/auth.json"))).toBe(join(dir, "missing.json"));
	await expect(lstat(join(home, "planted"))).rejects.toThrow("ENOENT");
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

test("a judge may write its home and its temporary directory only, others the checkout too", async () => {
	const made = harness(answered(), () => ({ writable: ["/w"] }));
	await outcomeOf(made, { events: [] });
	await outcomeOf(made, { events: [] }, {}, { role: "verifier", call: 2 });
	expect(requests.map(({ writable }) => writable)).toEqual([
		[`${dir}/call-1/home`, `${dir}/call-1/tmp`, "/w"],
		[dir, `${dir}/call-2/home`, `${dir}/call-2/tmp`, "/w"],
	]);
});

test("structured output is the report, and the last object of a final message is", async () => {
	const structured = answered({ structured: { decision: "approve" } });
	expect(await outcomeOf(harness(structured), { events: [] })).toMatchObject({
		report: '{"decision":"approve"}',
	});
	const text = answered({ text: 'I saw {"a":1}. My report: {"decision":"feedback"} Bye.' });
	expect(await outcomeOf(harness(text), { events: [] })).toMatchObject({
		report: '{"decision":"feedback"}',
	});
});

test("structured output that is nested too deeply to be written is no report, and says so", async () => {
	const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
	expect(await outcomeOf(harness(answered({ structured: deep })), { events: [] })).toMatchObject({
		...{ kind: "answered", report: null },
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
	const asked = await outcomeOf(
		...[harness(answered()), { events: [] }, { model: "claude-sonnet-4-5" }],
	);
	expect(asked.usage?.model).toBe("claude-sonnet-4-5");
	expect(asked.usage?.costUsd).toBeCloseTo(0.0045, 10);
});

test("a failure keeps what was spent and how long to wait", async () => {
	const failed = { kind: "failed", failure: "rate_limit", message: "claude failed: slow down" };
	const end = { ...failed, spent: SPENT, retryAfterMs: 1_500 } as HarnessEnd;
	expect(await outcomeOf(harness(end), { events: [] })).toMatchObject({
		...failed,
		...{ retryAfterMs: 1_500, usage: { inputTokens: 1_000, costUsd: null } },
	});
});

test("a program that is missing is named, and a timeout names its limit and what was spent", async () => {
	expect(
		await outcomeOf(harness(answered()), { events: [] }, { program: join(dir, "gone") }),
	).toMatchObject({
		...{ kind: "failed", failure: "unknown" },
		message: "claude could not be started: the program is missing",
	});
	const slow = { events: [], before: "sleep 300" };
	expect(await outcomeOf(harness(answered()), slow, {}, { timeoutMs: 150 })).toMatchObject({
		...{ kind: "failed", failure: "timeout", message: "claude did not end within 0.15 s" },
		usage: { inputTokens: 1_000 },
	});
});
