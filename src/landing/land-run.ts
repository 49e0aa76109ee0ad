import { committer } from "../drive/committer.ts";
import type { Drive } from "../drive/drive.ts";
import type { Supervision } from "../drive/run-options.ts";
import { openRunVault } from "../drive/run-vault.ts";
import { clearDamage, unreadableWork } from "../drive/sound-state.ts";
import { userCommits } from "../drive/user-commits.ts";
import { withBase } from "../git/base-vault.ts";
import { moveRefs } from "../git/move-refs.ts";
import { readRef } from "../git/refs.ts";
import { fetchRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import type { Vault } from "../git/vault.ts";
import { damageOf, heldCommits, notIn } from "../git/wholeness.ts";
import { copiedSecrets } from "../judge/copied-secrets.ts";
import { Fault } from "../kernel/fault.ts";
import { isDelivered } from "../kernel/task-state.ts";
import type { Masker } from "../masking/masking.ts";
import { type Landing, land } from "../merge/land.ts";
import { type MergedTask, type UndoneWork, undoneWork } from "../merge/undone-work.ts";
import { makeRunDirectory } from "../places/checkouts-home.ts";
import { missingIn } from "../places/remote-refs.ts";
import { maskerOf } from "../places/secrets.ts";
import { requireTemporary } from "../process/temporary.ts";
import { runEvent } from "../schedule/run-writes.ts";
import type { RunRecord, TaskRecord } from "../store/records.ts";
import type { StoredEvent } from "../trace/event.ts";
import { TASK_STATUS_WORDS } from "../words/states.ts";
import { checkCold } from "./cold-check.ts";
import { landingBranches, sharedReach, tellUnpublished } from "./landing-place.ts";

export interface LandReport {
	readonly run_id: string;
	/** `landed`; `already_landed`; `refused` with the reason (conflict with a moved base, red checks). */
	readonly outcome: "landed" | "already_landed" | "refused";
	/** Short name of the base branch. */
	readonly branch: string;
	/** On which it landed there; null: in this repository. */
	readonly remote: string | null;
	readonly commit: string | null;
	readonly reason: string | null;
	/** Work of merged tasks that commits made by hand on the integration branch undo, as far as it can be known. */
	readonly undone: readonly UndoneWork[];
}

export interface LandOptions extends Supervision {
	/** Default: the newest run. */
	readonly runId?: string | undefined;
}

/**
 * Lands a run: what its tasks merged goes into the base branch.
 *
 * @throws Fault `nothing-to-land` when no task has merged, `run-not-resumable` when merged work cannot be read, and the
 * faults of `land`
 */
export async function landRun(drive: Drive): Promise<LandReport> {
	try {
		return await landOnce(drive);
	} catch (error) {
		if (!(error instanceof Fault) || error.code !== "git-failed" || !error.retryable) throw error;
		if ((await clearDamage(drive)) === 0) throw error;
		return await landOnce(drive);
	}
}

async function landOnce(drive: Drive): Promise<LandReport> {
	const { run, store } = drive;
	await requireTemporary();
	const remote = sharedReach(drive)?.remote ?? null;
	const about = { run_id: run.runId, branch: run.baseBranch, remote };
	const tasks = await store.records.tasks(run.runId);
	if (wasThere(tasks)) drive.onNotice?.(WAS_THERE);
	const done = wasThere(tasks) ? run.baseCommit : await landedBefore(drive);
	if (done !== null)
		return { ...about, outcome: "already_landed", commit: done, reason: null, undone: [] };
	const unreviewed = await withoutReview(drive);
	if (unreviewed !== null)
		return { ...about, outcome: "refused", commit: null, reason: unreviewed, undone: [] };
	const { undone, masker, ...ground } = await landingGround(drive);
	await tellUnpublished(drive, ground);
	const commit = committer(store.records, { ...drive, masker });
	const write = userCommits(drive, ground.vault);
	// Without it, a landing that is killed between the two branches would take its own merge for somebody else's.
	const onBaseMerged = (merge: string): Promise<void> =>
		commit([
			runEvent(run.runId, "base-merged", {
				base: run.baseBranch,
				into: run.branch,
				commit: merge,
			}),
		]);
	const result = await land({ ...ground, at: Date.now(), write, onBaseMerged });
	if (result.outcome === "refused")
		return { ...about, outcome: "refused", commit: null, reason: result.reason, undone };
	if (run.landedCommit !== result.commit) {
		await commit([
			{ kind: "run", runId: run.runId, patch: { landedCommit: result.commit } },
			runEvent(run.runId, "run-landed", { branch: run.baseBranch, commit: result.commit }),
		]);
	}
	return { ...about, outcome: result.outcome, commit: result.commit, reason: null, undone };
}

const WAS_THERE = "Nothing to merge: the work was there already.";

const wasThere = (tasks: readonly TaskRecord[]): boolean =>
	tasks.some(isDelivered) && !tasks.some(({ merged }) => merged);

// Of a run that was pruned; null when there may be something to land.
export async function landedBefore({ run, store }: Drive): Promise<string | null> {
	const tasks = await store.records.tasks(run.runId);
	if (!tasks.some(({ merged }) => merged)) {
		const hint =
			run.workflow.merge.into === "none"
				? "Its workflow says `merge: { into: none }`: the work is on the branches of its tasks."
				: `See where it stands: spar status ${run.runId}`;
		throw new Fault(`no task of run ${run.runId} has merged anything`, {
			code: "nothing-to-land",
			hint: wasThere(tasks) ? WAS_THERE : hint,
		});
	}
	if (!run.pruned || run.landedCommit !== null) return run.pruned ? run.landedCommit : null;
	throw new Fault(`run ${run.runId} was pruned: its branches are gone`, {
		code: "nothing-to-land",
		hint: "Start a new one: spar run",
	});
}

type LandingGround = Omit<Landing, "at" | "write" | "onBaseMerged"> & {
	readonly masker: Masker;
	readonly undone: readonly UndoneWork[];
};

export async function landingGround(drive: Drive): Promise<LandingGround> {
	const { run } = drive;
	const directory = await makeRunDirectory(drive.places, run.runId, drive.onNotice);
	const mark = `${run.runId}:landing:git`;
	const plain = await openRunVault(drive, run, directory, { mark });
	const masker = maskerOf(drive.env, drive.workflow, copiedSecrets(plain.copied));
	const vault = await withBase(plain, run);
	const merges = await mergesOf(drive);
	const branches = landingBranches(drive);
	const tip = await branches.tip(run.branch);
	await requireWhole(run, vault, [
		...merges.map(({ commit }) => commit),
		...(tip === undefined ? [] : [tip]),
	]);
	const strange = tip === undefined ? [] : await movedByHand(drive, tip);
	const held = tip === undefined ? [] : await heldMerges(drive, tip, merges);
	const undone = await undoneByHand(drive, tip, { vault, held, masker });
	const merged = held.at(-1)?.commit ?? null;
	return {
		branches,
		vault,
		masker,
		undone,
		runId: run.runId,
		base: run.baseBranch,
		integration: run.branch,
		lostMerge: (at) => lostMerge(drive, vault, { merges, at }),
		// A merge onto what somebody put there was judged against a baseline that holds their failures.
		isTested: async (tip) => strange.length === 0 && merges.some((merge) => merge.commit === tip),
		checkCold: (commit, tree) =>
			checkCold(drive, { vault, directory, tree, masker, commit, merged }),
	};
}

// A loss of power may have taken objects since the run ended.
async function requireWhole(
	run: RunRecord,
	vault: Vault,
	commits: readonly string[],
): Promise<void> {
	const reason = await damageOf(vault, commits, run.baseCommit);
	if (reason !== null) throw unreadableWork(run, reason);
}

// In the order of their merges; without those that left the branch where it was.
async function mergesOf({ run, store }: Drive): Promise<MergedTask[]> {
	const events = await store.records.events(run.runId);
	const tips = new Set([run.baseCommit]);
	return events.flatMap(({ type, task, data }) => {
		if (type !== "task-merged" || task === null || !("commit" in data)) return [];
		const { commit } = data;
		if (tips.has(commit)) return [];
		tips.add(commit);
		return [{ task, commit }];
	});
}

// The newest merge that is not in the history of a commit and whose files stand there as they did before it: one that was
// rebased or squashed by hand is not lost.
async function lostMerge(
	{ run, repository }: Drive,
	vault: Vault,
	{ merges, at }: { readonly merges: readonly MergedTask[]; readonly at: string },
): Promise<string | null> {
	const commits = merges.map(({ commit }) => commit);
	const missing = new Set(await notIn(repository, at, commits));
	if (missing.size === 0) return null;
	const undone = await undoneWork(vault, { base: run.baseCommit, tip: at, merges });
	const lost = new Set(undone.flatMap(({ task, whole }) => (whole ? [task] : [])));
	const gone = merges.filter(({ task, commit }) => missing.has(commit) && lost.has(task));
	return gone.length === 0 ? null : (commits.at(-1) ?? null);
}

/** Places at which somebody else put the integration branch, at a merge or now. */
export function strangeCommits(
	base: string,
	events: readonly Pick<StoredEvent, "type" | "data">[],
	tip: string,
): string[] {
	const known = new Set([base]);
	const strange = new Set<string>();
	for (const { type, data } of events) {
		if (type === "task-merged" && "onto" in data && !known.has(data.onto)) strange.add(data.onto);
		const put = type === "task-merged" || type === "run-landed" || type === "base-merged";
		if (put && "commit" in data && data.commit !== null) known.add(data.commit);
	}
	return [...strange, ...(known.has(tip) || strange.has(tip) ? [] : [tip])];
}

// The person is told before anything is checked or landed.
async function movedByHand({ run, store, onNotice }: Drive, tip: string): Promise<string[]> {
	const strange = strangeCommits(run.baseCommit, await store.records.events(run.runId), tip);
	if (strange.length > 0) {
		onNotice?.(
			`${run.branch} was moved by somebody else to ${strange.map((oid) => oid.slice(0, 10)).join(", ")}: no coach and no gate saw what came with that, only the acceptance checks`,
		);
	}
	return strange;
}

async function heldMerges(
	{ repository }: Drive,
	tip: string,
	merges: readonly MergedTask[],
): Promise<MergedTask[]> {
	const commits = merges.map(({ commit }) => commit);
	const missing = new Set(await notIn(repository, tip, commits));
	return merges.filter((merge) => !missing.has(merge.commit));
}

async function undoneByHand(
	{ run, onNotice }: Drive,
	tip: string | undefined,
	{
		vault,
		held,
		masker,
	}: { readonly vault: Vault; readonly held: readonly MergedTask[]; readonly masker: Masker },
): Promise<UndoneWork[]> {
	if (tip === undefined) return [];
	const undone = await undoneWork(vault, { base: run.baseCommit, tip, merges: held });
	const masked = undone.map(({ task, paths, whole }) => {
		return { task, paths: paths.map((path) => masker.mask(path)), whole };
	});
	for (const { task, paths, whole } of masked) {
		const part = whole ? "all" : "part";
		onNotice?.(
			`commits made by hand on ${run.branch} undo ${part} of the merged task ${task}: ${paths.join(", ")}`,
		);
	}
	return masked;
}

export async function withoutReview({ run, workflow, store }: Drive): Promise<string | null> {
	const reviews = new Set(
		workflow.tasks.flatMap(({ id, formalReview }) => (formalReview === true ? [id] : [])),
	);
	const tasks = await store.records.tasks(run.runId);
	const open = tasks.find(({ taskId, status }) => reviews.has(taskId) && status !== "completed");
	return open === undefined
		? null
		: `the formal review ${open.taskId} has not approved it (${TASK_STATUS_WORDS[open.status]}); see spar status ${run.runId}`;
}

/**
 * Lands a run for somebody who works in this clone: where it landed on a remote, the base branch of the clone follows.
 *
 * @throws Fault as `landRun` does
 */
export async function landHere(drive: Drive): Promise<LandReport> {
	const report = await landRun(drive);
	const { commit } = report;
	const reach = sharedReach(drive);
	if (reach !== null && commit !== null) await followLanding(drive, reach, commit);
	return report;
}

// As `git pull --ff-only` does, the worktree that has the branch checked out moves along.
async function followLanding(
	{ repository, run, onNotice }: Pick<Drive, "repository" | "run" | "onNotice">,
	reach: Reach,
	commit: string,
): Promise<void> {
	const { baseBranch: base } = run;
	const ref = `refs/heads/${base}`;
	const from = await readRef(repository, ref);
	// Whoever has no such branch here wants none.
	if (from === undefined || from === commit) return;
	// A run that was landed and pruned elsewhere was never seen here.
	if (!(await heldCommits(repository, [commit])).has(commit))
		await fetchRefs(repository, reach, [ref]);
	const { remote } = reach;
	const why = await obstacleTo(repository, { ref, from, to: commit }, { remote, base });
	if (why !== null) onNotice?.(`${base} of this clone stays where it is: ${why}`);
}

// Null when it did.
async function obstacleTo(
	repository: Repository,
	move: { readonly ref: string; readonly from: string; readonly to: string },
	{ remote, base }: { readonly remote: string; readonly base: string },
): Promise<string | null> {
	const again = `git pull --ff-only ${remote} ${base}`;
	try {
		if ((await missingIn(repository, move.to, [move.from])) !== null)
			return `it has commits that ${remote} does not have. Bring both together: git pull --no-rebase ${remote} ${base}`;
		const moved = await moveRefs(repository, [move], { base, again });
		return moved ? null : `somebody else moves it. Then: ${again}`;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
	}
}
