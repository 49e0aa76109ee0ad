import { resolve } from "node:path";
import { branchBehind } from "../git/branch-use.ts";
import { type FilterFinding, inspectFilters, requireFilters } from "../git/filter-findings.ts";
import { requireFree } from "../git/move-refs.ts";
import { refsInTheWay } from "../git/refs.ts";
import {
	openRepository,
	type Repository,
	resolveCommit,
	uncommittedPaths,
} from "../git/repository.ts";
import { IDENTITY } from "../git/run-git.ts";
import { missingSubmodules } from "../git/submodules.ts";
import { userIdentity } from "../git/user-commit.ts";
import { type UserIgnores, userIgnores } from "../git/user-ignores.ts";
import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { runIdAt } from "../kernel/ids.ts";
import type { Person } from "../kernel/person.ts";
import type { Masker } from "../masking/masking.ts";
import { gitHost, makeStateDirectory, type Places } from "../places/places.ts";
import { publishRun, reachOf, requireRemote } from "../places/remote-ground.ts";
import { maskerOf, storedWorkflow } from "../places/secrets.ts";
import type { Store } from "../places/store.ts";
import { requireSameStore } from "../places/store-address.ts";
import type { EnvironmentSource } from "../process/environment.ts";
import { requireTemporary } from "../process/temporary.ts";
import { runEvent } from "../schedule/run-writes.ts";
import { requireSandbox } from "../seats/with-host.ts";
import { maskWrites } from "../store/mask-writes.ts";
import {
	type Lease,
	type RunRecord,
	stepWrite,
	type TaskRecord,
	type Write,
} from "../store/records.ts";
import { causeText } from "../verification/cause.ts";
import { requirementOf } from "../verification/requirement.ts";
import { dependencyOrder, withDependencies } from "../workflow/order.ts";
import { withMaxParallel, withMaxTurns } from "../workflow/run-limits.ts";
import { verifierOf } from "../workflow/verifier-of.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { requireCopies } from "./copies.ts";
import { requireWords } from "./require-words.ts";
import type { RunOptions, RunPlan } from "./run-options.ts";
import { ignoreRulesStep } from "./run-vault.ts";

/** All that has to be known before anything is created. */
export interface PreparedRun {
	readonly workflow: Workflow;
	readonly repository: Repository;
	readonly baseBranch: string;
	readonly baseCommit: string;
	readonly masker: Masker;
	readonly filters: readonly FilterFinding[];
	/** Author of the merged commits; null where git knows nobody. */
	readonly identity: Person | null;
	readonly ignores: UserIgnores;
}

/**
 * Checks what can be checked before a run exists: the workflow, the repository, the base. `preflight.ts` has the agents.
 *
 * @throws Fault `usage`, also for a task that still has the words of the starter file; `repository-unsuitable`, and the
 * faults of `openRepository`
 */
export async function prepareRun(
	loaded: Workflow,
	options: Omit<RunOptions, "source">,
	place: {
		readonly directory: string;
		readonly env: EnvironmentSource;
		readonly places: Pick<Places, "store">;
	},
): Promise<PreparedRun> {
	await requireTemporary();
	const repository = await openRepository(place.directory, gitHost(place.env));
	const chosen = withMaxTurns(selected(loaded, options.taskIds), options.maxTurns);
	const workflow = withMaxParallel(chosen, options.maxParallel);
	const masker = maskerOf(place.env, workflow);
	requireSameStore(workflow.store, place.places.store, place.env);
	requireWords(workflow);
	await requireSandbox(workflow, place.env);
	if (options.recordFile !== undefined) {
		const file = resolve(place.directory, options.recordFile);
		const { requireRecordable } = await import("../seats/recorder.ts");
		await requireRecordable(file, { workflow, gitDir: repository.commonDir });
	}
	const base = await baseOf(workflow, repository);
	// Where several machines share a store, no checkout of this one takes part.
	const landsHere = workflow.merge.into === "base" && place.places.store === null;
	// Landing would be refused at the end, after the agents were paid: say so now.
	if (landsHere)
		await requireFree(repository, [base.baseBranch], { base: base.baseBranch, again: "spar run" });
	await requireCopies(workflow, repository, base.baseCommit);
	const filters = await inspectFilters(repository, base.baseCommit);
	requireFilters(filters);
	const identity = await userIdentity(repository, place.env);
	const ignores = await userIgnores(repository);
	return { workflow, repository, masker, filters, identity, ignores, ...base };
}

function selected(workflow: Workflow, taskIds: readonly string[] | undefined): Workflow {
	if (taskIds === undefined || taskIds.length === 0) return workflow;
	return { ...workflow, tasks: withDependencies(workflow.tasks, taskIds) };
}

export async function baseOf(
	workflow: Pick<Workflow, "base">,
	repository: Repository,
): Promise<Pick<PreparedRun, "baseBranch" | "baseCommit">> {
	const named = workflow.base ?? repository.headBranch;
	if (named === null) {
		throw new Fault(
			`HEAD of ${repository.root} is detached or no branch, so there is none to work for`,
			{
				code: "repository-unsuitable",
				hint: "Check out a branch, or name one with `base:` in the workflow file.",
			},
		);
	}
	// Moving the other name of a branch would cut it loose from the branch.
	const branch = branchBehind(repository, named);
	if (named === repository.headBranch)
		return { baseBranch: branch, baseCommit: repository.headCommit };
	const commit = await resolveCommit(repository, `refs/heads/${branch}`);
	if (commit !== undefined) return { baseBranch: branch, baseCommit: commit };
	throw new Fault(`the base branch ${branch} does not exist in ${repository.root}`, {
		code: "repository-unsuitable",
		hint: "Name an existing local branch with `base:` in the workflow file.",
	});
}

export function planOf(
	{ workflow, baseBranch, baseCommit, masker }: PreparedRun,
	estimate: RunPlan["estimate"],
): RunPlan {
	const byId = new Map(workflow.tasks.map((task) => [task.id, task]));
	return {
		workflow: workflow.name,
		base: baseBranch,
		base_commit: baseCommit,
		tasks: dependencyOrder(workflow.tasks).flatMap((id) => {
			const task = byId.get(id);
			if (task === undefined) return [];
			const { player, pair, bound, dependsOn } = task;
			const { required, by, causes } = requirementOf(task);
			return [
				{
					id,
					player,
					coach: pair?.challenger ?? null,
					verifier: verifierOf(workflow, task),
					requires_verification: required,
					verification_by: by,
					verification_reasons: causes.map(causeText),
					bound,
					depends_on: dependsOn,
				},
			];
		}),
		checks: workflow.checks.map(({ name, kind, run }) => ({ name, kind, run: masker.mask(run) })),
		estimate,
	};
}

export async function createRun(
	prepared: PreparedRun,
	options: Omit<RunOptions, "source">,
	place: {
		readonly directory: string;
		readonly places: Places;
		readonly env: EnvironmentSource;
		readonly openStore: () => Promise<Store>;
	},
): Promise<{ readonly run: RunRecord; readonly lease: Lease }> {
	const { workflow, repository, baseBranch, baseCommit, masker } = prepared;
	const now = Date.now();
	const runId = runIdAt(now);
	const branch = `sparring/${runId}/integration`;
	await refuseRefsInTheWay(repository, [
		branch,
		...workflow.tasks.map(({ id }) => taskBranch(runId, id)),
	]);
	await makeStateDirectory(place.places);
	const recordFile =
		options.recordFile === undefined ? null : resolve(place.directory, options.recordFile);
	const store = await place.openStore();
	await store.machines?.claim(repository);
	const run: RunRecord = {
		runId,
		workflow: storedWorkflow(workflow, masker),
		baseBranch,
		baseCommit,
		branch,
		status: "running",
		createdAt: new Date(now).toISOString(),
		endedAt: null,
		identity: prepared.identity ?? IDENTITY,
		landedCommit: null,
		recordFile,
		cancelRequested: false,
		pruned: false,
	};
	await publish({ run, workflow, repository, env: place.env });
	const lease = await store.leases.take(runId);
	try {
		if (recordFile !== null) await (await import("../seats/recorder.ts")).beginCassette(recordFile);
		const order = dependencyOrder(workflow.tasks);
		const tasks = order.map((id, position) => newTask(workflow, { runId, id, position }));
		const writes = [
			...maskWrites(masker, [startedEvent(run, order, workflow)]),
			// As they are: a rule that reads like a secret would no longer match.
			stepWrite(ignoreRulesStep(runId), prepared.ignores.rules),
		];
		const events = await store.records.createRun(run, tasks, lease, writes);
		for (const event of events) options.onEvent?.(event);
		await giveNotices(prepared, options);
		return { run, lease };
	} catch (error) {
		// Nobody else can give it back: the caller never saw it.
		await lease.release();
		throw error;
	}
}

// Before its records name them, the remote has the run's base commit and its branch.
async function publish({
	run,
	workflow,
	repository,
	env,
}: Pick<PreparedRun, "workflow" | "repository"> & {
	readonly run: RunRecord;
	readonly env: EnvironmentSource;
}): Promise<void> {
	const reach = reachOf(workflow, { env });
	if (reach === null) return;
	await requireRemote(repository, reach, run.baseBranch);
	await publishRun(repository, reach, run);
}

// In the transaction of the run's records: a run that a kill left with nothing else has its beginning too.
function startedEvent(
	{ runId, workflow, createdAt, baseBranch, baseCommit, branch }: RunRecord,
	order: readonly string[],
	{ agents, checks }: Workflow,
): Write {
	const data = {
		workflow: workflow.name,
		base: baseBranch,
		base_commit: baseCommit,
		branch,
		tasks: [...order],
		agents: Object.fromEntries(
			Object.entries(agents).map(([name, { adapter }]) => [name, adapter]),
		),
		checks: Object.fromEntries(checks.map(({ name, run }) => [name, run])),
	};
	return runEvent(runId, "run-started", data, { timestamp: createdAt });
}

function taskBranch(runId: string, taskId: string): string {
	return `sparring/${runId}/${taskId}`;
}

async function refuseRefsInTheWay(
	repository: Repository,
	branches: readonly string[],
): Promise<void> {
	const found = await refsInTheWay(
		repository,
		branches.map((branch) => `refs/heads/${branch}`),
	);
	if (found.length === 0) return;
	throw new Fault(`these refs are in the way of the run's branches: ${found.join(", ")}`, {
		code: "ref-in-the-way",
		hint: "Sparring never deletes or resets a branch. Rename them (git branch -m), then run again.",
	});
}

async function giveNotices(
	{ repository, workflow, filters, identity, ignores, baseCommit }: PreparedRun,
	{ onNotice, ...options }: Omit<RunOptions, "source">,
): Promise<void> {
	if (onNotice === undefined) return;
	const notice = onNotice;
	const dirty = await uncommittedPaths(repository);
	if (dirty.length > 0)
		notice(
			`${counted(dirty.length, "uncommitted change")} ${dirty.length === 1 ? "is" : "are"} not part of this run, which starts from the last commit`,
		);
	for (const path of await missingSubmodules(repository, baseCommit))
		notice(
			`the submodule ${path} is empty in the run's checkouts, since this repository does not have its commit; fetch it before a run (git submodule update --init --recursive), or in \`setup\``,
		);
	for (const { message } of filters) notice(message);
	for (const why of ignores.unread)
		notice(`ignore rules of yours cannot be read and do not count in this run: ${why}`);
	if (identity === null && workflow.merge.into !== "none")
		notice(
			`git has no user.name and user.email here, so merged commits will be by ${IDENTITY.name} <${IDENTITY.email}>`,
		);
	for (const { id, allow = [] } of workflow.tasks)
		for (const { path, change, reason } of allow)
			notice(`task ${id} allows "${change}" of ${path}: ${reason}`);
	const named = options.taskIds ?? [];
	const added =
		named.length === 0
			? []
			: workflow.tasks.map(({ id }) => id).filter((id) => !named.includes(id));
	if (added.length > 0) notice(`also running what the named tasks depend on: ${added.join(", ")}`);
}

function newTask(
	workflow: Workflow,
	{
		runId,
		id,
		position,
	}: { readonly runId: string; readonly id: string; readonly position: number },
): TaskRecord {
	const task = workflow.tasks.find((each) => each.id === id);
	if (task === undefined) throw new Error(`the order names ${id}, which is no task`);
	return {
		runId,
		taskId: id,
		position,
		status: "pending",
		phase: "initializing",
		turns: 0,
		success: null,
		failureReason: null,
		flags: [],
		branch: taskBranch(runId, id),
		startCommit: null,
		commit: null,
		merged: false,
		mergedCommit: null,
		challengerApproved: null,
		gate: null,
		verification: task.requiresVerification === "false" ? "skipped" : null,
		openFindings: 0,
		humanItem: null,
		startedAt: null,
		endedAt: null,
		epoch: 1,
		bound: task.bound,
		subtask: 0,
		subtaskStart: 0,
		confidenceScore: null,
		confidenceWarnings: [],
		checklist: [],
	};
}
