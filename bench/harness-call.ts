import { spawn } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { harnessAgent } from "../src/agents/harness/harness-agent.ts";
import { readyCall } from "../src/loop/agent-call.ts";
import type { Seat } from "../src/loop/context.ts";
import { groundOf } from "../src/loop/present-task.ts";
import { taskLog } from "../src/loop/records/task-log.ts";
import { initialState } from "../src/loop/state.ts";
import type { ProcessHost, ProcessRequest } from "../src/process/process.ts";
import { bareHost } from "../src/process/run-process.ts";
import { harnessOf } from "../src/seats/harnesses.ts";
import { connectionOf } from "../test/agents/connection.ts";
import { type Installed, installed, missing } from "../test/agents/harnesses.ts";
import { startModelServer } from "../test/model-server/model-server.ts";
import { type LoopPlace, runLoop } from "./loop-run.ts";
import type { Measurement } from "./measurement.ts";
import { median } from "./median.ts";
import { type Environment, inScratch } from "./scratch.ts";

/** Calls of each side, one after the other by turns; the first of each is left out, since it warms caches. */
const CALLS = 16;

/** What it may cost to be called by us and not by hand. */
const TARGET = 1.1;

/** A request as it was made, and the harness's home as it was then. */
interface Remembered {
	readonly request: ProcessRequest;
	readonly home: string;
	readonly template: string;
}

/** A host that remembers the last request, so that it can be repeated by hand from the same beginning. */
function rememberingHost(scratch: string): {
	readonly host: ProcessHost;
	readonly last: () => Remembered;
} {
	let last: Remembered | undefined;
	return {
		host: {
			...bareHost,
			run: (request, signal) => {
				const [, workDir = ""] = request.places ?? [];
				const home = join(workDir, "home");
				const template = join(scratch, "home-template");
				rmSync(template, { recursive: true, force: true });
				cpSync(home, template, { recursive: true, verbatimSymlinks: true });
				last = { request, home, template };
				return bareHost.run(request, signal);
			},
		},
		last: () => {
			if (last === undefined) throw new Error("nothing was started");
			return last;
		},
	};
}

/** Gives the harness the home that it was called with: what it wrote there in a call makes its next start faster. */
function restoreHome({ home, template }: Remembered): void {
	rmSync(home, { recursive: true, force: true });
	cpSync(template, home, { recursive: true, verbatimSymlinks: true });
}

/** The same program with the same arguments, variables and input, and nothing else. */
function byHand({ command, cwd, env, stdin }: ProcessRequest): Promise<void> {
	const [program, ...args] = command;
	return new Promise((resolve, reject) => {
		const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
		child.once("error", reject);
		child.once("close", () => resolve());
		for (const stream of [child.stdout, child.stderr]) stream.resume();
		child.stdin.end(stdin);
	});
}

async function timed(work: () => Promise<unknown>): Promise<number> {
	const from = performance.now();
	await work();
	return performance.now() - from;
}

async function measureOne(
	harness: Installed,
	{ context }: LoopPlace,
	scratch: string,
): Promise<Measurement> {
	const server = await startModelServer({
		script: () => ({ kind: "structured", value: { decision: "approve" } }),
	});
	try {
		const files = join(scratch, harness.name);
		mkdirSync(files);
		const { model, args, env } = connectionOf(harness.name, server.url, files);
		const { host, last } = rememberingHost(scratch);
		const agent = harnessAgent(harnessOf(harness.name), {
			...{ program: harness.bin, model, args, login: "key", env, store: {}, host },
		});
		const definition = {
			...{ adapter: harness.name, name: harness.name, model, args, env: [], timeoutMs: 120_000 },
			login: "key",
		} as const;
		const seat: Seat = { agent, definition };
		const of = { runId: context.run.runId, taskId: context.task.id };
		const log = taskLog(of, { turn: 1, node: "coach_turn" }, context.clock);
		const ground = await groundOf(context, initialState({ ...of, bound: 1 }), log);
		const calling = { ...ground, seat: () => Promise.resolve(seat) };
		const request = {
			...({ role: "coach", agent: harness.name, nth: 0 } as const),
			checkout: context.places.player.dir,
			prepare: () => Promise.resolve(),
			compose: () => Promise.resolve({ prompt: "Judge the work.", context: {} }),
		};
		const ours: number[] = [];
		const theirs: number[] = [];
		for (let call = 1; call <= CALLS; call += 1) {
			ours.push(
				await timed(async () => {
					const make = await readyCall(calling, request, call);
					const { outcome } = await make();
					if (outcome.kind === "failed") throw new Error(outcome.message);
				}),
			);
			restoreHome(last());
			theirs.push(await timed(() => byHand(last().request)));
		}
		return {
			name: `a call of ${harness.name} ${harness.version}, against starting it by hand`,
			value: median(ours.slice(1)),
			floor: median(theirs.slice(1)),
			unit: "ms",
			target: TARGET,
		};
	} finally {
		await server.close();
	}
}

/**
 * What a call costs beside the harness itself: directories, prompt, process, events, transcript, and records in a
 * synced database, against the same program started by hand with the same arguments. Against a scripted model on
 * loopback, with the harnesses that `node scripts/install-harnesses.ts` has left.
 *
 * @param onMissing told of each harness that is not measured, with the reason
 */
export async function measureHarnessCalls(
	environment: Environment,
	onMissing: (name: string, reason: string) => void,
): Promise<Measurement[]> {
	for (const { name, reason } of missing) onMissing(name, reason);
	if (installed.length === 0) return [];
	const measurements: Measurement[] = [];
	await inScratch((scratch) =>
		runLoop({
			scratch,
			turns: 1,
			environment,
			onTurn: async (turn, place) => {
				// After the last turn, when the checkouts are there and the lease still holds.
				if (turn !== 1 || measurements.length > 0) return;
				for (const harness of installed) {
					measurements.push(await measureOne(harness, place, scratch));
				}
			},
		}),
	);
	return measurements;
}
