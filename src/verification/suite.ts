import type { Proof } from "./admission.ts";

/** Tests that a verifier wrote for one specification. Plain data; the files stand in a commit. */
export interface Suite {
	/** Turn and call that it comes from, such as `2-1`. */
	readonly id: string;
	/** Commit that holds the files and nothing else, kept under a private ref. */
	readonly commit: string;
	/** Paths of the files. */
	readonly files: readonly string[];
	/** Shell command that runs just these, at the root of a checkout. */
	readonly run: string;
	/** Key of the specification that it was written for. */
	readonly spec: string;
	/** Subtask that it was written for; null where the task has none. */
	readonly subtask: string | null;
	/** Why it may block; null before that is known. */
	readonly proof: Proof | null;
	/** All of it was withdrawn, and its author has nothing else to test for this specification. */
	readonly isSpent?: boolean | undefined;
}

/** A test by the state that it has now. */
export interface TestStatus {
	/** File that it stands in, where that can be told; else the first one. */
	readonly path: string;
	readonly name: string;
	readonly status: "passed" | "failed" | "skipped" | "withdrawn";
}
