import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import type { Supervision } from "../drive/run-options.ts";
import { unlessHeld } from "../drive/take-run.ts";
import { openRepository } from "../git/repository.ts";
import { anySignal } from "../kernel/any-signal.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";
import { randomId } from "../kernel/ids.ts";
import { claimCheckouts } from "../places/checkouts-home.ts";
import { findRun, isLandingDue } from "../places/find-run.ts";
import { gitHost, makeStateDirectory, type Places } from "../places/places.ts";
import type { Store } from "../places/store.ts";
import { endMarkedIn } from "../process/process-tree.ts";
import { type RunStanding, standingOf } from "../schedule/standing.ts";
import type { Records } from "../store/records.ts";
import { outwaitStore } from "./outwait-store.ts";
import type { WorkerPlace } from "./run-ground.ts";
import { type WorkerOptions, type WorkOptions, work } from "./worker.ts";

// Two workers would share checkouts and the vault of a run. The lock is the file system's, by way of SQLite, so it ends with
// the process, however that ends.
async function lockClone(places: Places): Promise<Disposable & { readonly directory: string }> {
	await makeStateDirectory(places);
	const { directory } = await claimCheckouts(places);
	const holder = join(directory, "worker");
	const lock = new DatabaseSync(`${holder}.lock`, { timeout: 0 });
	try {
		lock.exec("BEGIN EXCLUSIVE");
	} catch (cause) {
		lock.close();
		throw new Fault(`a worker (${readFileSync(holder, "utf8")}) works in this clone already`, {
			code: "run-held",
			hint: "Give that worker more --slots, or start this one in a clone of its own.",
			cause,
		});
	}
	writeFileSync(holder, `${hostname()}, pid ${process.pid}`);
	return { directory, [Symbol.dispose]: () => lock.close() };
}

const LOOK_MS = 400;

interface FollowOptions extends Pick<Supervision, "onEvent" | "onNotice" | "onStopped"> {
	readonly after: number;
	readonly signal: AbortSignal;
}

async function followRun(
	records: Records,
	runId: string,
	{ after, signal, onEvent, onNotice, onStopped }: FollowOptions,
): Promise<void> {
	let seen = after;
	let isRefused = false;
	const look = async (): Promise<boolean> => {
		// Read before the events, so that none of them is behind the end.
		const run = await findRun(records, runId);
		const { status, workflow } = run;
		const standing = status === "running" ? await standingOf(records, runId, workflow) : null;
		for (const event of await records.events(runId, { after: seen })) {
			seen = event.id;
			if (event.type === "landing-refused") isRefused = true;
			onEvent?.(event);
		}
		const isOver = status !== "running";
		if (isOver && (isRefused || !isLandingDue(run, await records.tasks(runId)))) return true;
		throwStopped(standing, { runId, onStopped });
		return false;
	};
	for (;;) {
		signal.throwIfAborted();
		if (await outwaitStore(look, { signal, onNotice })) return;
		await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
	}
}

function throwStopped(
	standing: RunStanding | null,
	{ runId, onStopped }: { readonly runId: string } & Pick<FollowOptions, "onStopped">,
): void {
	const [first] = standing?.ready.length === 0 ? standing.stopped : [];
	if (first === undefined) return;
	const [taskId, { code, message, hint }] = first;
	// True because the code was stored from a Fault.
	const known = (code ?? "git-failed") as FaultCode;
	const fault = new Fault(message, {
		code: known,
		hint: hint ?? `Once the cause is gone: spar resume ${runId}`,
	});
	onStopped?.(taskId, fault);
	throw fault;
}

const newWorker = (): Pick<WorkerOptions, "id" | "host"> => {
	const host = hostname();
	return { id: `${host}:${process.pid}-${randomId(6)}`, host };
};

function machinesOf(store: Store): NonNullable<Store["machines"]> {
	if (store.machines === null) throw new Error("the store is that of one machine");
	return store.machines;
}

/**
 * Follows a run to its end or its questions. Meanwhile this process works, too, on whatever needs no tags: where no worker
 * runs, a run goes on all the same. A clone in which a worker runs already is left to it.
 */
export async function workThroughRun(
	place: WorkerPlace,
	run: { readonly runId: string; readonly slots: number },
	following: Omit<FollowOptions, "signal" | "onNotice"> & Pick<Supervision, "signal">,
): Promise<void> {
	const ended = new AbortController();
	const signal = anySignal(ended.signal, following.signal);
	using clone = await lockClone(place.places).catch(unlessHeld);
	const own = { machines: machinesOf(place.store), ...newWorker(), tags: [], slots: run.slots };
	const failed = new AbortController();
	// A store that is away is told of by whoever follows the run.
	const working =
		clone === null ? undefined : outwaitStore(() => work({ ...place, ...own, signal }), { signal });
	const quiet = working?.catch((error: unknown) => failed.abort(error));
	try {
		const told = anySignal(failed.signal, following.signal);
		const { onNotice } = place;
		await followRun(place.store.records, run.runId, { ...following, onNotice, signal: told });
	} finally {
		ended.abort(new Error("the run that was followed rests"));
		await quiet;
	}
}

export async function workAt(
	place: Omit<WorkerPlace, "onNotice">,
	{ onReady, ...how }: WorkOptions,
): Promise<void> {
	const machines = machinesOf(place.store);
	await machines.claim(await openRepository(place.places.root, gitHost(place.env)));
	using clone = await lockClone(place.places);
	// Nobody else works here now; only a landing does not need the clone.
	const ended = await endMarkedIn(clone.directory, (mark) => !mark.includes(":landing:"));
	if (ended > 0) how.onNotice(`processes that an earlier worker left here were ended: ${ended}`);
	const tags = [...new Set(how.tags)].sort();
	const own = { ...newWorker(), tags };
	onReady({ ...own, slots: how.slots });
	await work({ ...place, ...how, machines, ...own });
}
