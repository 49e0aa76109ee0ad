import { pushRefs } from "../git/push-refs.ts";
import { keepUnder, readRef } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { type BranchMove, type LandingBranches, landingRef } from "./landing-branches.ts";

/** A run whose branches are on a remote. */
export interface RemoteLanding {
	readonly runId: string;
	/** Short name of the branch that it lands on. */
	readonly base: string;
	readonly integration: string;
	/** Asked before each push. @throws Fault `lease-lost` when another process has taken over the landing */
	readonly requireLease: () => Promise<void>;
}

/**
 * Branches of a remote. No branch and no worktree of this repository takes part: what it fetches it holds under private
 * refs.
 */
export function remoteBranches(
	repository: Repository,
	reach: Reach,
	landing: RemoteLanding,
): LandingBranches {
	const { runId, base, requireLease } = landing;
	/** Where each branch stands that is there, in the order asked. */
	const standing = async (branches: readonly string[]): Promise<(string | undefined)[]> => {
		const refs = branches.map((branch) => `refs/heads/${branch}`);
		const found = await remoteRefs(repository, reach, refs);
		const stands = new Map(found.map(({ ref, oid }) => [ref, oid]));
		return refs.map((ref) => stands.get(ref));
	};
	return {
		remote: reach.remote,
		tip: async (branch) => {
			const [there] = await standing([branch]);
			if (there === undefined) return undefined;
			const held = heldUnder(landing, branch);
			// A ref that a fetch wrote has its history with it.
			if ((await readRef(repository, held)) === there) return there;
			await fetchRefs(repository, reach, [`+refs/heads/${branch}:${held}`]);
			return await readRef(repository, held);
		},
		requireFree: () => Promise.resolve(),
		couldMove: async (moves) => {
			const stands = await standing(moves.map(({ branch }) => branch));
			return moves.every(({ from }, index) => stands[index] === from);
		},
		move: async (moves) => {
			await requireLease();
			// A refusal names the first.
			const ordered = moves.toSorted(
				(one, other) => Number(other.branch === base) - Number(one.branch === base),
			);
			const pushed = await pushRefs(repository, reach, ordered.map(refMove), {
				whenRefused: `If ${base} is protected on ${reach.remote}, open a pull request (spar land ${runId} --pr), or allow pushes to it there and land again (spar land ${runId}).`,
			});
			return pushed.outcome === "moved";
		},
		keep: (commit) => keepUnder(repository, landingRef(runId), commit),
	};
}

/** The private ref that holds a branch of the remote here. */
function heldUnder({ runId, base }: RemoteLanding, branch: string): string {
	return `refs/sparring/${runId}/integration/${branch === base ? "base" : "tip"}`;
}

function refMove({ branch, from, to }: BranchMove): { ref: string; from: string; to: string } {
	return { ref: `refs/heads/${branch}`, from, to };
}
