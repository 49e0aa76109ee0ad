import { hostname } from "node:os";
import { committer } from "../drive/committer.ts";
import { resumed } from "../drive/replace-agents.ts";
import type { ResumeOptions, RunOptions } from "../drive/run-options.ts";
import { createRun, type PreparedRun } from "../drive/start-run.ts";
import { Fault } from "../kernel/fault.ts";
import type { Places } from "../places/places.ts";
import {
	DEFAULT_REMOTE,
	reachOf,
	requireRemote,
	requireRemoteBase,
} from "../places/remote-ground.ts";
import type { Store } from "../places/store.ts";
import { stoppedStep } from "../schedule/standing.ts";
import { type Lease, type RunRecord, stepWrite } from "../store/records.ts";
import type { RunReport } from "../view/report.ts";
import { noWorkerText } from "../words/standing.ts";
import { waitingTask } from "./awaited.ts";
import { outwaitStore } from "./outwait-store.ts";
import { workThroughRun } from "./work-here.ts";

interface MachinesPlace {
	readonly directory: string;
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly openStore: () => Promise<Store>;
	readonly report: (run: RunRecord) => Promise<RunReport>;
}

/**
 * Starts a run that several machines work on, and follows it to its end; with `detach` it only starts it. Once the run is
 * there, a store that is away is waited for.
 *
 * @throws Fault `usage` without a store that machines share, and for `--record`; `remote-unsuitable`, also
 * where the run is to land on a branch that the remote does not have; `remote-unreachable`
 */
export async function startOnMachines(
	prepared: PreparedRun,
	options: Omit<RunOptions, "source">,
	place: MachinesPlace,
): Promise<RunReport> {
	const { workflow } = prepared;
	requireShared(place.places, options);
	const shared = { ...workflow, code: workflow.code ?? { remote: DEFAULT_REMOTE } };
	await requireLandable({ ...prepared, workflow: shared }, options, place.env);
	options.signal?.throwIfAborted();
	const { run, lease } = await createRun({ ...prepared, workflow: shared }, options, place);
	await lease.release();
	const store = await place.openStore();
	if (options.detach === true) {
		await tellUnserved(store, run, options);
		return await outwaitStore(() => place.report(run), options);
	}
	const events = await outwaitStore(() => store.records.events(run.runId), options);
	// Its first event was told as the run was created.
	const after = events.find(({ type }) => type === "run-started");
	return await goOn(run, options, place, { store, after: after?.id ?? 0 });
}

// Now, and not after the tasks before them are done: somebody can still start one.
async function tellUnserved(
	{ machines }: Store,
	run: RunRecord,
	options: Pick<RunOptions, "onNotice" | "signal">,
): Promise<void> {
	const live = await outwaitStore(async () => (await machines?.workers.live()) ?? [], options);
	const texts = run.workflow.tasks.flatMap((definition) => {
		const task = { definition, phase: "initializing" } as const;
		const { tags, has_worker: has, unfit } = waitingTask(run, task, live);
		return has ? [] : [noWorkerText(tags, unfit)];
	});
	for (const text of new Set(texts)) options.onNotice?.(text);
}

function requireShared({ store }: Places, { recordFile }: Pick<RunOptions, "recordFile">): void {
	if (store === null)
		throw new Fault("--detach needs a store that workers share, and none is named", {
			code: "usage",
			hint: "Set SPAR_STORE to the address of a Postgres, such as postgres://user@host/database.",
		});
	if (recordFile !== undefined)
		throw new Fault("a run of several machines cannot be recorded: each would write a part", {
			code: "usage",
			hint: "Record it on one machine, without SPAR_STORE.",
		});
}

async function requireLandable(
	{ repository, workflow, ...base }: PreparedRun,
	{ onNotice }: Pick<RunOptions, "onNotice">,
	env: MachinesPlace["env"],
): Promise<void> {
	const reach = reachOf(workflow, { env });
	if (workflow.merge.into !== "base" || reach === null) return;
	await requireRemote(repository, reach, base.baseBranch);
	if (await requireRemoteBase(repository, reach, base)) return;
	onNotice?.(
		`${base.baseBranch} has commits here that ${reach.remote} does not have there: they land with the run`,
	);
}

export async function resumeOnMachines(
	{ run: stored, lease }: { readonly run: RunRecord; readonly lease: Lease },
	options: ResumeOptions,
	place: MachinesPlace,
): Promise<RunReport> {
	const store = await place.openStore();
	const { records } = store;
	const owner = `${hostname()}:${process.pid}`;
	const { run, writes } = await resumed(records, stored, { ...options, owner });
	const tasks = await records.tasks(run.runId);
	const history = await records.events(run.runId);
	options.onHistory?.(history);
	await committer(records, { lease })([
		...tasks.map((task) => stepWrite(stoppedStep(task), null)),
		...writes,
	]);
	await lease.release();
	return await goOn(run, options, place, { store, after: history.at(-1)?.id ?? 0 });
}

async function goOn(
	run: RunRecord,
	options: Pick<RunOptions, "onEvent" | "onNotice" | "onStopped" | "signal" | "maxParallel">,
	own: MachinesPlace,
	{ store, after }: { readonly store: Store; readonly after: number },
): Promise<RunReport> {
	const { runId, workflow } = run;
	const { onEvent, onNotice = () => undefined, onStopped, signal, maxParallel } = options;
	const slots = maxParallel ?? workflow.maxParallel;
	const place = { store, places: own.places, env: own.env, onNotice };
	await workThroughRun(place, { runId, slots }, { after, onEvent, onStopped, signal });
	return await outwaitStore(() => own.report(run), { signal, onNotice });
}
