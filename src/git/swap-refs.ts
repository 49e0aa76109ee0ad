import { Fault } from "../kernel/fault.ts";
import { changeRefs } from "./ref-transaction.ts";
import { type RefMove, readRef, refsInTheWay } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { repositoryPlace } from "./repository.ts";
import { failure } from "./run-git.ts";

/**
 * Moves several refs at once, all or none, without a look at worktrees: all code but `move-refs.ts` and
 * `worktree-forward.ts` calls `moveRefs`.
 *
 * @returns false when a ref is not at `from`
 * @throws Fault `ref-in-the-way` when an existing ref is a folder of a new one or the reverse, `git-failed`
 */
export async function swapRefs(
	repository: Repository,
	moves: readonly RefMove[],
): Promise<boolean> {
	if (moves.length === 0) return true;
	const place = repositoryPlace(repository);
	const refused = await changeRefs(place, moves.flatMap(instruction));
	if (refused === null) return true;
	const now = await Promise.all(moves.map(({ ref }) => readRef(repository, ref)));
	if (moves.some(({ from }, index) => (now[index] ?? null) !== from)) return false;
	const blocked = await refsInTheWay(
		repository,
		moves.filter(({ from }) => from === null).map(({ ref }) => ref),
	);
	if (blocked.length > 0) throw inTheWay(blocked);
	throw failure(place, refused.query, refused.answer);
}

function instruction({ ref, to, from }: RefMove): string[] {
	// `delete` without an old value would delete any value; `verify` makes sure that there is none.
	if (to === null) return [from === null ? `verify ${ref}` : `delete ${ref}`, from ?? ""];
	return from === null ? [`create ${ref}`, to] : [`update ${ref}`, to, from];
}

function inTheWay(refs: readonly string[]): Fault {
	return new Fault(`the repository already has ${refs.join(", ")}`, {
		code: "ref-in-the-way",
		hint: "Rename or delete that branch (`git branch -m OLD NEW`), then try again.",
	});
}
