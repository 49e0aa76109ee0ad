import { Fault } from "../kernel/fault.ts";
import type { GitAnswer } from "./run-git.ts";

const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** What git said, its last lines, without credentials of an address. */
export function wordsOf({ stdout, stderr }: GitAnswer): string {
	const said = `${stdout.toString("utf8")}\n${stderr}`.replaceAll(CREDENTIALS, "//");
	const lines = said.split("\n").map((line) => line.trim());
	const telling = lines.filter(
		(line) =>
			line !== "" &&
			!/^(?:To |Done$|hint: |Please make sure you have the correct|and the repository exists)/.test(
				line,
			),
	);
	return telling.slice(-6).join("; ").slice(0, 2_000) || "no message";
}

export const SIGN_IN =
	/Authentication failed|could not read (?:Username|Password)|Permission denied|access denied|terminal prompts disabled|Host key verification|error: 40[13]/i;

export function unreachable(remote: string, words: string, cause?: unknown): Fault {
	return new Fault(`the remote ${remote} cannot be reached: ${words}`, {
		code: "remote-unreachable",
		retryable: true,
		hint: SIGN_IN.test(words)
			? `Sign in for it, so that \`git ls-remote ${remote}\` works without a question.`
			: `Try it by hand: git ls-remote ${remote}`,
		cause,
	});
}
