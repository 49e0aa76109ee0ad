import type { WayOut } from "../git/in-use.ts";
import { moveRefs } from "../git/move-refs.ts";
import { keepUnder, readRef } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { notIn } from "../git/wholeness.ts";
import { Fault, type FaultCode } from "../kernel/fault.ts";

// The user works on the local branch, or it stands where git says no.
const LEFT_ALONE: ReadonlySet<FaultCode> = new Set([
	"branch-in-use",
	"checkout-dirty",
	"ref-in-the-way",
	"git-failed",
]);

/**
 * Brings a local branch to where it stands on the remote, if it is missing here or that is forward. A branch that its
 * user moved, or works on, is left alone: the remote counts.
 *
 * @param move `to`: a commit that the repository has
 * @returns whether it stands there now
 */
export async function followBranch(
	repository: Repository,
	{ ref, to }: { readonly ref: string; readonly to: string },
	way: WayOut,
): Promise<boolean> {
	try {
		const from = (await readRef(repository, ref)) ?? null;
		if (from === to) return true;
		if (from !== null && (await notIn(repository, to, [from])).length > 0) return false;
		return await moveRefs(repository, [{ ref, from, to }], way);
	} catch (error) {
		if (error instanceof Fault && LEFT_ALONE.has(error.code)) return false;
		throw error;
	}
}

/** A branch of the remote, and the private ref that holds its commit where the local branch cannot follow. */
export interface SharedBranch {
	readonly ref: string;
	readonly spare: string;
}

/** The integration branch of a run. No task can have the name under which its spare ref is. */
export function integrationOf(runId: string, branch: string): SharedBranch {
	return { ref: `refs/heads/${branch}`, spare: `refs/sparring/${runId}/integration/tip` };
}

/** Brings the tip of a branch of the remote; undefined when it is not there. @throws Fault `remote-unreachable`, `git-failed` */
export async function bringTip(
	repository: Repository,
	reach: Reach,
	{ branch, way }: { readonly branch: SharedBranch; readonly way: WayOut },
): Promise<string | undefined> {
	const [found] = await remoteRefs(repository, reach, [branch.ref]);
	if (found === undefined) return undefined;
	if (!(await isHere(repository, branch, found.oid)))
		await fetchRefs(repository, reach, [branch.ref]);
	await hold(repository, { branch, to: found.oid, way });
	return found.oid;
}

// That a commit exists says nothing of its history: a fetch may have been killed.
async function isHere(
	repository: Repository,
	{ ref, spare }: SharedBranch,
	commit: string,
): Promise<boolean> {
	return (
		(await readRef(repository, ref)) === commit || (await readRef(repository, spare)) === commit
	);
}

export async function hold(
	repository: Repository,
	{ branch, to, way }: { readonly branch: SharedBranch; readonly to: string; readonly way: WayOut },
): Promise<void> {
	if (await followBranch(repository, { ref: branch.ref, to }, way)) return;
	await keepUnder(repository, branch.spare, to);
}
