import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Agent, AgentCall } from "../agents/agent.ts";
import { evidence } from "../evidence/evidence.fixture.ts";
import { openCheckout } from "../git/checkout.ts";
import { commitAll, git, scene, writeFiles } from "../git/scratch.fixture.ts";
import { blobsInMemory } from "../kernel/blobs.fixture.ts";
import { systemClock } from "../kernel/clock.ts";
import { maskerFor } from "../masking/masking.ts";
import { bareHost } from "../process/run-process.ts";
import type { CallRecord, Write } from "../store/records.ts";
import type { VerifierScript, VerifierStand } from "../verification/verifier.contract.ts";
import { CallAdmission } from "./admission/admission.ts";
import { commitTexts } from "./commits.ts";
import type { Ground } from "./context.ts";
import { type InProcessVerifier, inProcessVerifier } from "./in-process-verifier.ts";
import { aLog } from "./scene.contract.ts";

/** A stand with what a test can look at and break. */
export interface OpenStand extends VerifierStand {
	/** The verifier of a turn in this process. @param asked answers that earlier requests of its node used */
	readonly inTurn: (turn: number, asked?: number) => InProcessVerifier;
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

/** Sets up a verifier in this process: a real repository, real checkouts, and an agent that plays the script. */
export async function verifierStand({ base, work, steps }: VerifierScript): Promise<OpenStand> {
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
		openCheckout(vault, {
			dir: join(state, name, "work"),
			indexFile: join(state, `index-${name}`),
		});
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
		state: { items: 0 },
		epoch: 1,
		workflow: {
			setup: [],
			setupInputs: [],
			verification: { attempts: 3, runTimeoutMs: 20_000, paths: [] },
		},
		admission: new CallAdmission(systemClock),
		masker: maskerFor([]),
		clock: { now: () => 1_000, sleep: () => Promise.resolve() },
		signal: new AbortController().signal,
		bases: { variant: () => Promise.resolve("here") },
		vault,
		texts: commitTexts(vault),
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
	const inTurn: OpenStand["inTurn"] = (turn, asked = 0) =>
		inProcessVerifier(contextOf(turn) as unknown as Ground, asked);
	return {
		user,
		called,
		inTurn,
		kept,
		calls: () => called.length,
		forget: () => places.verifier.remove(),
		unstore: (prefix) => {
			for (const key of stored.keys()) if (key.startsWith(prefix)) stored.delete(key);
		},
		open: (turn = 1) => inTurn(turn),
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
