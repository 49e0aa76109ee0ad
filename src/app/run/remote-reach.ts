import { type Reach, remoteEnvironment, remotesFor } from "../../git/remotes.ts";
import type { Repository } from "../../git/repository.ts";
import { Fault } from "../../kernel/fault.ts";
import type { Workflow } from "../../workflow/workflow.ts";

/** The remote through which machines exchange code where the workflow names none. */
const DEFAULT_REMOTE = "origin";

/**
 * How this clone reaches the remote through which several machines exchange the code of a run.
 *
 * @throws Fault `repository-unsuitable` where the clone has no such remote
 */
export async function reachOf(
	repository: Repository,
	{ code }: Pick<Workflow, "code">,
	env: Readonly<Record<string, string | undefined>>,
): Promise<Reach> {
	const remote = code?.remote ?? DEFAULT_REMOTE;
	const { names } = await remotesFor(repository, repository.headBranch ?? "");
	if (names.includes(remote)) return { remote, env: remoteEnvironment(env) };
	throw new Fault(`${repository.root} has no git remote called ${remote}`, {
		code: "repository-unsuitable",
		hint: "Several machines exchange code through a remote: add it with `git remote add`, or name another one with `code: { remote: NAME }` in the workflow file.",
	});
}
