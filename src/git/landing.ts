import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../kernel/fault.ts";
import { joinZero, nothing, pathText } from "./parsing.ts";
import type { RawChange } from "./raw-changes.ts";
import { moveRef, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import type { GitPlace } from "./run-git.ts";
import { runGit } from "./run-git.ts";
import {
	changedPaths,
	holdsBlob,
	refreshIndex,
	stagedPaths,
	standsAt,
	untrackedInTheWay,
	workTreeChanges,
	worktreeOf,
} from "./work-tree.ts";

/** A branch to bring forward. `to` has `from` among its ancestors. */
export interface FastForward {
	/** Short name, such as `"main"`. */
	readonly branch: string;
	readonly from: string;
	readonly to: string;
}

/**
 * Brings a branch of the user's repository forward, with index and work tree where it is checked out.
 *
 * May be called again after a kill at any moment: what the first call did is recognised by content, finished, and
 * nothing of the user's is lost. A branch that already stands at `to` is left as it is.
 *
 * @throws Fault `base-moved` (retryable) when the branch stands elsewhere, `checkout-dirty` when changes of the
 * user's are in the way; nothing was changed then
 */
export async function fastForward(repository: Repository, step: FastForward): Promise<void> {
	const ref = `refs/heads/${step.branch}`;
	const now = await readRef(repository, ref);
	if (now === step.to) return;
	if (now !== step.from) throw baseMoved(step);
	const root = await worktreeOf(repository, step.branch);
	if (root === null) {
		if (await moveRef(repository, { ref, to: step.to, from: step.from })) return;
		throw baseMoved(step);
	}
	await forwardWorkTree(repository, root, step);
	if ((await readRef(repository, ref)) !== step.to) throw baseMoved(step);
}

async function forwardWorkTree(
	repository: Repository,
	root: string,
	{ branch, from, to }: FastForward,
): Promise<void> {
	const place: GitPlace = { host: repository.host, configuration: "users", cwd: root };
	await refreshIndex(place);
	// A kill after the files and before the ref leaves just this.
	if (await standsAt(place, to)) {
		const ref = `refs/heads/${branch}`;
		if (!(await moveRef(repository, { ref, to, from }))) throw baseMoved({ branch, from, to });
		return;
	}
	await clearWay(place, root, { branch, from, to });
	await runGit(place, {
		args: [
			"-c",
			"submodule.recurse=false",
			"merge",
			"--ff-only",
			"--quiet",
			"--no-stat",
			"--no-autostash",
			"--no-verify-signatures",
			to,
		],
		mayLock: true,
		parse: nothing,
	});
}

/**
 * Refuses when something of the user's is in the way. Files that a killed landing already wrote hold what git
 * has under `to`; they are put back, since git itself would take them for changes.
 */
async function clearWay(place: GitPlace, root: string, step: FastForward): Promise<void> {
	const changes = await workTreeChanges(place, step.from, step.to);
	const blocked = await untrackedInTheWay(place, root, changes);
	const dirty = await changedPaths(place);
	const byPath = new Map(changes.map((change) => [change.path.toString("latin1"), change]));
	// A landing writes the index in one step after the files, so a part that is staged is the user's.
	const foreign = await stagedPaths(place);
	const ours: RawChange[] = [];
	for (const path of dirty) {
		const change = byPath.get(path.toString("latin1"));
		if (change !== undefined && (await isLanded(place, root, change))) ours.push(change);
		else foreign.push(path);
	}
	const written: RawChange[] = [];
	for (const change of blocked) {
		if (await holdsBlob(place, root, change)) written.push(change);
		else foreign.push(change.path);
	}
	if (foreign.length > 0) throw inTheWay(root, step.branch, foreign);
	for (const { path } of written) await rm(join(root, path.toString("utf8")));
	await putBack(place, ours);
}

async function isLanded(place: GitPlace, root: string, change: RawChange): Promise<boolean> {
	if (change.newMode !== "000000") return await holdsBlob(place, root, change);
	// A file that `to` deletes is landed when it is gone; its content stays in `from`.
	const present = await runGit(place, {
		args: ["ls-files", "--deleted", "-z", "--", pathText(change.path)],
		parse: ({ stdout }) => stdout.length === 0,
	});
	return !present;
}

async function putBack(place: GitPlace, changes: readonly RawChange[]): Promise<void> {
	const paths = changes.map(({ path }) => path);
	if (paths.length === 0) return;
	await runGit(place, {
		args: ["checkout-index", "--force", "-z", "--stdin"],
		stdin: joinZero(paths),
		mayLock: true,
		parse: nothing,
	});
	await refreshIndex(place);
}

function inTheWay(root: string, branch: string, paths: readonly Buffer[]): Fault {
	const names = [...new Set(paths.map(pathText))].sort();
	const shown = names.slice(0, 10).map((name) => JSON.stringify(name));
	const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
	return new Fault(
		`the checkout of ${branch} in ${root} has changes in the way: ${shown.join(", ")}${more}`,
		{
			code: "checkout-dirty",
			hint: "Commit them, set them aside with `git stash -u` or move them away, then land again.",
		},
	);
}

function baseMoved({ branch, from }: FastForward): Fault {
	return new Fault(`the branch ${branch} no longer stands at ${from}`, {
		code: "base-moved",
		retryable: true,
		hint: "Run `spar land` again: it brings the new state in and checks it first.",
	});
}
