import type { Drive } from "../drive/drive.ts";
import { moveRefs } from "../git/move-refs.ts";
import { readRef } from "../git/refs.ts";
import { fetchRefs } from "../git/remote-refs.ts";
import type { Reach } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { heldCommits } from "../git/wholeness.ts";
import { Fault } from "../kernel/fault.ts";
import { missingIn } from "../places/remote-refs.ts";
import type { LandReport } from "./land-run.ts";
import { landRun } from "./land-run.ts";
import { sharedReach } from "./landing-place.ts";

/**
 * Lands a run for somebody who works in this clone: where it landed on a remote, the base branch of the clone follows.
 *
 * @throws Fault as `landRun` does
 */
export async function landHere(drive: Drive): Promise<LandReport> {
	const report = await landRun(drive);
	const { commit } = report;
	const reach = sharedReach(drive);
	if (reach !== null && commit !== null) await followLanding(drive, reach, commit);
	return report;
}

// As `git pull --ff-only` does, the worktree that has the branch checked out moves along.
async function followLanding(
	{ repository, run, onNotice }: Pick<Drive, "repository" | "run" | "onNotice">,
	reach: Reach,
	commit: string,
): Promise<void> {
	const { baseBranch: base } = run;
	const ref = `refs/heads/${base}`;
	const from = await readRef(repository, ref);
	// Whoever has no such branch here wants none.
	if (from === undefined || from === commit) return;
	// What was landed and pruned elsewhere was never seen here.
	if (!(await heldCommits(repository, [commit])).has(commit))
		await fetchRefs(repository, reach, [ref]);
	const { remote } = reach;
	const why = await obstacleTo(repository, { ref, from, to: commit }, { remote, base });
	if (why !== null) onNotice?.(`${base} of this clone stays where it is: ${why}`);
}

// Null when it did.
async function obstacleTo(
	repository: Repository,
	move: { readonly ref: string; readonly from: string; readonly to: string },
	{ remote, base }: { readonly remote: string; readonly base: string },
): Promise<string | null> {
	const again = `git pull --ff-only ${remote} ${base}`;
	try {
		if ((await missingIn(repository, move.to, [move.from])) !== null)
			return `it has commits that ${remote} does not have. Bring both together: git pull --no-rebase ${remote} ${base}`;
		const moved = await moveRefs(repository, [move], { base, again });
		return moved ? null : `somebody else moves it. Then: ${again}`;
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return error.hint === undefined ? error.message : `${error.message}. ${error.hint}`;
	}
}
