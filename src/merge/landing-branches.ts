import type { WayOut } from "../git/in-use.ts";
import { couldMove, moveRefs, requireFree } from "../git/move-refs.ts";
import { pushRefs } from "../git/push-refs.ts";
import { keepUnder, type RefMove, readRef } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";

export interface BranchMove {
	readonly branch: string;
	/** The commit that it must be at. */
	readonly from: string;
	readonly to: string;
}

/**
 * The branches that a landing reads and moves: in this repository, or on a remote that machines share. They have short
 * names, such as `"main"`.
 *
 * @throws Fault, each of them, when the repository or the remote cannot be read or written
 */
export interface LandingBranches {
	/** Name of the remote on which they are; null for this repository. People are told. */
	readonly remote: string | null;
	/** Tip of a branch; undefined when there is none. The repository holds that commit and its history from then on. */
	tip(branch: string): Promise<string | undefined>;
	/** @throws Fault when one of them cannot move at all, wherever to */
	requireFree(branches: readonly string[]): Promise<void>;
	/** Looks whether `move` could succeed now, for callers with expensive work before it. @throws as `move` does */
	couldMove(moves: readonly BranchMove[]): Promise<boolean>;
	/**
	 * Moves all of them, each only from where it is expected.
	 *
	 * @returns false when one is elsewhere; then nothing has moved
	 * @throws Fault with what is in the way and what to do about it
	 */
	move(moves: readonly BranchMove[]): Promise<boolean>;
	/** Keeps a commit that no branch holds yet from being removed by git. One at a time: the last one counts. */
	keep(commit: string): Promise<void>;
}

function landingRef(runId: string): string {
	return `refs/sparring/${runId}/integration/landing`;
}

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

interface RemoteLanding {
	readonly runId: string;
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
	// In the order asked; undefined for a branch that is not there.
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

function heldUnder({ runId, base }: RemoteLanding, branch: string): string {
	return `refs/sparring/${runId}/integration/${branch === base ? "base" : "tip"}`;
}

export interface ToldBranch {
	readonly remote: string | null;
	readonly branch: string;
}

export const placed = ({ remote, branch }: ToldBranch): string =>
	remote === null ? branch : `${branch} on ${remote}`;

export function putBack(
	{ remote, branch }: ToldBranch,
	{ tip, to }: { readonly tip: string | null; readonly to: string },
): string {
	return remote === null
		? `git branch -f ${branch} ${to}`
		: `git push --force-with-lease=${branch}:${tip ?? ""} ${remote} ${to}:refs/heads/${branch}`;
}

/**
 * Fault of an integration branch that no longer holds what was merged into it.
 *
 * @param next what a person does once it is put back, such as "resume"
 */
export function setBack(
	told: ToldBranch,
	{ tip, lost }: { readonly tip: string; readonly lost: string },
	next: string,
): Fault {
	return new Fault(
		`the branch ${placed(told)} stands at ${tip}, which does not hold the merged work of ${lost}`,
		{
			code: "ref-in-the-way",
			hint: `Put it back with \`${putBack(told, { tip, to: lost })}\`, then ${next}.`,
		},
	);
}

/** Fault of an integration branch that is gone while tasks merge into it. */
export function branchGone({ remote, branch }: ToldBranch): Fault {
	return new Fault(`the branch ${branch} is gone${remote === null ? "" : ` from ${remote}`}`, {
		code: "ref-in-the-way",
		hint: "`spar resume` puts it back where the last merge left it.",
	});
}

/** Fault of a task's branch that is not where the run left it. */
export function branchMovedAway(
	told: ToldBranch,
	{ present, expected }: { readonly present: string | undefined; readonly expected: string | null },
): Fault {
	const { remote, branch } = told;
	if (expected === null) {
		const way = remote === null ? `with \`git branch -m ${branch} ${branch}-kept\`` : "there";
		return new Fault(`there is a branch ${placed(told)} that this run did not make`, {
			code: "ref-in-the-way",
			hint: `Sparring takes over no branch. Rename it ${way}, then resume.`,
		});
	}
	const now = present === undefined ? "is gone" : `stands at ${present}`;
	const command = putBack(told, { tip: present ?? null, to: expected });
	const other = remote === null ? ", or rename it" : "";
	return new Fault(
		`the branch ${placed(told)} ${now}, not at ${expected}, where this run left it`,
		{
			code: "ref-in-the-way",
			hint: `Sparring never resets a branch. Put it back with \`${command}\`${other}, then resume.`,
		},
	);
}
