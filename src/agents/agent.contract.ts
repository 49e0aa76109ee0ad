import { existsSync, watch } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { endMarked } from "../process/process-tree.ts";
import type { Agent, AgentCall } from "./agent.ts";
import { writeCallFiles } from "./call-files.ts";
import { retryAfter } from "./circuit.ts";

/** Why an adapter cannot play a scenario at all; its test then names the scenario in its call of the contract. */
export interface LeftOut {
	readonly leftOut: string;
}

/** Makes the agent of one scenario; `dir` is an empty directory for its own files. */
export type AgentMaker = (dir: string) => Promise<Agent> | Agent;

/** One maker for each scenario. `REPORT` is the report that answering agents hand in. */
export interface AgentMakers {
	readonly answers: AgentMaker;
	/** Fails on its own. */
	readonly fails: AgentMaker;
	/** Answers without a report. */
	readonly answersNothing: AgentMaker;
	/** Answers with the report `not { JSON`. */
	readonly reportsNoJson: AgentMaker;
	/** Answers after 6 MB of output: three transcripts full. */
	readonly floods: AgentMaker | LeftOut;
	/** Makes the file `HANGING` in its checkout, which is `dir`, and then never ends. */
	readonly hangs: AgentMaker | LeftOut;
	/** Answers and leaves processes in sessions of their own. */
	readonly leavesChildren: AgentMaker | LeftOut;
	/** Begins to work, then ends without a word: killed, or its connection cut. */
	readonly diesHalfWay: AgentMaker | LeftOut;
	/** Fails after it has told what it used up. */
	readonly failsHavingSpent: AgentMaker | LeftOut;
	/** Answers, and after the end of its answer prints the report `OTHER_REPORT` and another end. */
	readonly talksOn: AgentMaker | LeftOut;
}

/** Registers a scenario: `test`, or one that leaves it to a slower lane. */
type Register = (title: string, scenario: () => Promise<void>) => void;

/** What answering agents report. */
export const REPORT = '{"decision":"approve"}';

/** What agents print that has no meaning. */
export const OTHER_REPORT = '{"decision":"feedback"}';

/** The file by which an agent that hangs says that it does, so that it is not aborted before. */
export const HANGING = "hanging";

/** Characters of a transcript: standard output, error output and their mixture have the same cap. */
const TRANSCRIPT_CAP = 2_001_000;

/** The first call of a coach; fields of `rest` replaced. */
export async function contractCall(dir: string, rest: Partial<AgentCall> = {}): Promise<AgentCall> {
	const prompt = "Judge.";
	const paths = await writeCallFiles(join(dir, `call-${rest.call ?? 1}`), { prompt, context: {} });
	const tmpDir = join(paths.workDir, "tmp");
	await mkdir(tmpDir, { recursive: true });
	return {
		run: "r",
		task: "t",
		subtask: null,
		turn: 1,
		role: "coach",
		agent: "a",
		call: 1,
		cwd: dir,
		prompt,
		...paths,
		tmpDir,
		timeoutMs: 60_000,
		env: { PATH: "/usr/local/bin:/usr/bin:/bin" },
		mark: `contract-${process.pid}/${rest.call ?? 1}`,
		...rest,
	};
}

/** Resolves once there is a file of that name in a directory. */
export async function made(dir: string, name: string): Promise<void> {
	const { promise, resolve } = Promise.withResolvers<void>();
	const watcher = watch(dir, { persistent: false }, (_event, changed) => {
		if (changed === name) resolve();
	});
	try {
		// It may have been there before the watcher was.
		if (!existsSync(join(dir, name))) await promise;
	} finally {
		watcher.close();
	}
}

/**
 * The rules of the port `Agent`, which each adapter's test runs.
 *
 * @param leavesOut the scenarios that this adapter cannot play
 * @param calling registers the scenarios of how a program is called: `thorough` for an adapter that calls as another one does
 */
export function describeAgentContract(
	name: string,
	makers: AgentMakers,
	leavesOut: readonly (keyof AgentMakers)[] = [],
	calling: Register = test,
): void {
	describe(`${name} keeps the contract of agents`, () => {
		const never = new AbortController().signal;
		let dir = "";

		beforeEach(async () => {
			dir = await mkdtemp(join(tmpdir(), "spar-agent-"));
		});

		afterEach(async () => {
			// Holds for every scenario: when a call has settled, nothing of it is left running.
			const left = process.platform === "linux" ? await endMarked(`contract-${process.pid}/`) : 0;
			await rm(dir, { recursive: true });
			expect(left).toBe(0);
		});

		const scenarioBy =
			(register: Register) =>
			(
				title: string,
				maker: AgentMaker | LeftOut,
				check: (agent: Agent) => Promise<void>,
			): void => {
				if (!("leftOut" in maker)) register(title, async () => check(await maker(dir)));
			};
		const scenario = scenarioBy(test);
		const called = scenarioBy(calling);

		test("plays every scenario but those that it is known to leave out", () => {
			const left = Object.entries(makers).flatMap(([key, maker]: [string, AgentMaker | LeftOut]) =>
				"leftOut" in maker ? [key] : [],
			);
			expect(left.toSorted()).toEqual(leavesOut.toSorted());
		});

		scenario("answers with its report", makers.answers, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
			expect(outcome.ms).toBeGreaterThanOrEqual(0);
		});

		scenario("fails as a value with a message", makers.fails, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome.kind === "failed" && outcome.message).toBeTruthy();
		});

		scenario("answers nothing: no report is null", makers.answersNothing, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: null });
		});

		scenario("hands in a report that is no JSON as it is", makers.reportsNoJson, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: "not { JSON" });
		});

		called("may be called again, after any outcome", makers.answers, async (agent) => {
			for (const call of [1, 2]) {
				const outcome = await agent.call(await contractCall(dir, { call }), never);
				expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
			}
		});

		called("may be called twice at once", makers.answers, async (agent) => {
			const calls = await Promise.all([1, 2].map((call) => contractCall(dir, { call })));
			const outcomes = await Promise.all(calls.map((call) => agent.call(call, never)));
			expect(outcomes.map(({ kind }) => kind)).toEqual(["answered", "answered"]);
		});

		scenario("makes no call when it was aborted before", makers.answers, async (agent) => {
			const signal = AbortSignal.abort(new Error("early"));
			await expect(agent.call(await contractCall(dir), signal)).rejects.toThrow("early");
		});

		called("caps its transcript", makers.floods, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
			expect(outcome.output.length).toBeLessThan(TRANSCRIPT_CAP);
		});

		called("tells all of its transcript as it grows", makers.floods, async (agent) => {
			let heard = 0;
			const onOutput = (text: string): void => {
				heard += text.length;
			};
			const { output } = await agent.call(await contractCall(dir, { onOutput }), never);
			expect(heard).toBeGreaterThan(0);
			expect(heard).toBeGreaterThanOrEqual(output.length);
		});

		called("times out as a value", makers.hangs, async (agent) => {
			const call = await contractCall(dir, { timeoutMs: 200 });
			expect(await agent.call(call, never)).toMatchObject({ kind: "failed", failure: "timeout" });
		});

		called("rejects with the reason when it is aborted", makers.hangs, async (agent) => {
			const controller = new AbortController();
			const running = agent.call(await contractCall(dir), controller.signal);
			const rejected = expect(running).rejects.toThrow("stop");
			await Promise.race([made(dir, HANGING), rejected]);
			controller.abort(new Error("stop"));
			await rejected;
		});

		called("an agent that dies midway is a failure to retry", makers.diesHalfWay, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome.kind === "failed" && outcome.message).toBeTruthy();
			expect(
				retryAfter(outcome.kind === "failed" ? outcome.failure : "unknown", 1),
			).toBeGreaterThan(0);
		});

		scenario("keeps what a failed call used up", makers.failsHavingSpent, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome.kind).toBe("failed");
			const { inputTokens, outputTokens } = outcome.usage ?? {};
			expect([inputTokens, outputTokens].some((tokens) => (tokens ?? 0) > 0)).toBe(true);
		});

		called("leaves no child behind", makers.leavesChildren, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
		});

		called("what is printed after the end changes nothing", makers.talksOn, async (agent) => {
			const outcome = await agent.call(await contractCall(dir), never);
			expect(outcome).toMatchObject({ kind: "answered", report: REPORT });
		});
	});
}
