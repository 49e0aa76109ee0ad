import { join } from "node:path";
import { createRun, prepareRun } from "../src/drive/start-run.ts";
import { taskContext } from "../src/drive/task-context.ts";
import { userCommits } from "../src/drive/user-commits.ts";
import { keepChildren } from "../src/git/kept-children.ts";
import { moveRefs } from "../src/git/move-refs.ts";
import { openRepository } from "../src/git/repository.ts";
import { openVault } from "../src/git/vault.ts";
import { FirstAlone } from "../src/judge/first-alone.ts";
import { systemClock } from "../src/kernel/clock.ts";
import { CallAdmission } from "../src/loop/admission/admission.ts";
import { type TaskContext, WorkUnderWay } from "../src/loop/context.ts";
import { runTask } from "../src/loop/graph/run-task.ts";
import { MergeQueue } from "../src/merge/merge-queue.ts";
import { makeRunDirectory } from "../src/places/checkouts-home.ts";
import { loadSource, requireWorkflow } from "../src/places/load-source.ts";
import { gitHost, placesOf } from "../src/places/places.ts";
import { maskerOf } from "../src/places/secrets.ts";
import { openStore, type Store } from "../src/places/store.ts";
import { wayOfRun } from "../src/places/task-refs.ts";
import { bareHost } from "../src/process/run-process.ts";
import { seatsOf } from "../src/seats/agents.ts";
import { makeLoopProject } from "./loop-project.ts";
import type { Environment } from "./scratch.ts";

/** A task that takes a number of turns. */
export interface LoopRun {
	readonly scratch: string;
	readonly turns: number;
	readonly environment: Environment;
	/** Told of each turn before it begins, and once after the last; the loop waits. */
	onTurn(turn: number, place: LoopPlace): Promise<void>;
}

/** What may be looked at between two turns. */
export interface LoopPlace {
	readonly context: TaskContext;
	readonly database: string;
}

/**
 * Runs a task over that many turns in this process, on a project below `scratch`: with real checkouts, commits,
 * processes and a synced database, as `spar run` does it.
 */
export async function runLoop(loop: LoopRun): Promise<void> {
	const directory = join(loop.scratch, "project");
	makeLoopProject(directory, loop.turns, loop.environment);
	const env = { ...loop.environment, SPAR_CHECKOUTS: join(loop.scratch, "checkouts") };
	const places = placesOf(directory, env);
	let store: Promise<Store> | undefined;
	const place = {
		directory,
		env,
		places,
		openStore: (): Promise<Store> => {
			store ??= openStore(places);
			return store;
		},
	};
	const loaded = await loadSource({ kind: "file" }, { root: directory, directory });
	const prepared = await prepareRun(requireWorkflow(loaded, { kind: "file" }), {}, place);
	const { run, lease } = await createRun(prepared, {}, place);
	const kept = keepChildren();
	try {
		const { records, blobs } = await place.openStore();
		const repository = { ...(await openRepository(directory, gitHost(env))), kept };
		const branch = { ref: `refs/heads/${run.branch}`, to: run.baseCommit, from: null };
		await moveRefs(repository, [branch], wayOfRun(run.runId, run.baseBranch));
		const workflow = prepared.workflow;
		const record = await records.task(run.runId, "bench");
		if (record === undefined) throw new Error("the run has no task");
		const vault = await openVault(repository, await makeRunDirectory(places, run.runId), { kept });
		const context: TaskContext = taskContext(
			{
				run,
				workflow,
				places,
				repository,
				vault,
				records,
				blobs,
				reach: null,
				lease,
				store: await place.openStore(),
				onNotice: () => undefined,
				requireLease: () => Promise.resolve(),
				remoteVerifier: null,
				commit: async (writes) => {
					for (const write of writes) {
						if (write.kind !== "event" || write.event.type !== "node-entered") continue;
						if (write.event.node === "player_turn") {
							await loop.onTurn(write.event.turn ?? 0, { context, database: places.database });
						}
					}
					await records.commit(lease, writes);
				},
				clock: systemClock,
				masker: maskerOf(env, workflow),
				env,
				signal: lease.lost,
				recorder: null,
				queue: new MergeQueue(),
				underWay: new WorkUnderWay(),
				baselines: new FirstAlone(),
				bases: {
					variant: () => Promise.resolve("bench"),
					find: async () => undefined,
					keep: async () => undefined,
					isRedThere: async () => false,
					keepRedThere: async () => undefined,
				},
				admission: new CallAdmission(systemClock),
				setups: null,
				host: bareHost,
				commitAsUser: userCommits({ run, env }, vault),
				preflight: () => Promise.resolve(),
				obstacle: () => Promise.resolve(null),
				seat: seatsOf(workflow, { env, host: bareHost }),
			},
			record,
			0,
		);
		await runTask(context, await (await place.openStore()).checkpointer(lease));
		const after = await records.task(run.runId, "bench");
		if (after?.turns !== loop.turns) {
			throw new Error(`the loop ended after ${after?.turns} turns: ${after?.failureReason}`);
		}
	} finally {
		await kept.end();
		await lease.release();
		await (await store)?.close();
	}
}
