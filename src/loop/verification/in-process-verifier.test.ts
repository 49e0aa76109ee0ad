import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Agent, AgentCall } from "../../agents/agent.ts";
import { evidence } from "../../evidence/evidence.fixture.ts";
import { openCheckout } from "../../git/checkout.ts";
import { commitAll, git, scene, writeFiles } from "../../git/scratch.fixture.ts";
import { blobsInMemory } from "../../kernel/blobs.fixture.ts";
import { systemClock } from "../../kernel/clock.ts";
import { maskerFor } from "../../kernel/masking.ts";
import { bareHost } from "../../process/run-process.ts";
import type { CallRecord, Write } from "../../store/records.ts";
import {
	describeVerifierContract,
	tapTest,
	type VerifierScript,
	type VerifierStand,
} from "../../verification/verifier.contract.ts";
import { CallLimits } from "../call-limits.ts";
import { Circuits } from "../circuits.ts";
import { Reservations } from "../reservations.ts";
import { aLog } from "../scene.contract.ts";
import { inProcessVerifier, type VerifyGround } from "./in-process-verifier.ts";

/** A stand with what a test can look at and break. */
interface OpenStand extends VerifierStand {
	readonly called: AgentCall[];
	/** Names of private refs, without the run and the task. */
	readonly kept: string[];
	/** Removes the checkout that the agent worked in. */
	readonly forget: () => Promise<void>;
	/** Takes back what was stored under keys that begin with this, as if a kill had come before. */
	readonly unstore: (prefix: string) => void;
	readonly user: string;
}

const SURVIVOR = { file: "limit.js", line: 1, operator: "number", old: "f(3)", fresh: "f(4)" };
const MUTATED = evidence({
	check: "mutation:built-in",
	kind: "mutation",
	mutation: {
		kind: "counted",
		detected: 1,
		undetected: 1,
		pending: 0,
		outside: 0,
		survivors: [SURVIVOR],
	},
});

async function make({ base, work, steps }: VerifierScript): Promise<OpenStand> {
	const { user, vault, state } = await scene(base);
	const start = git(user, "rev-parse", "HEAD");
	writeFiles(user, work);
	const commit = commitAll(user, "the work");
	const calls: CallRecord[] = [];
	const stored = new Map<string, unknown>();
	const called: AgentCall[] = [];
	const kept: string[] = [];
	const keep = (write: Write): void => {
		if (write.kind === "call") calls.push(write.call);
		if (write.kind === "step") stored.set(`${write.key.step} ${write.key.turn}`, write.result);
	};
	const agent: Agent = {
		handsIn: "file",
		call: (call) => {
			called.push(call);
			const step = steps[Math.min(called.length, steps.length) - 1] ?? null;
			if (step === null)
				return Promise.resolve({
					kind: "failed",
					failure: "content_policy",
					message: "no",
					output: "",
					ms: 1,
				});
			for (const [path, text] of Object.entries(step.files)) {
				const file = join(call.cwd, path);
				mkdirSync(dirname(file), { recursive: true });
				writeFileSync(file, text);
			}
			const { report: said } = step;
			const report = typeof said === "string" ? said : JSON.stringify(said);
			return Promise.resolve({ kind: "answered", report, output: "", ms: 1, usage: null });
		},
	};
	const checkout = (name: string) =>
		openCheckout(vault, { dir: join(state, name), indexFile: join(state, `index-${name}`) });
	const places = {
		verifier: checkout("verifier"),
		verification: checkout("verification"),
		work: join(state, "work"),
		outputs: "out",
		transcripts: "t",
	};
	const blobs = blobsInMemory();
	// What verification touches of a task; the rest has no part in it.
	const contextOf = (turn: number) => ({
		run: { runId: "r1" },
		task: { id: "limiter", description: "Build it.", acceptanceCriteria: [], contextFiles: [] },
		subtask: null,
		epoch: 1,
		workflow: {
			setup: [],
			setupInputs: [],
			verification: { attempts: 3, runTimeoutMs: 20_000, paths: [] },
		},
		circuits: new Circuits(),
		limits: new CallLimits(systemClock),
		reservations: new Reservations(),
		masker: maskerFor([]),
		clock: { now: () => 1_000, sleep: () => Promise.resolve() },
		signal: new AbortController().signal,
		vault,
		places,
		blobs,
		host: bareHost,
		refs: {
			keep: (label: string) => {
				kept.push(label);
				return Promise.resolve();
			},
		},
		log: aLog(turn, "verify"),
		read: {
			calls: (of: number) => Promise.resolve(calls.filter((call) => call.turn === of)),
			step: (key: { step: string; turn: number }) =>
				Promise.resolve(stored.get(`${key.step} ${key.turn}`)),
			open: () => Promise.resolve([]),
			evidence: () => Promise.resolve([MUTATED]),
		},
		commit: (writes: readonly Write[]) => Promise.resolve(writes.forEach(keep)),
		environment: () => ({ PATH: "/usr/local/bin:/usr/bin:/bin" }),
		recorder: null,
		seat: (name: string) =>
			Promise.resolve({
				agent,
				definition: { adapter: "command", name, run: ["x"], env: [], timeoutMs: 1_000 },
			}),
	});
	return {
		user,
		called,
		kept,
		calls: () => called.length,
		forget: () => places.verifier.remove(),
		unstore: (prefix) => {
			for (const key of stored.keys()) if (key.startsWith(prefix)) stored.delete(key);
		},
		open: (turn = 1) => inProcessVerifier(contextOf(turn) as unknown as VerifyGround, { items: 0 }),
		request: {
			run: "r1",
			task: { id: "limiter", description: "Build it.", acceptanceCriteria: [] },
			subtask: null,
			turn: 1,
			base: start,
			commit,
			verifier: "eve",
			spec: "s1",
			directive: null,
			suites: [],
			withdrawn: [],
			disputes: [],
		},
	};
}

describeVerifierContract("verification in this process", make);

const SCRIPT: VerifierScript = {
	base: { "limit.sh": "echo 0\n" },
	work: { "limit.sh": "echo 3\n" },
	steps: [
		{
			files: { "test/limit.sh": tapTest("allows three", '[ "$(sh limit.sh)" = 3 ]') },
			report: { run: "sh test/limit.sh" },
		},
	],
};

test("a kill after the answer takes the tests from the checkout, and asks nobody", async () => {
	const { open, request, calls, unstore, kept } = await make(SCRIPT);
	const first = await open().verify(request);
	unstore("verification-");
	expect(await open().verify(request)).toEqual(first);
	expect(calls()).toBe(1);
	expect(kept).toEqual(["verification-1-1", "verification-1-1"]);
});

test("an answer whose checkout is gone is asked for again, once", async () => {
	const { open, request, calls, unstore, forget } = await make(SCRIPT);
	await open().verify(request);
	unstore("verification-");
	await forget();
	expect(await open().verify(request)).toMatchObject({ result: { verdict: "passed" } });
	expect(calls()).toBe(2);
});

test("the agent works on a commit without history, and is told of no other", async () => {
	const { open, request, called, user } = await make(SCRIPT);
	await open().verify(request);
	const [call] = called;
	const context: unknown = JSON.parse(readFileSync(call?.contextPath ?? "", "utf8"));
	expect(context).toMatchObject({
		role: "verifier",
		findings: [],
		evidence: [],
		pair: null,
		verification: {
			test_paths: ["test/integration/**"],
			survivors: [{ file: "limit.js", line: 1, operator: "number", old: "f(3)", new: "f(4)" }],
			problem: null,
		},
	});
	const { base, commit } = Object(context) as { base: string; commit: string };
	expect(new Set([base, commit, request.base, request.commit]).size).toBe(4);
	expect(git(user, "log", "--format=%s", commit)).toBe("The work to verify");
	expect(git(user, "diff", "--name-only", request.commit, commit)).toBe("");
});
