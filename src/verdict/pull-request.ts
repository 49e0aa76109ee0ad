import { nothing } from "../git/parsing.ts";
import { remotesFor } from "../git/remotes.ts";
import { type Repository, resolveCommit, userPlace } from "../git/repository.ts";
import { runGit } from "../git/run-git.ts";
import { Fault } from "../kernel/fault.ts";
import { fieldsOf, jsonIn } from "../kernel/fields.ts";
import { quote } from "../kernel/quote.ts";
import { findProgram } from "../process/find-program.ts";
import { runForge } from "../process/forge-program.ts";

/** A pull request whose commits are here. */
export interface PullRequest {
	readonly number: number;
	readonly head: string;
	/** Tip of the branch into which it goes. */
	readonly base: string;
	/** True for one from a fork, or where that is not known: everything in it is somebody else's. */
	readonly isForeign: boolean;
}

const FIELDS = "number,headRefOid,baseRefName,isCrossRepository";

const usage = (message: string, hint: string): Fault => new Fault(message, { code: "usage", hint });

/**
 * Asks `gh` for a pull request and fetches its commits; no ref of the user's moves.
 *
 * @param named a number or an address
 * @throws Fault `program-missing`, and `usage` where `gh` does not find it; `git-failed` where it cannot be fetched
 */
export async function pullRequest(
	repository: Repository,
	named: string,
	place: {
		readonly env: Readonly<Record<string, string | undefined>>;
		readonly signal: AbortSignal;
	},
): Promise<PullRequest> {
	if (!/^(?:\d+|https:\/\/\S+)$/.test(named))
		throw usage(`${quote(named)} is no number or address of a pull request`, "spar check --pr 12");
	const cwd = repository.root;
	const program = findProgram("gh", place.env["PATH"] ?? "", cwd);
	if (program === undefined)
		throw new Fault("pull requests are read by gh, which is not on the PATH", {
			code: "program-missing",
			hint: "Install GitHub's gh and sign in, or fetch the branch and check it by its name: spar check BRANCH",
		});
	const told = await runForge({ name: "gh", program }, ["pr", "view", named, "--json", FIELDS], {
		...place,
		cwd,
	});
	const answer = fieldsOf(told.ok ? jsonIn(told.text) : null);
	const [number, head, into] = [answer["number"], answer["headRefOid"], answer["baseRefName"]];
	if (
		typeof number !== "number" ||
		!/^[0-9a-f]{40,64}$/.test(String(head)) ||
		typeof into !== "string"
	)
		throw usage(
			`gh does not tell of the pull request ${named}: ${told.ok ? "its answer cannot be read" : told.text}`,
			"See whether `gh auth status` is well, and `gh pr list` has it.",
		);
	const { names, preferred } = await remotesFor(repository, into);
	const remote = preferred ?? names.find((name) => name === "origin") ?? names[0];
	if (remote === undefined)
		throw usage(
			"there is no remote to fetch the pull request from",
			"git remote add origin ADDRESS",
		);
	const fetched = await fetchTip(repository, remote, `refs/pull/${number}/head`, place.signal);
	const base = await fetchTip(repository, remote, `refs/heads/${into}`, place.signal);
	if (fetched !== head)
		throw usage(`the pull request ${number} moved while it was fetched`, "Check it again.");
	return { number, head: fetched, base, isForeign: answer["isCrossRepository"] !== false };
}

async function fetchTip(
	repository: Repository,
	remote: string,
	ref: string,
	signal: AbortSignal,
): Promise<string> {
	const place = userPlace(repository, signal);
	const tip = await runGit(place, {
		args: ["ls-remote", "--", remote, ref],
		parse: ({ stdout }) => /^([0-9a-f]{40,64})\t/.exec(stdout.toString("latin1"))?.[1],
	});
	if (tip === undefined)
		throw usage(`${remote} has no ${ref}`, "Fetch the branch, and check it by its name.");
	await runGit(place, {
		// Without a map of refs nothing but objects comes.
		args: [
			"fetch",
			"--quiet",
			"--no-tags",
			"--no-write-fetch-head",
			"--refmap=",
			"--",
			remote,
			ref,
		],
		mayLock: true,
		parse: nothing,
	});
	const there = await resolveCommit(repository, tip);
	if (there !== undefined) return there;
	throw usage(`${ref} of ${remote} moved while it was fetched`, "Check it again.");
}
