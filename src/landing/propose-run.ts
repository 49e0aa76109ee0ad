import type { Drive } from "../drive/drive.ts";
import { isAncestor, isCommit } from "../git/changes.ts";
import { cutTo, oneLine } from "../git/message.ts";
import { pushCommit } from "../git/push-refs.ts";
import { remoteHeads } from "../git/remote-refs.ts";
import {
	pushAddress,
	type Reach,
	type Remotes,
	remoteEnvironment,
	remotesFor,
} from "../git/remotes.ts";
import { attempt } from "../kernel/attempt.ts";
import { Fault } from "../kernel/fault.ts";
import { fieldsOf, jsonIn, listOf } from "../kernel/fields.ts";
import { suggestion } from "../kernel/suggest.ts";
import { landable } from "../merge/land.ts";
import type { UndoneWork } from "../merge/undone-work.ts";
import { findProgram } from "../process/find-program.ts";
import { type ForgePlace, runForge } from "../process/forge-program.ts";
import { taskSubject } from "../workflow/task-subject.ts";
import type { Workflow } from "../workflow/workflow.ts";
import { landedBefore, landingGround, withoutReview } from "./land-run.ts";

/** Report of `spar land --pr`. */
export interface ProposeReport {
	readonly run_id: string;
	/** `proposed`; `already_landed`: the remote's base has it all; `refused` with the reason. */
	readonly outcome: "proposed" | "already_landed" | "refused";
	/** The integration branch, which has the same name on the remote. */
	readonly branch: string;
	readonly commit: string | null;
	readonly reason: string | null;
	/** As a landing has it. */
	readonly undone: readonly UndoneWork[];
	/** Name of the remote. */
	readonly remote: string;
	/** Tells whether the remote has the branch with this commit now. */
	readonly pushed: boolean;
	/** Of the pull request, or where one can be opened; null where neither is known. */
	readonly url: string | null;
	/** Step taken for the pull request; null: it has to be opened at `url`. */
	readonly pull_request: "opened" | "updated" | null;
}

// `why`: what `gh` could not do, in its words; with `url` the pull request is there all the same.
interface Published {
	readonly done: "opened" | "updated" | null;
	readonly url: string | null;
	readonly why: string | null;
}

/**
 * Opens a pull request with GitHub's `gh`, or brings the text of the open one up to date between the marks; the rest is a
 * person's.
 *
 * @returns null where there is no `gh` on the PATH, or the forge is not GitHub
 */
export async function publishPullRequest(
	request: {
		readonly forge: Forge;
		readonly base: string;
		readonly branch: string;
		readonly title: string;
		readonly report: string;
	},
	place: ForgePlace,
): Promise<Published | null> {
	const { forge, base, branch, title, report } = request;
	if (forge.kind !== "github") return null;
	const program = findProgram("gh", place.env["PATH"] ?? "", place.cwd);
	if (program === undefined) return null;
	const gh = (args: readonly string[], stdin = "") =>
		runForge({ name: "gh", program }, args, { ...place, stdin });
	const repo = ["--repo", `${forge.host}/${forge.path}`];
	const fields = ["--json", "number,url,body"];
	const found = await gh(["pr", "list", ...repo, "--head", branch, "--state", "open", ...fields]);
	if (!found.ok) return { done: null, url: null, why: found.text };
	const open = openIn(found.text);
	if (open === null) {
		const about = ["--head", branch, "--base", base, "--title", title, "--body-file", "-"];
		const made = await gh(["pr", "create", ...repo, ...about], marked(report));
		if (!made.ok) return { done: null, url: null, why: made.text };
		return { done: "opened", url: addressIn(made.text), why: null };
	}
	const body = withReport(open.body, report);
	if (body === null || body === open.body) return { done: "updated", url: open.url, why: null };
	const edited = await gh(["pr", "edit", String(open.number), ...repo, "--body-file", "-"], body);
	return { done: "updated", url: open.url, why: edited.ok ? null : edited.text };
}

const BEGIN = "<!-- sparring report: what stands between these marks is replaced -->";
const END = "<!-- end of the sparring report -->";

const marked = (report: string): string => `${BEGIN}\n\n${report.trim()}\n\n${END}\n`;

// Null when somebody took the marks out.
export function withReport(body: string, report: string): string | null {
	const start = body.indexOf(BEGIN);
	const end = body.lastIndexOf(END);
	if (start < 0 || end < start) return null;
	return `${body.slice(0, start)}${marked(report).trimEnd()}${body.slice(end + END.length)}`;
}

function openIn(
	text: string,
): { readonly number: number; readonly url: string; readonly body: string } | null {
	const [first] = listOf(jsonIn(text));
	const { number, url, body } = fieldsOf(first);
	return typeof number === "number" && typeof url === "string" && typeof body === "string"
		? { number, url, body }
		: null;
}

const addressIn = (text: string): string | null => /https?:\/\/\S+/.exec(text)?.[0] ?? null;

const MAX_TITLE = 100;

export interface Proposal {
	readonly remote: string | undefined;
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

// None or several could be meant.
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
export interface Forge {
	/** null: a host that is not known to be one of these. */
	readonly kind: "github" | "gitlab" | "bitbucket" | null;
	readonly host: string;
	/** Such as `"owner/repository"`. */
	readonly path: string;
}

const ALTERNATIVES: Readonly<Record<string, string>> = {
	"ssh.github.com": "github.com",
	"altssh.gitlab.com": "gitlab.com",
	"altssh.bitbucket.org": "bitbucket.org",
};

/**
 * Finds the place of a remote, without the credentials of its address.
 *
 * @returns null for a path on this machine, and for a host that only this machine's ssh configuration knows
 * @example `forgeOf("git@github.com:acme/limiter.git")` is `{ kind: "github", host: "github.com", path: "acme/limiter" }`
 */
export function forgeOf(address: string): Forge | null {
	const place = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? ofUrl(address) : ofScp(address);
	if (place === null) return null;
	const host = ALTERNATIVES[place.host] ?? place.host;
	const path = place.path.replaceAll(/^\/+|\/+$/g, "").replace(/\.git$/, "");
	if (!host.includes(".") || !path.includes("/")) return null;
	return { kind: kindOf(host), host, path };
}

interface RepositoryAddress {
	readonly host: string;
	readonly path: string;
}

function ofUrl(address: string): RepositoryAddress | null {
	const url = URL.parse(address);
	if (url === null) return null;
	const { protocol, host, hostname, pathname } = url;
	const isWeb = protocol === "https:" || protocol === "http:";
	if (!isWeb && !/^(?:git\+)?ssh:$|^git:$/.test(protocol)) return null;
	return {
		host: isWeb ? host : hostname,
		path: attempt(() => decodeURIComponent(pathname), pathname),
	};
}

function ofScp(address: string): RepositoryAddress | null {
	const [, host = "", path = ""] = /^(?:[^@/\s]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(address) ?? [];
	return host === "" ? null : { host: host.toLowerCase(), path };
}

function kindOf(host: string): Forge["kind"] {
	// A company's own is github.company.com, but github.com.elsewhere is somebody else's.
	if (/^github\.(?!com\.)|\.ghe\.com$/.test(host)) return "github";
	if (/^gitlab\.(?!com\.)/.test(host)) return "gitlab";
	return host === "bitbucket.org" ? "bitbucket" : null;
}

const segments = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

export function pullRequestUrl(
	{ kind, host, path }: Forge,
	{ base, branch }: { readonly base: string; readonly branch: string },
): string {
	const page = `https://${host}/${segments(path)}`;
	const query = (names: readonly [string, string]): string =>
		new URLSearchParams({ [names[0]]: branch, [names[1]]: base }).toString();
	switch (kind) {
		case "github":
			return `${page}/compare/${segments(base)}...${segments(branch)}?expand=1`;
		case "gitlab":
			return `${page}/-/merge_requests/new?${query(["merge_request[source_branch]", "merge_request[target_branch]"])}`;
		case "bitbucket":
			return `${page}/pull-requests/new?${query(["source", "dest"])}`;
		case null:
			return page;
	}
}
