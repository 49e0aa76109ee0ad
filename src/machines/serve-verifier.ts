import { committer } from "../drive/committer.ts";
import type { Drive, RunContext } from "../drive/drive.ts";
import { runContext, silenceTracing } from "../drive/run-context.ts";
import { openRunVault } from "../drive/run-vault.ts";
import { taskContext } from "../drive/task-context.ts";
import { withBase } from "../git/base-vault.ts";
import { isCommit } from "../git/changes.ts";
import { copiedFiles } from "../git/copied-files.ts";
import { openRepository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { copiedSecrets } from "../judge/copied-secrets.ts";
import { Fault } from "../kernel/fault.ts";
import { verifyRequest } from "../loop/in-process-verifier.ts";
import { spentAccountIn } from "../loop/seat-call.ts";
import { maskDeep } from "../masking/masking.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { findRun, noRuns } from "../places/find-run.ts";
import { loadSource, requireWorkflow, type WorkflowSource } from "../places/load-source.ts";
import { gitHost, hasStore, type Places, placesOf } from "../places/places.ts";
import { bringShared } from "../places/remote-ground.ts";
import { revealedNow } from "../places/run-masker.ts";
import { maskerOf } from "../places/secrets.ts";
import { openStore, type Store } from "../places/store.ts";
import { requireSameStore } from "../places/store-address.ts";
import { endMarked } from "../process/process-tree.ts";
import { requireTemporary } from "../process/temporary.ts";
import { withHost } from "../seats/with-host.ts";
import { removeLeftOf } from "../setups/own-temporary.ts";
import type { Lease, RunRecord, TaskRecord } from "../store/records.ts";
import {
	faultAsData,
	type VerificationAnswer,
	type VerificationJob,
} from "../verification/remote-job.ts";
import type { VerificationOutcome } from "../verification/verification.ts";
import type { NatsSettings, Workflow } from "../workflow/workflow.ts";

const FENCE_POLL_MS = 2_000;

interface VerifierPlace {
	readonly places: Places;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly onNotice: (text: string) => void;
}

/**
 * Verifies what another process asks for. Every write is under the fence of who asked: where that one no longer holds the
 * run, nothing is written. The same job again asks no agent again that answered already.
 *
 * @param signal hands the job back: it rejects with the signal's reason
 */
export async function verifyForAnother(
	job: VerificationJob,
	place: VerifierPlace,
	signal: AbortSignal,
): Promise<VerificationAnswer> {
	try {
		if (!hasStore(place.places)) throw noRuns();
		await using store = await openStore(place.places);
		return await withinFence(job, store, signal, (during) =>
			verified(job, { ...place, store: store.fenced(job.fence) }, during),
		);
	} catch (error) {
		signal.throwIfAborted();
		const spent = spentAccountIn(error);
		if (spent !== null) {
			const outcome = { ...spent, kind: "account_spent" } as const;
			return { kind: "outcome", outcome, asked: job.asked };
		}
		if (!(error instanceof Fault)) throw error;
		const { code, retryable, message, hint } = faultAsData(error);
		const masker = maskerOf(place.env, null);
		const told = maskDeep(masker, { message, hint });
		return { kind: "refused", fault: { ...told, code, retryable } };
	}
}

async function withinFence<T>(
	{ fence }: VerificationJob,
	{ records }: Store,
	signal: AbortSignal,
	work: (during: AbortSignal) => Promise<T>,
): Promise<T> {
	await findRun(records, fence.runId);
	const require = async (): Promise<void> => {
		await records.commit(fence, []);
		if (await records.cancelRequested(fence.runId)) throw cancelled(fence.runId);
	};
	await require();
	const ended = new AbortController();
	using _polling = setInterval(() => {
		// A database that cannot be read shows itself in the work.
		void require().catch((error: unknown) => error instanceof Fault && ended.abort(error));
	}, FENCE_POLL_MS);
	try {
		return await work(AbortSignal.any([signal, ended.signal]));
	} catch (error) {
		ended.signal.throwIfAborted();
		throw error;
	}
}

const cancelled = (runId: string): Fault =>
	new Fault(`run ${runId} was cancelled`, {
		code: "lease-lost",
		hint: "See `spar status` for the state of the run.",
	});

async function verified(
	job: VerificationJob,
	place: VerifierPlace & { readonly store: Store },
	signal: AbortSignal,
): Promise<VerificationAnswer> {
	const { records } = place.store;
	const run = await findRun(records, job.fence.runId);
	const task = await askedTask(job, run, await records.task(run.runId, job.request.task.id));
	await requireTemporary();
	const drive = await driveOf(job, run, place, signal);
	// What a verifier left that was killed in the middle of the same task.
	await endMarked(`${run.runId}:${task.taskId}:`);
	const { masker } = drive;
	const commit = committer(records, drive);
	const vault = await vaultOf(drive, job, signal);
	return await withHost(drive, async (host) => {
		const context = taskContext(
			await runContext({ ...drive, host }, { signal, commit, vault, masker }),
			task,
			job.slot,
		);
		await removeLeftOf(context.places.work);
		const { outcome, asked } = await verifyRequest(context, job.request, job);
		return { kind: "outcome", outcome: maskDeep(masker, outcome), asked };
	});
}

async function askedTask(
	{ request, fence, epoch }: VerificationJob,
	run: RunRecord,
	task: TaskRecord | undefined,
): Promise<TaskRecord> {
	const { scope } = fence;
	const isHeld = scope === "run" || (scope !== "integration" && scope.task === request.task.id);
	if (request.run !== run.runId || task === undefined || !isHeld)
		throw new Fault(`the request is about no task that its sender holds in run ${run.runId}`, {
			code: "task-not-found",
			hint: "Run the same version of Sparring on both sides.",
		});
	if (task.epoch === epoch) return task;
	throw new Fault(`task ${task.taskId} of run ${run.runId} was reopened since it was asked about`, {
		code: "lease-lost",
		hint: "See `spar status` for the state of the run.",
	});
}

type HostlessDrive = Omit<Drive, "host"> & Pick<RunContext, "masker">;

async function driveOf(
	{ fence }: VerificationJob,
	run: RunRecord,
	{ store, places, env, onNotice }: VerifierPlace & { readonly store: Store },
	signal: AbortSignal,
): Promise<HostlessDrive> {
	const { root } = places;
	const opened = await openRepository(root, gitHost(env));
	const repository = { ...opened, mark: `${run.runId}:refs` };
	const stored = await revealedNow(run, { root, env });
	// It verifies itself, whatever way the request came.
	const workflow = { ...stored, verification: { ...stored.verification, via: undefined } };
	// The fence is borrowed: who asked keeps the lease, and gives it back.
	const release = (): Promise<void> => Promise.resolve();
	const lease: Lease = { ...fence, lost: signal, release, [Symbol.asyncDispose]: release };
	const copied = copiedFiles(await makeRunDirectory(places, run.runId, onNotice));
	const masker = maskerOf(env, workflow, copiedSecrets(copied));
	return { run, workflow, lease, store, places, repository, env, masker, onNotice };
}

// Its process has made it on this machine.
async function vaultOf(
	{ run, repository, store, places, env, onNotice }: HostlessDrive,
	{ request }: VerificationJob,
	signal: AbortSignal,
): Promise<Vault> {
	const directory = await makeRunDirectory(places, run.runId, onNotice);
	const use = { signal, mark: `${run.runId}:git` };
	const plain = await openRunVault({ repository, store }, run, directory, use);
	const vault = await withBase(plain, run);
	await bringShared(repository, run, { env, tasks: [request.task.id] });
	const needed = [request.base, request.commit, ...request.suites.map(({ commit }) => commit)];
	for (const commit of needed) {
		if (await isCommit(vault, commit)) continue;
		throw new Fault(`commit ${commit} of task ${request.task.id} is not in ${repository.root}`, {
			code: "verifier-unavailable",
			hint: "Start `spar verifier` in the repository of the run.",
		});
	}
	return vault;
}

interface ToldRequest {
	readonly run: string;
	readonly task: string;
	readonly turn: number;
	/** Names the request, such as `r1/limiter/1/3/9f86d081884c7d65/0`. */
	readonly id: string;
}

/** News of a verifier that serves other processes, in order. */
export type VerifierNews =
	| { readonly kind: "serving"; readonly where: string; readonly slots: number }
	| ({ readonly kind: "request" } & ToldRequest)
	| ({
			readonly kind: "result";
			/** A verdict, or how there came to be none. */
			readonly outcome: VerdictWord;
			readonly why: string | null;
			readonly ms: number;
	  } & ToldRequest)
	| { readonly kind: "notice"; readonly text: string };

/** `handed_back` is for another verifier, `refused` for nobody. */
export type VerdictWord =
	| "passed"
	| "failed"
	| "skipped"
	| "inconclusive"
	| Exclude<VerificationOutcome["kind"], "decided">
	| "refused"
	| "handed_back";

/** Settings of a verifier that serves other processes. */
export interface ServeVerifierOptions {
	/** Any directory inside the repository. */
	readonly directory: string;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Says in its file how requests come. */
	readonly source: WorkflowSource;
	/** Requests that are worked on at once; 1 or more. */
	readonly slots: number;
	readonly onNews: (news: VerifierNews) => void;
	/** Told of a bug that a request met; the verifier goes on. */
	readonly onBug: (error: unknown) => void;
	/** Told of the workflow, whose secrets are to be masked. */
	readonly onWorkflow: (workflow: Workflow) => void;
}

/**
 * Verifies the work of runs in other processes, until the signal aborts: what is worked on then is handed back.
 *
 * @throws Fault `workflow-invalid`; `usage` where the file says that runs verify themselves;
 * `verifier-unavailable` where NATS cannot be reached
 */
export async function serveVerifier(
	options: ServeVerifierOptions,
	signal: AbortSignal,
): Promise<void> {
	const { directory, env, source } = options;
	silenceTracing(process.env);
	const { root } = await openRepository(directory, gitHost(env));
	const workflow = requireWorkflow(await loadSource(source, { root, directory }), source);
	options.onWorkflow(workflow);
	const places = placesOf(root, env);
	requireSameStore(workflow.store, places.store, env);
	const { via, nats } = workflow.verification;
	if (via === "nats" && nats !== undefined) return await overNats(nats, places, options, signal);
	throw new Fault("verification.via is in_process: each run verifies itself", {
		code: "usage",
		hint: "Set verification.via to nats in the workflow file; `spar verifier` serves runs that ask in that way.",
	});
}

async function overNats(
	settings: NatsSettings,
	places: Places,
	{ env, slots, onNews, onBug }: ServeVerifierOptions,
	signal: AbortSignal,
): Promise<void> {
	const onNotice = (text: string): void => onNews({ kind: "notice", text });
	const { serveNats } = await import("../verification/nats/serve-nats.ts");
	await serveNats(
		{
			settings,
			env,
			slots,
			onNotice,
			handle: (job, during) => verifyForAnother(job, { places, env, onNotice }, during),
			onReady: (where) => onNews({ kind: "serving", where, slots }),
			onRequest: ({ run, task, turn, id }) => onNews({ kind: "request", run, task, turn, id }),
			onResult: ({ run, task, turn, id }, answer, ms) =>
				onNews({ kind: "result", run, task, turn, id, ms, ...toldAnswer(answer) }),
			onProblem: (text, error) => {
				onNotice(text);
				if (error !== undefined) onBug(error);
			},
		},
		signal,
	);
}

function toldAnswer(answer: VerificationAnswer | null): {
	readonly outcome: VerdictWord;
	readonly why: string | null;
} {
	if (answer === null) return { outcome: "handed_back", why: null };
	if (answer.kind === "refused") return { outcome: "refused", why: answer.fault.message };
	const { outcome } = answer;
	if (outcome.kind === "decided") return { outcome: outcome.result.verdict, why: null };
	const why = outcome.kind === "account_spent" ? outcome.said : outcome.why;
	return { outcome: outcome.kind, why };
}
