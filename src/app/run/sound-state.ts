import { join } from "node:path";
import { deleteRef, moveRefs } from "../../git/move-refs.ts";
import { listRefs, readRef } from "../../git/refs.ts";
import type { Repository } from "../../git/repository.ts";
import type { Vault } from "../../git/vault.ts";
import { damageOf, notIn, setDamagedAside } from "../../git/wholeness.ts";
import { Fault } from "../../kernel/fault.ts";
import { isEnded } from "../../kernel/task-state.ts";
import { suitesStep } from "../../loop/turn-verification.ts";
import {
	type Records,
	type RunRecord,
	stepWrite,
	type TaskRecord,
	type TurnRecord,
	type Write,
} from "../../store/records.ts";
import type { Suite } from "../../verification/suite.ts";
import type { Drive } from "./drive.ts";
import { runEvent } from "./run-event.ts";
import { privatePrefix, setBack, wayOfRun } from "./task-refs.ts";

/** A run that goes on, and what its records are compared with. */
export interface Ground {
	readonly run: RunRecord;
	readonly records: Records;
	readonly repository: Repository;
	readonly vault: Vault;
	readonly commit: (writes: readonly Write[]) => Promise<void>;
	/** Directory for objects that cannot be read. */
	readonly damagedDir: string;
	/** Told of what was put right, one sentence each. */
	readonly onNotice: (text: string) => void;
}

/** What the records of a run that is driven are compared with. */
export function groundOf(
	{ run, store, repository, places, onNotice = () => undefined }: Drive,
	{ vault, commit }: Pick<Ground, "vault" | "commit">,
): Ground {
	const damagedDir = join(places.stateDir, "damaged");
	return { run, records: store.records, repository, vault, commit, damagedDir, onNotice };
}

/**
 * Compares what the records of a run name with what the repository still holds, before the run goes on.
 *
 * An integration branch that is gone is put back where the last merge left it. A task whose commits cannot be read
 * any more, after a loss of power say, goes on from its last turn that is whole; the lost turns do not count against
 * its bound.
 *
 * @throws Fault `ref-in-the-way` when the integration branch no longer holds what a task merged, `run-not-resumable`
 * when merged work cannot be read
 */
export async function restoreGround(ground: Ground): Promise<void> {
	const tasks = await ground.records.tasks(ground.run.runId);
	await restoreIntegration(ground, tasks);
	for (const task of tasks) await restoreTask(ground, task);
}

/** The part of `restoreGround` that concerns one task; nobody works on it meanwhile. */
export async function restoreTask(ground: Ground, task: TaskRecord): Promise<void> {
	if (isEnded(task.status) || task.commit === null || task.startCommit === null) return;
	const suites = await suitesOf(ground, task);
	const tests = suites.map(({ commit }) => commit);
	const reason = await damageOf(ground.vault, [task.commit, ...tests], task.startCommit);
	if (reason !== null && !(await isOnBranch(ground, task))) await goBack(ground, task, reason);
}

/** Tests that a verifier wrote for the task. */
async function suitesOf({ records }: Ground, task: TaskRecord): Promise<readonly Suite[]> {
	return (await records.step(suitesStep(task))) ?? [];
}

/** Whether a kill came between the merge of a task and its record: its work is whole on the branch, and not to be done again. */
async function isOnBranch(ground: Ground, task: TaskRecord): Promise<boolean> {
	const { run, repository, vault } = ground;
	const ref = `${privatePrefix(run.runId)}${task.taskId}/merge-${task.turns}`;
	const made = await readRef(repository, ref);
	const tip = await readRef(repository, `refs/heads/${run.branch}`);
	if (made === undefined || tip === undefined) return false;
	if ((await damageOf(vault, [tip, made], run.baseCommit)) !== null) return false;
	return (await notIn(repository, tip, [made])).length === 0;
}

async function restoreIntegration(ground: Ground, tasks: readonly TaskRecord[]): Promise<void> {
	const { run, repository, vault, onNotice } = ground;
	const merged = tasks.flatMap(({ mergedCommit }) => (mergedCommit === null ? [] : [mergedCommit]));
	const lost = await damageOf(vault, merged, run.baseCommit);
	if (lost !== null) throw unreadable(run, lost);
	const ref = `refs/heads/${run.branch}`;
	const [newest = run.baseCommit] = await notIn(repository, run.baseCommit, merged);
	const wasGone = await moveRefs(
		repository,
		[{ ref, to: newest, from: null }],
		wayOfRun(run.runId, run.baseBranch),
	);
	if (merged.length === 0) return;
	if (wasGone) onNotice(`the branch ${run.branch} was gone; it is back at ${newest}`);
	const tip = (await readRef(repository, ref)) ?? newest;
	const reason = await damageOf(vault, [tip], newest);
	if (reason !== null) throw unreadable(run, reason);
	const [missing] = await notIn(repository, tip, merged);
	if (missing !== undefined) throw setBack(run.branch, tip, missing);
}

function unreadable(run: RunRecord, reason: string): Fault {
	return new Fault(`the merged work on ${run.branch} cannot be read: ${reason}`, {
		code: "run-not-resumable",
		hint: `See what is lost with git fsck. The approved work of each task is on its own branch sparring/${run.runId}/TASK, as far as it is whole. Then start a new run.`,
	});
}

/** The task begins again after its last whole turn, in a thread of its own: what was stored of the lost ones stays. */
async function goBack(ground: Ground, task: TaskRecord, reason: string): Promise<void> {
	const { run, records, commit, repository, damagedDir, onNotice } = ground;
	const aside = await setDamagedAside(repository, damagedDir);
	if (aside > 0) onNotice(`${aside} damaged objects of git were moved to ${damagedDir}`);
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
		runEvent(run.runId, {
			type: "turns-lost",
			task: task.taskId,
			turn: null,
			node: null,
			timestamp: new Date().toISOString(),
			data: { turns: numbers, commit: good, reason },
		}),
	]);
}

async function wholeSuites(
	{ vault }: Ground,
	task: TaskRecord,
	suites: readonly Suite[],
): Promise<Suite[]> {
	const whole: Suite[] = [];
	for (const suite of suites) {
		if ((await damageOf(vault, [suite.commit], task.startCommit ?? "")) === null) whole.push(suite);
	}
	return whole;
}

/** @param newestIsLost its tests cannot be read, so nothing says any more that it passed them */
async function lastWhole(
	{ vault }: Ground,
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

/** Refs to damaged commits would keep every later `git gc` from working. */
async function moveTaskRefs(
	{ run, repository, vault }: Ground,
	task: TaskRecord,
	good: string,
	lost: readonly TurnRecord[],
): Promise<void> {
	const way = wayOfRun(run.runId, run.baseBranch);
	const gone = new Set([task.commit, ...lost.map(({ commit }) => commit)]);
	for (const { ref, oid } of await listRefs(
		repository,
		`${privatePrefix(run.runId)}${task.taskId}`,
	)) {
		const isGone = gone.has(oid) || (await damageOf(vault, [oid], task.startCommit ?? "")) !== null;
		if (isGone) await deleteRef(repository, { ref, expected: oid }, way);
	}
	const ref = `refs/heads/${task.branch}`;
	const from = (await readRef(repository, ref)) ?? null;
	if (from !== null && !(await moveRefs(repository, [{ ref, to: good, from }], way))) {
		throw new Fault(`the branch ${task.branch} moved while it was put back`, {
			code: "ref-in-the-way",
			hint: "Run `spar resume` again.",
		});
	}
}

/** A question about a turn that is lost has no answer any more. */
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
