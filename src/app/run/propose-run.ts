import { isAncestor, isCommit } from "../../git/changes.ts";
import { cutTo, oneLine } from "../../git/message.ts";
import {
	pushAddress,
	pushCommit,
	type Reach,
	type Remotes,
	remoteEnvironment,
	remoteHeads,
	remotesFor,
} from "../../git/remotes.ts";
import { Fault } from "../../kernel/fault.ts";
import { landable } from "../../merge/land.ts";
import { suggestion } from "../../workflow/suggest.ts";
import { taskSubject } from "../../workflow/task-subject.ts";
import type { Workflow } from "../../workflow/workflow.ts";
import { type Forge, forgeOf, pullRequestUrl } from "../forge.ts";
import type { ProposeReport } from "../propose-report.ts";
import type { Drive } from "./drive.ts";
import { publishPullRequest } from "./github-cli.ts";
import { landedBefore, landingGround, withoutReview } from "./land-run.ts";

/** Longest title of a pull request, in characters. */
const MAX_TITLE = 100;

/** What a pull request is made with. */
export interface Proposal {
	readonly remote: string | undefined;
	/** Masked. */
	readonly title: string;
	/** The report as Markdown, masked; made once there is something to propose. */
	readonly report: () => Promise<string>;
}

/**
 * Pushes the integration branch of a run under its own name, and opens a pull request for it or brings the open one up
 * to date. What goes out is what `spar land` would land; no local branch moves.
 *
 * @throws Fault `nothing-to-land`, `remote-unsuitable`, `remote-unreachable`, `push-refused`
 */
export async function proposeRun(drive: Drive, proposal: Proposal): Promise<ProposeReport> {
	const { run, repository } = drive;
	const landed = await landedBefore(drive);
	if (landed !== null) {
		throw new Fault(`run ${run.runId} has landed and was pruned: its branches are gone`, {
			code: "nothing-to-land",
			hint: `Push ${run.baseBranch}, which has its work.`,
		});
	}
	const remote = chosenRemote(await remotesFor(repository, run.baseBranch), proposal.remote);
	const address = await requireAddress(drive, remote);
	const about = { run_id: run.runId, branch: run.branch, remote, url: null, pull_request: null };
	const no = { ...about, pushed: false, commit: null, undone: [] };
	const unreviewed = await withoutReview(drive);
	if (unreviewed !== null) return { ...no, outcome: "refused", reason: unreviewed };
	const ground = await landingGround(drive);
	const { undone, vault } = ground;
	const { commit, red } = await landable(ground);
	if (red !== null) return { ...no, undone, outcome: "refused", reason: red };
	const reach: Reach = { remote, env: remoteEnvironment(drive.env), signal: drive.signal };
	const heads = await remoteHeads(repository, reach, [run.baseBranch, run.branch]);
	const base = requireBase(heads.get(run.baseBranch), drive, remote);
	const known = (await isCommit(vault, base)) ? base : null;
	const found = { ...about, commit, undone, reason: null };
	if (known !== null && (await isAncestor(vault, commit, known)))
		return { ...found, outcome: "already_landed", pushed: false };
	if (known !== null && !(await isAncestor(vault, run.baseCommit, known))) {
		drive.onNotice?.(
			`the pull request also holds commits of ${run.baseBranch} that ${remote} does not have yet`,
		);
	}
	if (heads.get(run.branch) !== commit) {
		drive.onNotice?.(`pushing ${run.branch} to ${remote}`);
		await pushCommit(repository, reach, { commit, branch: run.branch });
	}
	const made = await published(drive, forgeOf(address), proposal);
	return { ...found, outcome: "proposed", pushed: true, ...made };
}

/** Where the pull request is, or can be opened. */
async function published(
	drive: Drive,
	forge: Forge | null,
	{ report, title }: Proposal,
): Promise<Pick<ProposeReport, "url" | "pull_request">> {
	if (forge === null) return { url: null, pull_request: null };
	const { run, repository, env, signal, onNotice } = drive;
	const branches = { base: run.baseBranch, branch: run.branch };
	const request = { ...branches, forge, title, report: await report() };
	const made = await publishPullRequest(request, { cwd: repository.root, env, signal });
	if (made !== null && made.why !== null) onNotice?.(`gh could not do it all: ${made.why}`);
	const url = made?.url ?? pullRequestUrl(forge, branches);
	return { url, pull_request: made?.done ?? null };
}

/** The title of a pull request: the subject of the one task that merged, or the workflow with the tasks' names. */
export function titleOf(
	{ name, merge, tasks }: Pick<Workflow, "name" | "merge" | "tasks">,
	merged: readonly string[],
): string {
	const [first, ...others] = tasks.filter(({ id }) => merged.includes(id));
	const title =
		first !== undefined && others.length === 0
			? taskSubject(merge.message, first)
			: `${name}: ${merged.join(", ")}`;
	return cutTo(oneLine(title), MAX_TITLE);
}

/** @throws Fault `remote-unsuitable` where none or several could be meant */
function chosenRemote({ names, preferred }: Remotes, wanted: string | undefined): string {
	const listed = names.join(", ");
	if (wanted !== undefined) {
		if (names.includes(wanted)) return wanted;
		throw new Fault(`there is no remote ${wanted}`, {
			code: "remote-unsuitable",
			hint: suggestion(wanted, names) ?? "Add one: git remote add origin URL",
		});
	}
	const [only] = names;
	if (only === undefined) {
		throw new Fault("the repository has no remote to push to", {
			code: "remote-unsuitable",
			hint: "Add one with `git remote add origin URL`, or land here: spar land",
		});
	}
	const chosen = preferred ?? (names.length === 1 ? only : names.find((name) => name === "origin"));
	if (chosen !== undefined) return chosen;
	throw new Fault(`the repository has several remotes: ${listed}`, {
		code: "remote-unsuitable",
		hint: "Name one: spar land --pr --remote NAME",
	});
}

async function requireAddress({ repository, run }: Drive, remote: string): Promise<string> {
	const address = await pushAddress(repository, remote);
	// Without one git takes the name for a path.
	if (address !== "" && address !== remote) return address;
	throw new Fault(`the remote ${remote} has no address to push to`, {
		code: "remote-unsuitable",
		hint: `Give it one with \`git config remote.${remote}.url URL\`, or land here: spar land ${run.runId}`,
	});
}

function requireBase(commit: string | undefined, { run }: Drive, remote: string): string {
	if (commit !== undefined) return commit;
	throw new Fault(`${remote} has no branch ${run.baseBranch} to open a pull request against`, {
		code: "remote-unsuitable",
		hint: `Push it first: git push ${remote} ${run.baseBranch}`,
	});
}
