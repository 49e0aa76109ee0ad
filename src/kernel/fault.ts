/** Closed set of fault codes. Each is documented in `docs/user-guide/faults.md`. */
export type FaultCode =
	| "usage"
	| "workflow-invalid"
	| "not-a-repository"
	| "repository-unsuitable"
	| "git-failed"
	| "git-too-old"
	| "ref-in-the-way"
	| "checkout-dirty"
	| "checkout-lost"
	| "branch-in-use"
	| "base-moved"
	| "state-unwritable"
	| "state-unreadable"
	| "state-too-new"
	| "state-lost"
	| "state-too-old"
	| "disk-full"
	| "run-not-found"
	| "run-not-resumable"
	| "run-held"
	| "lease-lost"
	| "task-not-found"
	| "item-not-found"
	| "answer-invalid"
	| "outdated"
	| "program-missing"
	| "preflight-refused"
	| "sandbox-missing"
	| "cassette-invalid"
	| "nothing-to-check"
	| "checkouts-lacking"
	| "nothing-to-land"
	| "remote-unsuitable"
	| "push-refused"
	| "store-unreachable"
	| "store-refused"
	| "store-outdated"
	| "remote-unreachable"
	| "verifier-unavailable";

export interface FaultOptions {
	readonly code: FaultCode;
	readonly hint?: string | undefined;
	/** True when the same call may succeed later without any change by the reader. */
	readonly retryable?: boolean;
	readonly cause?: unknown;
}

/**
 * The one error class of Sparring: something outside the program is wrong.
 *
 * The message names the object and the limit ("run 20261121-2205-k3f9 is held by host:pid 4711");
 * the hint says what to do next. Anything else that is thrown is a bug in Sparring.
 */
export class Fault extends Error {
	readonly code: FaultCode;
	readonly hint: string | undefined;
	readonly retryable: boolean;

	constructor(message: string, options: FaultOptions) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = "Fault";
		this.code = options.code;
		this.hint = options.hint;
		this.retryable = options.retryable ?? false;
	}
}
