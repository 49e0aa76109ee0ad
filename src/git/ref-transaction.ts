import { Fault } from "../kernel/fault.ts";
import { joinZero } from "./parsing.ts";
import type { GitAnswer, GitPlace, KeptQuery } from "./run-git.ts";
import { askKept } from "./run-git.ts";

export interface RefusedTransaction {
	readonly query: KeptQuery<void>;
	readonly answer: GitAnswer;
}

/**
 * Changes refs, all or none, without a look at worktrees. Only `swap-refs.ts` and `refs.ts` may call this.
 *
 * @param instructions of `git update-ref -z --stdin`, such as `["create refs/heads/a", "<commit>"]`
 * @returns null when they have changed
 */
export async function changeRefs(
	place: GitPlace,
	instructions: readonly string[],
): Promise<RefusedTransaction | null> {
	const query = transaction(instructions);
	const told = await askKept(place, query);
	return "answer" in told ? null : { query, answer: told.ended };
}

const MADE = "start: ok\ncommit: ok\n";

function transaction(instructions: readonly string[]): KeptQuery<void> {
	return {
		args: ["update-ref", "--no-deref", "-m", "sparring", "-z", "--stdin"],
		input: joinZero(["start", ...instructions, "commit"]),
		read: (bytes) => {
			if (bytes.length < MADE.length) return { used: 0, atLeast: MADE.length };
			const words = bytes.toString("latin1");
			if (words !== MADE) throw unexpected(words);
			return { answer: undefined };
		},
	};
}

function unexpected(words: string): Fault {
	return new Fault(`git update-ref said ${JSON.stringify(words)}`, {
		code: "git-failed",
		retryable: true,
		hint: "Try again. If it happens again, see whether `git` on the PATH is a script that prints something.",
	});
}
