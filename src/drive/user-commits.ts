import type { MergeCommit } from "../git/merging.ts";
import { commitAsUser, wantsSignature } from "../git/user-commit.ts";
import type { Vault } from "../git/vault.ts";
import type { RunRecord } from "../store/records.ts";
import type { Supervision } from "./run-options.ts";

interface Starter extends Pick<Supervision, "onNotice"> {
	readonly run: Pick<RunRecord, "identity">;
	readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Writes commits in the name of the user who started the run; says once why they are not signed. Whether they are to be is
 * read with the first one.
 */
export function userCommits(
	{ run, env, onNotice }: Starter,
	vault: Vault,
): (commit: MergeCommit) => Promise<string> {
	let isTold = false;
	const onUnsigned = (why: string): void => {
		if (!isTold) onNotice?.(`commits are not signed, although commit.gpgSign is set: ${why}`);
		isTold = true;
	};
	let wanted: boolean | null = null;
	const isSigned = async (): Promise<boolean> => {
		wanted ??= await wantsSignature(vault.repository);
		return wanted;
	};
	return (commit) => commitAsUser(vault, commit, { by: run.identity, env, isSigned, onUnsigned });
}
