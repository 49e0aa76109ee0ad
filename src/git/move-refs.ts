import { type BranchUse, branchUses } from "./branch-use.ts";
import { changesInTheWay, checkedOut, obstacleOf, type WayOut } from "./in-use.ts";
import { nothing } from "./parsing.ts";
import { type RefMove, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { askGit } from "./run-git.ts";
import { swapRefs } from "./swap-refs.ts";
import {
	forwardWorktree,
	lookAtWorktree,
	type WorktreeState,
	type WorktreeStep,
} from "./worktree-forward.ts";

const HEADS = "refs/heads/";

/**
 * Moves refs of the user's repository by compare-and-swap. Every move goes through here.
 *
 * Before a branch moves or is deleted, it checks all worktrees. A worktree that has the branch checked out, without
 * changes of the user, moves along with its index and files; otherwise nothing moves. Refs that no worktree uses move
 * first, all or none, then each branch with its worktree. Safe to repeat after a kill.
 *
 * @param way what to tell the person when a worktree is in the way
 * @returns false when a ref is not at `from`, also when another process was faster
 * @throws Fault `branch-in-use` when a worktree cannot move along: a rebase, bisect or merge is in progress there, it
 * is missing, or the move is not forward; `checkout-dirty` for changes of the user. Nothing has moved then. Also
 * `ref-in-the-way`, `git-failed`
 */
export async function moveRefs(
	repository: Repository,
	moves: readonly RefMove[],
	way: WayOut,
): Promise<boolean> {
	const plan = await planOf(repository, moves, way);
	if (plan === null || !(await swapRefs(repository, plan.plain))) return false;
	for (const { step, state } of plan.forwards) {
		if (!(await forwardWorktree(repository, step, state))) return false;
	}
	return true;
}

/** Moves one ref, by the rules of `moveRefs`. */
export function moveRef(repository: Repository, move: RefMove, way: WayOut): Promise<boolean> {
	return moveRefs(repository, [move], way);
}

/** Deletes a ref if it is at `expected`; false when it is elsewhere or gone. */
export function deleteRef(
	repository: Repository,
	{ ref, expected }: { readonly ref: string; readonly expected: string },
	way: WayOut,
): Promise<boolean> {
	return moveRefs(repository, [{ ref, to: null, from: expected }], way);
}

/**
 * True where `moveRefs` would succeed now; moves nothing. For callers with expensive work before the move.
 *
 * @throws what `moveRefs` throws when a worktree is in the way
 */
export async function couldMove(
	repository: Repository,
	moves: readonly RefMove[],
	way: WayOut,
): Promise<boolean> {
	return (await planOf(repository, moves, way)) !== null;
}

/**
 * Throws when a branch cannot move at all, whatever the target.
 *
 * @throws Fault `branch-in-use` for a rebase, bisect, merge or the like in progress, and for a worktree that is missing
 */
export async function requireFree(
	repository: Repository,
	branches: readonly string[],
	way: WayOut,
): Promise<void> {
	const uses = await branchUses(repository, new Set(branches.map((branch) => `${HEADS}${branch}`)));
	refuseObstacles(uses, way);
}

/** Null when a branch that is checked out is not at `from`. */
async function planOf(repository: Repository, moves: readonly RefMove[], way: WayOut) {
	const branches = moves.map(({ ref }) => ref).filter((ref) => ref.startsWith(HEADS));
	const uses = await branchUses(repository, new Set(branches));
	const plain: RefMove[] = [];
	const forwards: { readonly step: WorktreeStep; readonly state: WorktreeState }[] = [];
	for (const move of moves) {
		const own = uses.filter(({ ref }) => ref === move.ref);
		const [use] = own;
		if (use === undefined || move.to === move.from) {
			plain.push(move);
			continue;
		}
		if (((await readRef(repository, move.ref)) ?? null) !== move.from) return null;
		refuseObstacles(own, way);
		const step = await stepOf(repository, own, { move, use, way });
		const state = await lookAtWorktree(repository, step);
		if (state.foreign.length > 0) {
			const elsewhere = await isBaseElsewhere(repository, use, way);
			throw changesInTheWay(use, state.foreign, { way, elsewhere });
		}
		forwards.push({ step, state });
	}
	return { plain, forwards };
}

function refuseObstacles(uses: readonly BranchUse[], way: WayOut): void {
	for (const use of uses) {
		const obstacle = obstacleOf(use, way);
		if (obstacle !== null) throw obstacle;
	}
}

async function stepOf(
	repository: Repository,
	uses: readonly BranchUse[],
	{ move, use, way }: { readonly move: RefMove; readonly use: BranchUse; readonly way: WayOut },
): Promise<WorktreeStep> {
	const { ref, from, to } = move;
	const refusal = async (why: string) =>
		checkedOut(use, why, { way, elsewhere: await isBaseElsewhere(repository, use, way) });
	if (to === null) throw await refusal("so it is not deleted");
	if (from === null) throw await refusal("where it has no commit, so it is not created");
	const [, other] = uses;
	if (other !== undefined) throw await refusal(`and in ${other.root} too, so it does not move`);
	if (!(await isForward(repository, from, to)))
		throw await refusal("and would not move forward, so it does not move");
	return { root: use.root, ref, from, to };
}

async function isForward(repository: Repository, from: string, to: string): Promise<boolean> {
	const query = { args: ["merge-base", "--is-ancestor", from, to], parse: nothing };
	const { exitCode } = await askGit(repositoryPlace(repository), query);
	return exitCode === 0;
}

async function isBaseElsewhere(
	repository: Repository,
	{ root }: BranchUse,
	{ base }: WayOut,
): Promise<boolean> {
	const uses = await branchUses(repository, new Set([`${HEADS}${base}`]));
	return uses.some((use) => use.root !== root);
}

/** Reason why these branches cannot be deleted: a worktree uses one of them. Null when none does. */
export async function keepsBranches(
	repository: Repository,
	refs: readonly string[],
	way: WayOut,
): Promise<string | null> {
	const [use] = await branchUses(repository, new Set(refs));
	if (use === undefined) return null;
	const elsewhere = await isBaseElsewhere(repository, use, way);
	const fault = obstacleOf(use, way) ?? checkedOut(use, "so it is not deleted", { way, elsewhere });
	return `${fault.message}. ${fault.hint ?? ""}`;
}
