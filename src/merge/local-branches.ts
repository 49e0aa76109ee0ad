import type { WayOut } from "../git/in-use.ts";
import { couldMove, moveRefs, requireFree } from "../git/move-refs.ts";
import { keepUnder, type RefMove, readRef } from "../git/refs.ts";
import type { Repository } from "../git/repository.ts";
import { type BranchMove, type LandingBranches, landingRef } from "./landing-branches.ts";

/** Branches of this repository. A worktree that has one of them checked out moves with it, or is in the way. */
export function localBranches(
	repository: Repository,
	{ runId, base }: { readonly runId: string; readonly base: string },
): LandingBranches {
	const way: WayOut = { base, again: `spar land ${runId}` };
	return {
		remote: null,
		tip: (branch) => readRef(repository, `refs/heads/${branch}`),
		requireFree: (branches) => requireFree(repository, branches, way),
		couldMove: (moves) => couldMove(repository, moves.map(refMove), way),
		move: (moves) => moveRefs(repository, moves.map(refMove), way),
		keep: (commit) => keepUnder(repository, landingRef(runId), commit),
	};
}

function refMove({ branch, from, to }: BranchMove): RefMove {
	return { ref: `refs/heads/${branch}`, from, to };
}
