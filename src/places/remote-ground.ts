import { letOwnRefs, pushRefs } from "../git/push-refs.ts";
import { listRefs, type RefEntry } from "../git/refs.ts";
import { fetchRefs, remoteRefs } from "../git/remote-refs.ts";
import { type Reach, remoteEnvironment, remotesFor } from "../git/remotes.ts";
import type { Repository } from "../git/repository.ts";
import { Fault } from "../kernel/fault.ts";
import { suggestion } from "../kernel/suggest.ts";
import type { RunRecord } from "../store/records.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { followBranch, hold, integrationOf } from "./follow-remote.ts";
import { missingIn, taskPrefix } from "./remote-refs.ts";
import { headsOf, ownPrefixes, privatePrefix, wayOfRun } from "./task-refs.ts";

export const DEFAULT_REMOTE = "origin";

/** Way to the remote of a workflow; null where its runs stay in one repository. */
export function reachOf(
	{ code }: Pick<Workflow, "code">,
	{
		env,
		signal,
	}: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly signal?: AbortSignal | undefined;
	},
): Reach | null {
	return code === undefined ? null : { remote: code.remote, env: remoteEnvironment(env), signal };
}

/**
 * Checks before a run exists that its remote is known here and answers.
 *
 * @throws Fault `remote-unsuitable` for a name that is no remote of the repository, `remote-unreachable`
 */
export async function requireRemote(
	repository: Repository,
	reach: Reach,
	baseBranch: string,
): Promise<void> {
	const { names } = await remotesFor(repository, baseBranch);
	if (!names.includes(reach.remote)) {
		throw new Fault(`the repository ${repository.root} has no remote ${reach.remote}`, {
			code: "remote-unsuitable",
			hint:
				suggestion(reach.remote, names) ??
				`Add it (git remote add ${reach.remote} URL), or name another one with \`code: { remote: NAME }\`.`,
		});
	}
	await remoteRefs(repository, reach, [`refs/heads/${baseBranch}`]);
}

/**
 * Checks before a run exists that it can land on the remote at its end, as far as that can be known.
 *
 * @param run.baseCommit with which it is to begin; the repository has it
 * @returns whether the remote's base branch holds that commit; if not, a landing publishes what it does not have
 * @throws Fault `remote-unsuitable` when the remote has no such branch, `remote-unreachable`
 */
export async function requireRemoteBase(
	repository: Repository,
	reach: Reach,
	{ baseBranch, baseCommit }: Pick<RunRecord, "baseBranch" | "baseCommit">,
): Promise<boolean> {
	const ref = `refs/heads/${baseBranch}`;
	const [found] = await remoteRefs(repository, reach, [ref]);
	if (found === undefined)
		throw new Fault(`${reach.remote} has no branch ${baseBranch} to land on`, {
			code: "remote-unsuitable",
			hint: `Push it first: git push ${reach.remote} ${baseBranch}`,
		});
	if (found.oid === baseCommit) return true;
	await fetchRefs(repository, reach, [ref]);
	return (await missingIn(repository, found.oid, [baseCommit])) === null;
}

/**
 * Makes the integration branch of a new run on the remote, at the base commit. Harmless when repeated before anything
 * was merged.
 *
 * @throws Fault `ref-in-the-way` when the branch is there already, `remote-unreachable`, `push-refused`
 */
export async function publishRun(
	repository: Repository,
	reach: Reach,
	run: Pick<RunRecord, "runId" | "branch" | "baseBranch"> & Pick<RunRecord, "baseCommit">,
): Promise<void> {
	const branch = integrationOf(run.runId, run.branch);
	const move = { ref: branch.ref, from: null, to: run.baseCommit };
	// There is no run to resume yet.
	const whenRefused = letOwnRefs("run again");
	const { outcome } = await pushRefs(repository, reach, [move], { whenRefused });
	if (outcome === "stale") {
		throw new Fault(`${reach.remote} has a branch ${run.branch} that this run did not make`, {
			code: "ref-in-the-way",
			hint: "Sparring takes over no branch. Rename it there, then run again.",
		});
	}
	const way = wayOfRun(run.runId, run.baseBranch);
	await hold(repository, { branch, to: run.baseCommit, way });
}

/**
 * Brings what other machines did of some tasks, and the integration branch: the commits that the records name can then be
 * read here. Private refs become what they are on the remote; branches follow where that is forward or they are missing.
 *
 * @param tasks ids; with none the integration branch alone is brought
 * @param how.again fetches all objects, also those that seem to be here: some may be missing or damaged
 * @returns where the integration branch is on the remote; null: it is not there
 * @throws Fault `remote-unreachable`, `git-failed`
 */
export async function bringRun(
	repository: Repository,
	reach: Reach,
	run: Pick<RunRecord, "runId" | "branch" | "baseBranch">,
	{ tasks, again = false }: { readonly tasks: readonly string[]; readonly again?: boolean },
): Promise<string | null> {
	const integration = integrationOf(run.runId, run.branch);
	const branches = tasks.map((task) => `${headsOf(run.runId)}${task}`);
	const prefixes = tasks.map((task) => taskPrefix(run.runId, task));
	const there = await remoteRefs(repository, reach, [integration.ref, ...branches, ...prefixes]);
	const here = await standingHere(repository, run.runId);
	await fetchRefs(repository, reach, refspecsOf(there, again ? null : here), { again });
	const way = wayOfRun(run.runId, run.baseBranch);
	const tip = there.find(({ ref }) => ref === integration.ref)?.oid ?? null;
	if (tip !== null) await hold(repository, { branch: integration, to: tip, way });
	for (const { ref, oid } of there)
		if (branches.includes(ref)) await followBranch(repository, { ref, to: oid }, way);
	return tip;
}

/**
 * Deletes the refs of an ended run on the remote; those of this repository stay. Safe to repeat.
 *
 * @returns how many there were
 * @throws Fault `remote-unreachable`, `push-refused`; `ref-in-the-way`, retryable, when somebody moves one meanwhile
 */
export async function dropRun(
	repository: Repository,
	reach: Reach,
	runId: string,
): Promise<number> {
	const there = await remoteRefs(repository, reach, ownPrefixes(runId));
	for (let from = 0; from < there.length; from += BATCH) {
		const moves = there
			.slice(from, from + BATCH)
			.map(({ ref, oid }) => ({ ref, from: oid, to: null }));
		const { outcome } = await pushRefs(repository, reach, moves);
		if (outcome === "moved") continue;
		throw new Fault(`refs of run ${runId} on ${reach.remote} move while they are removed`, {
			code: "ref-in-the-way",
			hint: "Somebody else pushes there. Prune again later.",
			retryable: true,
		});
	}
	return there.length;
}

const BATCH = 200;

async function standingHere(
	repository: Repository,
	runId: string,
): Promise<ReadonlyMap<string, string>> {
	const branches = await listRefs(repository, headsOf(runId));
	const kept = await listRefs(repository, privatePrefix(runId));
	return new Map([...branches, ...kept].map(({ ref, oid }) => [ref, oid]));
}

// Private refs under their names, and of branches the commits alone, since a local branch moves by rules of its own. What a
// ref of this repository holds has been fetched whole.
function refspecsOf(
	there: readonly RefEntry[],
	here: ReadonlyMap<string, string> | null,
): readonly string[] {
	const held = new Set(here?.values());
	return there.flatMap(({ ref, oid }) => {
		if (ref.startsWith("refs/heads/")) return held.has(oid) ? [] : [ref];
		return here?.get(ref) === oid ? [] : [`+${ref}:${ref}`];
	});
}

/** Brings what other machines did of some tasks. Does nothing for a run of this clone alone. @throws Fault `remote-unreachable` */
export async function bringShared(
	repository: Repository,
	run: RunRecord,
	{
		env,
		tasks,
	}: {
		readonly env: Readonly<Record<string, string | undefined>>;
		/** Ids. */
		readonly tasks: readonly string[];
	},
): Promise<void> {
	const reach = reachOf(run.workflow, { env });
	if (reach !== null) await bringRun(repository, reach, run, { tasks });
}
