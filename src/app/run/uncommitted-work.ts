import { rm } from "node:fs/promises";
import { join } from "node:path";
import { withBaseFilters } from "../../git/base-filters.ts";
import { openCheckout } from "../../git/checkout.ts";
import { copiedFiles } from "../../git/copied-files.ts";
import { leftWork } from "../../git/left-work.ts";
import type { Vault } from "../../git/vault.ts";
import { makeTemporary } from "../../process/temporary.ts";
import type { RunRecord, TaskRecord } from "../../store/records.ts";
import { keptCheckout } from "../kept-checkout.ts";
import { type Places, runDirectory } from "../places.ts";
import { openRunVault } from "./run-vault.ts";

/** What a player's call left in a task's checkout, as a commit that no ref holds yet. */
export interface UncommittedWork {
	/** Short name of the task's branch. */
	readonly branch: string;
	readonly commit: string;
}

/**
 * Commits what stands in the kept checkouts of an ended run and in no commit: a call that was cancelled or failed half-way
 * wrote it. Ignored files are no work; commits and stashes of an agent's own are, where the files hold none. The same files give the same commit.
 *
 * @throws Fault of git, such as `git-failed` for a filter that does not run any more
 */
export async function uncommittedWork(
	{ places, ...ground }: Parameters<typeof openRunVault>[0] & { readonly places: Places },
	run: RunRecord,
	tasks: readonly TaskRecord[],
): Promise<readonly UncommittedWork[]> {
	const kept = tasks.flatMap((task) => {
		const directory = keptCheckout(places, task);
		const parent = task.commit ?? task.startCommit;
		return directory === null || parent === null ? [] : [{ task, directory, parent }];
	});
	if (kept.length === 0) return [];
	const home = await makeTemporary("spar-prune-");
	try {
		const plain = await openRunVault(ground, run, home, { mark: `${run.runId}:git` });
		const copied = copiedFiles(runDirectory(places, run.runId));
		const vault = { ...(await withBaseFilters(plain, run.baseCommit)), copied };
		const found: UncommittedWork[] = [];
		for (const { task, directory, parent } of kept) {
			const commit = await committed(vault, { home, directory, parent, task });
			// As in a turn: where the files say something, they are the work.
			const commits =
				commit === parent
					? (await leftWork(vault, directory, parent)).map((left) => left.commit)
					: [commit];
			for (const each of commits)
				if (each !== null) found.push({ branch: task.branch, commit: each });
		}
		return found;
	} finally {
		await rm(home, { recursive: true, force: true });
	}
}

/** The parent itself when nothing differs from it. */
async function committed(
	vault: Vault,
	{
		home,
		directory,
		parent,
		task: { taskId, endedAt, startedAt },
	}: {
		readonly home: string;
		readonly directory: string;
		readonly parent: string;
		readonly task: TaskRecord;
	},
): Promise<string> {
	// The run's own index is left alone, and this one knows nothing of the checkout yet.
	const checkout = openCheckout(vault, {
		dir: directory,
		indexFile: join(home, `index-${taskId}`),
	});
	const { commit } = await checkout.snapshot({
		parent,
		message: `${taskId}: left in its checkout`,
		at: Date.parse(endedAt ?? startedAt ?? "1970-01-01T00:00:00Z"),
	});
	return commit;
}
