import { join } from "node:path";
import { deleteRef, moveRefs } from "../git/move-refs.ts";
import { pushRefs } from "../git/push-refs.ts";
import { listRefs, readRef } from "../git/refs.ts";
import { remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import { damageOf, notIn, setDamagedAside } from "../git/wholeness.ts";
import { counted } from "../kernel/counted.ts";
import { Fault } from "../kernel/fault.ts";
import { isEnded } from "../kernel/task-state.ts";
import { suitesStep } from "../loop/records/turn-verification.ts";
import { setBack } from "../merge/landing-branches.ts";
import { bringTip, followBranch, integrationOf } from "../places/follow-remote.ts";
import type { Places } from "../places/places.ts";
import { bringRun } from "../places/remote-ground.ts";
import { missingIn, taskPrefix } from "../places/remote-refs.ts";
import { ownPrefixes, wayOfRun } from "../places/task-refs.ts";
import { runEvent } from "../schedule/run-writes.ts";
import {
	type Records,
	type RunRecord,
	stepWrite,
	type TaskRecord,
	type TurnRecord,
	type Write,
} from "../store/records.ts";
import type { Suite } from "../verification/suite.ts";
import type { Drive, RunContext } from "./drive.ts";

export type SoundContext = Pick<
	RunContext,
	"run" | "records" | "repository" | "vault" | "commit" | "reach" | "onNotice"
> & { readonly places: Pick<Places, "stateDir"> };

/**
 * Compares what the records of a run name with what the repository still holds, before the run goes on.
 *
 * A task whose commits cannot be read any more, after a loss of power say, goes on from its last turn that is whole; the
 * lost turns do not count against its bound.
 *
 * @throws Fault `ref-in-the-way` when the integration branch no longer holds what a task merged, `run-not-resumable`
 * when merged work cannot be read
 */
export async function restoreGround(ground: SoundContext): Promise<void> {
	const tasks = await ground.records.tasks(ground.run.runId);
	await restoreIntegration(ground);
	for (const task of tasks) await restoreTask(ground, task);
}

/**
 * The part of `restoreGround` that concerns one task; nobody works on it meanwhile. Over a remote, what other machines did
 * of it is brought here first: work counts as lost only if neither side has it.
 */
export async function restoreTask(ground: SoundContext, task: TaskRecord): Promise<void> {
	if (isEnded(task.status) || task.commit === null || task.startCommit === null) return;
	if (ground.reach !== null) await bring(ground, ground.reach, [task]);
	const suites = await suitesOf(ground, task);
	const tests = suites.map(({ commit }) => commit);
	const named = { commits: [task.commit, ...tests], known: task.startCommit };
	const reason = await damageAnywhere(ground, [task], named);
	if (reason !== null && !(await isOnBranch(ground, task))) await goBack(ground, task, reason);
}

// Also where refs of the run are damaged here: git fetches nothing beside such a ref.
async function bring(
	ground: SoundContext,
	reach: Reach,
	tasks: readonly TaskRecord[],
): Promise<void> {
	const { repository, run } = ground;
	try {
		await bringRun(repository, reach, run, { tasks: tasks.map(({ taskId }) => taskId) });
	} catch (error) {
		if (!(error instanceof Fault) || error.code !== "git-failed") throw error;
		await bringAgain(ground, reach, tasks);
	}
}

async function bringAgain(
	{ repository, run, vault }: SoundContext,
	reach: Reach,
	tasks: readonly TaskRecord[],
): Promise<void> {
	// A push left the third: what git remembers of the remote's branches.
	const tracked = `refs/remotes/${reach.remote}/sparring/${run.runId}/`;
	for (const prefix of [...ownPrefixes(run.runId), tracked])
		for (const { ref, oid } of await listRefs(repository, prefix)) {
			if ((await damageOf(vault, [oid], run.baseCommit)) === null) continue;
			const way = wayOfRun(run.runId, run.baseBranch);
			await deleteRef(repository, { ref, expected: oid }, way).catch(leftAlone);
		}
	const names = tasks.map(({ taskId }) => taskId);
	await bringRun(repository, reach, run, { tasks: names, again: true });
}

// Of what is damaged here the remote may have a whole copy.
async function damageAnywhere(
	ground: SoundContext,
	tasks: readonly TaskRecord[],
	{ commits, known }: { readonly commits: readonly string[]; readonly known: string },
): Promise<string | null> {
	const reason = await damageOf(ground.vault, commits, known);
	if (reason === null || ground.reach === null) return reason;
	await bringAgain(ground, ground.reach, tasks);
	return await damageOf(ground.vault, commits, known);
}

async function suitesOf({ records }: SoundContext, task: TaskRecord): Promise<readonly Suite[]> {
	return (await records.step(suitesStep(task))) ?? [];
}

// A kill came between the merge of a task and its record: its work is whole on the branch, and not to be done again.
async function isOnBranch(ground: SoundContext, task: TaskRecord): Promise<boolean> {
	const { run, repository, vault } = ground;
	// Over a remote each holder of the task has such a ref under its own epoch.
	const kept = await listRefs(repository, taskPrefix(run.runId, task.taskId));
	const merges = kept.filter(({ ref }) => ref.endsWith(`/merge-${task.turns}`));
	const tip = await tipOf(ground);
	if (merges.length === 0 || tip === undefined) return false;
	for (const { oid } of merges) {
		if ((await damageOf(vault, [tip, oid], run.baseCommit)) !== null) continue;
		if ((await notIn(repository, tip, [oid])).length === 0) return true;
	}
	return false;
}

async function tipOf({ run, repository, reach }: SoundContext): Promise<string | undefined> {
	const branch = integrationOf(run.runId, run.branch);
	if (reach === null) return await readRef(repository, branch.ref);
	return await bringTip(repository, reach, { branch, way: wayOfRun(run.runId, run.baseBranch) });
}

/**
 * The part of `restoreGround` that concerns the integration branch, and what has merged into it.
 *
 * @throws Fault `ref-in-the-way`, `run-not-resumable`
 */
export async function restoreIntegration(ground: SoundContext): Promise<void> {
	const { run, repository, reach, vault, onNotice } = ground;
	const tasks = await ground.records.tasks(run.runId);
	const mergers = tasks.filter(({ mergedCommit }) => mergedCommit !== null);
	if (reach !== null) await bring(ground, reach, mergers);
	const merged = mergers.flatMap(({ mergedCommit }) => mergedCommit ?? []);
	const named = { commits: merged, known: run.baseCommit };
	const lost = await damageAnywhere(ground, mergers, named);
	if (lost !== null) throw unreadableWork(run, lost);
	const [newest = run.baseCommit] = await notIn(repository, run.baseCommit, merged);
	const wasGone = await putBack(ground, newest);
	if (merged.length === 0) return;
	if (wasGone) onNotice(`the branch ${run.branch} was gone; it is back at ${newest}`);
	const tip = (await tipOf(ground)) ?? newest;
	const reason = await damageOf(vault, [tip], newest);
	if (reason !== null) throw unreadableWork(run, reason);
	const missing = await missingIn(repository, tip, merged);
	if (missing === null) return;
	const branch = { remote: reach?.remote ?? null, branch: run.branch };
	throw setBack(branch, { tip, lost: missing }, "resume");
}

async function putBack({ run, repository, reach }: SoundContext, newest: string): Promise<boolean> {
	const way = wayOfRun(run.runId, run.baseBranch);
	const { ref } = integrationOf(run.runId, run.branch);
	const move = { ref, to: newest, from: null };
	if (reach === null) return await moveRefs(repository, [move], way);
	const found = await remoteRefs(repository, reach, [ref]);
	if (found.length > 0) return false;
	const { outcome } = await pushRefs(repository, reach, [move]);
	await followBranch(repository, { ref, to: newest }, way);
	return outcome === "moved";
}

export function unreadableWork(run: RunRecord, reason: string): Fault {
	return new Fault(`the merged work on ${run.branch} cannot be read: ${reason}`, {
		code: "run-not-resumable",
		hint: `See what is lost with git fsck. The approved work of each task is on its own branch sparring/${run.runId}/TASK, as far as it is whole. Then start a new run.`,
	});
}

/**
 * Moves damaged objects out of the way: git does not write again what it believes it has. A loss of power may leave some that
 * no record names yet.
 *
 * @returns how many there were
 */
export async function clearDamage({
	repository,
	places,
	onNotice,
}: Pick<Drive, "repository" | "onNotice"> & Pick<SoundContext, "places">): Promise<number> {
	// A directory for objects that cannot be read.
	const damaged = join(places.stateDir, "damaged");
	const aside = await setDamagedAside(repository, damaged);
	if (aside > 0) onNotice?.(`${counted(aside, "damaged object")} of git moved to ${damaged}`);
	return aside;
}

// In a thread of its own: what was stored of the lost turns stays.
async function goBack(ground: SoundContext, task: TaskRecord, reason: string): Promise<void> {
	const { run, records, commit } = ground;
	await clearDamage(ground);
	const turns = await records.turns(run.runId, task.taskId, Number.MAX_SAFE_INTEGER);
	const suites = await suitesOf(ground, task);
	const whole = await wholeSuites(ground, task, suites);
	const { good, lost } = await lastWhole(ground, task, turns, whole.length < suites.length);
	await moveTaskRefs(ground, task, good, lost);
	const numbers = lost.map(({ turn }) => turn).reverse();
	await commit([
		...(await closedItem(records, task)),
		stepWrite(suitesStep(task), whole),
		{
			kind: "task",
			runId: run.runId,
			taskId: task.taskId,
			patch: {
				status: "running",
				phase: "initializing",
				commit: good,
				// One that was begun and has no record is begun again.
				turns: turns[0]?.turn ?? 0,
				bound: task.bound + lost.length,
				epoch: task.epoch + 1,
				humanItem: null,
			},
		},
		runEvent(
			run.runId,
			"turns-lost",
			{ turns: numbers, commit: good, reason },
			{ task: task.taskId },
		),
	]);
}

async function wholeSuites(
	{ vault }: SoundContext,
	task: TaskRecord,
	suites: readonly Suite[],
): Promise<Suite[]> {
	const whole: Suite[] = [];
	for (const suite of suites) {
		if ((await damageOf(vault, [suite.commit], task.startCommit ?? "")) === null) whole.push(suite);
	}
	return whole;
}

// Where the newest tests cannot be read, nothing says any more that the newest turn passed them.
async function lastWhole(
	{ vault }: SoundContext,
	task: TaskRecord,
	turns: readonly TurnRecord[],
	newestIsLost: boolean,
): Promise<{ readonly good: string; readonly lost: readonly TurnRecord[] }> {
	const start = task.startCommit ?? "";
	const lost: TurnRecord[] = [];
	for (const turn of turns) {
		const mayStand = !newestIsLost || lost.length > 0;
		if (mayStand && (await damageOf(vault, [turn.commit], start)) === null)
			return { good: turn.commit, lost };
		lost.push(turn);
	}
	return { good: start, lost };
}

async function moveTaskRefs(
	ground: SoundContext,
	task: TaskRecord,
	good: string,
	lost: readonly TurnRecord[],
): Promise<void> {
	const { run, repository, vault, reach } = ground;
	const way = wayOfRun(run.runId, run.baseBranch);
	const gone = new Set([task.commit, ...lost.map(({ commit }) => commit)]);
	for (const { ref, oid } of await listRefs(repository, taskPrefix(run.runId, task.taskId))) {
		const isGone = gone.has(oid) || (await damageOf(vault, [oid], task.startCommit ?? "")) !== null;
		if (!isGone) continue;
		gone.add(oid);
		await deleteRef(repository, { ref, expected: oid }, way);
	}
	const ref = `refs/heads/${task.branch}`;
	const from = (await readRef(repository, ref)) ?? null;
	const move = { ref, to: good, from };
	if (reach === null) {
		if (from !== null && !(await moveRefs(repository, [move], way))) throw movedMeanwhile(task);
		return;
	}
	await moveRemoteRefs(ground, reach, { task, good, gone });
	// The local branch does not count: its user may work on it.
	await moveRefs(repository, [move], way).catch(leftAlone);
}

function leftAlone(error: unknown): void {
	if (!(error instanceof Fault)) throw error;
}

async function moveRemoteRefs(
	{ run, repository }: SoundContext,
	reach: Reach,
	{
		task,
		good,
		gone,
	}: {
		readonly task: TaskRecord;
		readonly good: string;
		readonly gone: ReadonlySet<string | null>;
	},
): Promise<void> {
	const ref = `refs/heads/${task.branch}`;
	const there = await remoteRefs(repository, reach, [ref, taskPrefix(run.runId, task.taskId)]);
	const from = there.find((entry) => entry.ref === ref)?.oid ?? null;
	const kept = there.filter((entry) => entry.ref !== ref && gone.has(entry.oid));
	const moves = [
		{ ref, from, to: good },
		...kept.map((entry) => ({ ref: entry.ref, from: entry.oid, to: null })),
	];
	const { outcome } = await pushRefs(repository, reach, moves);
	if (outcome === "stale") throw movedMeanwhile(task);
}

function movedMeanwhile(task: TaskRecord): Fault {
	return new Fault(`the branch ${task.branch} moved while it was put back`, {
		code: "ref-in-the-way",
		hint: "Run `spar resume` again.",
	});
}

// A question about a turn that is lost has no answer any more.
async function closedItem(records: Records, task: TaskRecord): Promise<Write[]> {
	const item = task.humanItem === null ? undefined : await records.item(task.humanItem);
	if (item === undefined) return [];
	const answer = {
		choice: "reject",
		directive: null,
		notes: null,
		reason: "the turn that it asks about is lost",
		answeredAt: new Date().toISOString(),
	} as const;
	return [
		{ kind: "item", item: { ...item, status: "REJECTED", answer } },
		{ kind: "item-consumed", itemId: item.id },
	];
}
