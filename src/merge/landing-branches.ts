/** A compare-and-swap of one branch. */
export interface BranchMove {
	/** Short name. */
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
	/** Where a branch stands; undefined when there is none. The repository holds that commit and its history from then on. */
	tip(branch: string): Promise<string | undefined>;
	/** @throws Fault when one of them cannot move at all, wherever to */
	requireFree(branches: readonly string[]): Promise<void>;
	/** Whether `move` could succeed now; moves nothing. For callers with expensive work before it. @throws as `move` does */
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

/** Under which ref the merge of a moved base stands while it is tested. No task can be called `integration`. */
export function landingRef(runId: string): string {
	return `refs/sparring/${runId}/integration/landing`;
}
