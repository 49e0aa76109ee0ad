import type { WayOut } from "../../git/in-use.ts";
import { moveRefs } from "../../git/move-refs.ts";
import { keepUnder, type RefMove, readRef } from "../../git/refs.ts";
import type { Repository } from "../../git/repository.ts";
import { notIn } from "../../git/wholeness.ts";
import { Fault } from "../../kernel/fault.ts";
import type { TaskRefs } from "../../loop/context.ts";

/** Where private refs of a run stand. */
export function privatePrefix(runId: string): string {
	return `refs/sparring/${runId}/`;
}

/** How a run goes on after one of its branches could not be moved. */
export function wayOfRun(runId: string, base: string): WayOut {
	return { base, again: `spar resume ${runId}` };
}

/** A task whose refs move. Branches are named by their short names. */
export interface MovingTask {
	readonly runId: string;
	readonly taskId: string;
	readonly branch: string;
	readonly integration: string;
	/** What the tasks of the run have merged so far: the integration branch must hold all of it. */
	readonly merged: () => Promise<readonly string[]>;
	/** The branch that the run works for. */
	readonly base: string;
	/** Asked before a ref moves. @throws Fault `lease-lost` when another process has taken over what it holds */
	readonly requireLease: () => Promise<void>;
}

/** The branches and private refs that one task moves, in a repository that no other machine works in. */
export function taskRefs(repository: Repository, task: MovingTask): TaskRefs {
	const branch = `refs/heads/${task.branch}`;
	const integration = `refs/heads/${task.integration}`;
	const way = wayOfRun(task.runId, task.base);
	return {
		publish: async (label, commit, previous) => {
			const kept = `${privatePrefix(task.runId)}${task.taskId}/${label}`;
			const fresh = [
				{ ref: branch, to: commit, from: previous },
				{ ref: kept, to: commit, from: null },
			];
			await task.requireLease();
			// Unless this is a repetition after a kill, nothing is to be looked at: one command moves both.
			if (await moveRefs(repository, fresh, way)) return;
			const stands = await readRef(repository, branch);
			if (stands !== commit && (stands ?? null) !== previous) {
				throw movedBranch(task.branch, stands, previous);
			}
			const moves = [
				await missingMove(repository, branch, commit),
				await missingMove(repository, kept, commit),
			];
			if (!(await moveRefs(repository, moves.flat(), way)))
				throw movedBranch(task.branch, stands, previous);
		},
		keep: async (label, commit) => {
			await task.requireLease();
			await keepUnder(repository, `${privatePrefix(task.runId)}${task.taskId}/${label}`, commit);
		},
		integrationTip: async () => {
			// Before the tip: what another task merges in between stands on the branch first.
			const merged = await task.merged();
			const tip = await readRef(repository, integration);
			if (tip === undefined) {
				throw new Fault(`the branch ${task.integration} is gone`, {
					code: "ref-in-the-way",
					hint: "`spar resume` puts it back where the last merge left it.",
				});
			}
			const [missing] = await notIn(repository, tip, merged);
			if (missing !== undefined) throw setBack(task.integration, tip, missing);
			return tip;
		},
		moveIntegration: async (from, to) => {
			await task.requireLease();
			return await moveRefs(repository, [{ ref: integration, to, from }], way);
		},
	};
}

/** The fault of an integration branch that no longer holds what was merged into it. */
export function setBack(branch: string, tip: string, missing: string): Fault {
	return new Fault(
		`the branch ${branch} stands at ${tip}, which does not hold the merged work of ${missing}`,
		{
			code: "ref-in-the-way",
			hint: `Put it back with \`git branch -f ${branch} ${missing}\`, then resume.`,
		},
	);
}

/** What is left to do for a ref to stand at a commit: nothing, or one move from where it is. */
async function missingMove(
	repository: Repository,
	ref: string,
	commit: string,
): Promise<RefMove[]> {
	const from = (await readRef(repository, ref)) ?? null;
	return from === commit ? [] : [{ ref, to: commit, from }];
}

function movedBranch(branch: string, present: string | undefined, expected: string | null): Fault {
	if (expected === null) {
		return new Fault(`there is a branch ${branch} that this run did not make`, {
			code: "ref-in-the-way",
			hint: `Sparring takes over no branch. Rename it with \`git branch -m ${branch} ${branch}-kept\`, then resume.`,
		});
	}
	const now = present === undefined ? "is gone" : `stands at ${present}`;
	return new Fault(`the branch ${branch} ${now}, not at ${expected}, where this run left it`, {
		code: "ref-in-the-way",
		hint: `Sparring never resets a branch. Put it back with \`git branch -f ${branch} ${expected}\`, or rename it, then resume.`,
	});
}
