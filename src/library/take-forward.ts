import { hostname } from "node:os";
import { committer } from "../drive/committer.ts";
import type { Drive } from "../drive/drive.ts";
import type { ResumeOptions, RunOptions, RunPlan, Supervision } from "../drive/run-options.ts";
import { takeRun } from "../drive/take-run.ts";
import { openRepository } from "../git/repository.ts";
import type { LandOptions, LandReport } from "../landing/land-run.ts";
import type { ProposeReport } from "../landing/propose-run.ts";
import { findResumable, findRun, isUnended, owesLanding } from "../places/find-run.ts";
import { gitHost } from "../places/places.ts";
import { revealedNow } from "../places/run-masker.ts";
import type { Lease, RunRecord } from "../store/records.ts";
import { estimateOf, estimateText } from "../view/estimate.ts";
import type { RunReport } from "../view/report.ts";
import type { RunView } from "../view/run-view.ts";
import { withMaxParallel } from "../workflow/run-limits.ts";
import type { Workflow } from "../workflow/workflow.ts";
import type { Opened } from "./opened.ts";

export interface Held extends Supervision, Pick<Drive, "workflow" | "lease"> {}

export async function planRun(own: Opened, options: RunOptions): Promise<RunPlan> {
	const { planOf, prepareRun } = await import("../drive/start-run.ts");
	const { requireAgents } = await import("../seats/agent-needs.ts");
	const prepared = await prepareRun(await own.workflowOf(options.source), options, own);
	await requireAgents(prepared.workflow, own);
	const records = await own.records();
	return planOf(prepared, records === null ? null : await estimateOf(records));
}

export async function startRun(own: Opened, options: RunOptions): Promise<RunReport> {
	const { createRun, prepareRun } = await import("../drive/start-run.ts");
	const prepared = await prepareRun(await own.workflowOf(options.source), options, own);
	if (own.places.store !== null || options.detach === true) {
		const { tryTheGates } = await import("../drive/seats-preflight.ts");
		await tryTheGates(prepared.workflow, options);
		const { startOnMachines } = await import("../machines/run-on-machines.ts");
		return await startOnMachines(prepared, options, own);
	}
	const { tryTheSeats } = await import("../drive/seats-preflight.ts");
	const lost = await tryTheSeats({ ...prepared, ...own.place, runId: null, options });
	options.signal?.throwIfAborted();
	const { run, lease } = await createRun(prepared, options, own);
	own.tried.add(run.runId);
	let refused: string | null = null;
	try {
		const estimate = await estimateOf((await own.openStore()).records);
		if (estimate !== null) options.onNotice?.(estimateText(estimate));
		const { supersedeRefused } = await import("../drive/cancel-run.ts");
		for (const earlier of await supersedeRefused(await own.openStore(), own.places, run.runId))
			options.onNotice?.(
				`run ${earlier}, which had not begun, is cancelled: this one takes its place`,
			);
		refused = await drive(own, { ...options, ...prepared, run, lease, lost });
	} finally {
		await lease.release();
	}
	return await own.report(run, refused);
}

export async function resumeRun(own: Opened, options: ResumeOptions): Promise<RunReport> {
	const store = await own.existing();
	const run =
		options.runId === undefined
			? await findResumable(store, options.maxTurns !== undefined)
			: await findRun(store.records, options.runId);
	if (run.status === "completed" && !owesLanding(run)) return await own.report(run);
	options.signal?.throwIfAborted();
	const lease = await takeRun(store, run.runId);
	let refused: string | null = null;
	try {
		const current = await findRun(store.records, run.runId);
		if (current.status === "completed") {
			refused = await landOwed(own, current, { ...options, lease });
		} else if (store.machines === null) {
			refused = await goOn(own, current, { ...options, lease });
		} else {
			const { resumeOnMachines } = await import("../machines/run-on-machines.ts");
			return await resumeOnMachines({ run: current, lease }, options, own);
		}
	} finally {
		await lease.release();
	}
	return await own.report(run, refused);
}

type Resuming = ResumeOptions & { readonly lease: Lease };

// Also after its landing was cancelled.
async function landOwed(own: Opened, run: RunRecord, options: Resuming): Promise<string | null> {
	if (!owesLanding(run)) return null;
	const { records } = await own.openStore();
	const patch = { cancelRequested: false };
	await committer(records, options)([{ kind: "run", runId: run.runId, patch }]);
	return await landAtEnd(own, run, { ...options, workflow: await storedWorkflow(own, run) });
}

// Reason for which it could not be landed; null where it could.
async function goOn(own: Opened, stored: RunRecord, options: Resuming): Promise<string | null> {
	const { records } = await own.openStore();
	const { resumed } = await import("../drive/replace-agents.ts");
	const owner = `${hostname()}:${process.pid}`;
	const { run, writes } = await resumed(records, stored, { ...options, owner });
	const workflow = withMaxParallel(await storedWorkflow(own, run), options.maxParallel);
	const repository = await openRepository(own.root, gitHost(own.env));
	let lost: Drive["lost"];
	// Before a fresh process takes a run forward: its seats may have gone since it was left.
	if (!own.tried.has(run.runId)) {
		const { tryTheSeatsAgain } = await import("../drive/seats-preflight.ts");
		lost = await tryTheSeatsAgain({ ...own.place, workflow, repository, options }, run, records);
		own.tried.add(run.runId);
	}
	options.onHistory?.(await records.events(run.runId));
	const onEvent: ResumeOptions["onEvent"] = (event) => {
		// Acting on an answer tells of it, whenever it was given.
		if (event.type !== "item-answered") options.onEvent?.(event);
	};
	await committer(records, { ...options, onEvent })(writes);
	return await drive(own, { ...options, run, repository, workflow, lost });
}

async function drive(
	own: Opened,
	options: Held & Pick<Drive, "run" | "anyway" | "lost" | "repository">,
): Promise<string | null> {
	const { driveRun } = await import("../drive/drive-run.ts");
	const { withHost } = await import("../seats/with-host.ts");
	const { places, env, values } = own;
	const store = await own.openStore();
	const request = { ...options, store, places, env, values };
	await withHost(request, (host) => driveRun({ ...request, host }));
	const after = await store.records.run(options.run.runId);
	if (after === undefined) return null;
	const refused = owesLanding(after) ? await landAtEnd(own, after, options) : null;
	if (!isUnended(after)) {
		const { freeOldRuns } = await import("../landing/prune-runs.ts");
		await freeOldRuns(request, options.workflow.keepRuns, options.onNotice);
	}
	return refused;
}

// Null when it is landed, was cancelled or has nothing to land; else why it is not landed.
async function landAtEnd(own: Opened, run: RunRecord, held: Held): Promise<string | null> {
	const { landAtEnd: land } = await import("../landing/land-at-end.ts");
	return await land({
		...held,
		store: await own.openStore(),
		env: own.env,
		run,
		land: (signal) => landHeld(own, run, { ...held, signal }),
	});
}

export async function landHeld(own: Opened, run: RunRecord, held: Held): Promise<LandReport> {
	const { landHere } = await import("../landing/land-run.ts");
	return await withDrive(own, run, held, landHere);
}

async function storedWorkflow(own: Opened, run: RunRecord): Promise<Workflow> {
	const workflow = await revealedNow(run, own);
	own.onLoaded?.(workflow);
	return workflow;
}

export async function withRun<T>(
	own: Opened,
	options: LandOptions,
	work: (run: RunRecord, held: Held) => Promise<T>,
): Promise<T> {
	const store = await own.existing();
	const run = await findRun(store.records, options.runId);
	const lease = await takeRun(store, run.runId);
	try {
		const current = await findRun(store.records, run.runId);
		const workflow = await storedWorkflow(own, current);
		return await work(current, { ...options, workflow, lease });
	} finally {
		await lease.release();
	}
}

export async function proposeHeld(
	own: Opened,
	run: RunRecord,
	held: Held,
	asked: { readonly remote: string | undefined; readonly result: () => Promise<RunView> },
): Promise<ProposeReport> {
	const { proposeRun, titleOf } = await import("../landing/propose-run.ts");
	const { markdownOf, PULL_REQUEST_BYTES } = await import("../words/report/markdown.ts");
	return await withDrive(own, run, held, async (drive) => {
		const tasks = await drive.store.records.tasks(run.runId);
		const merged = tasks.filter((task) => task.merged).map(({ taskId }) => taskId);
		// The stored workflow has marks where its secrets stood.
		const title = titleOf(run.workflow, merged);
		const report = async () => markdownOf(await asked.result(), PULL_REQUEST_BYTES);
		return await proposeRun(drive, { remote: asked.remote, title, report });
	});
}

async function withDrive<T>(
	own: Opened,
	run: RunRecord,
	held: Held,
	work: (drive: Drive) => Promise<T>,
): Promise<T> {
	const { withLandDrive } = await import("../landing/with-land-drive.ts");
	const { places, env } = own;
	return await withLandDrive({ ...held, run, store: await own.openStore(), places, env }, work);
}
