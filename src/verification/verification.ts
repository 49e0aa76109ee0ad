import type { AgentFailure } from "../kernel/roles.ts";
import type { SpentAccount } from "../kernel/spent-account.ts";
import type { TaskBrief } from "../review/task-text.ts";
import type { VerificationCause } from "./cause.ts";
import type { Proof, Suite, SuiteProblem, TestStatus } from "./suite.ts";

/** A verifier's test that the player disputes. */
export interface TestDispute {
	/** Id of the finding about it. */
	readonly finding: string;
	readonly test: string;
	readonly reason: string;
	readonly evidence: string | null;
}

export interface DisputeAnswer {
	readonly finding: string;
	readonly status: "withdrawn" | "upheld";
	readonly reason: string;
}

/** A test that counts no more: its author withdrew it, or a tie-breaker or person decided against it. */
export interface WithdrawnTest {
	readonly test: string;
	readonly why: string;
}

/** A request to verify one commit. Plain data: it can be sent to another process. */
export interface VerificationRequest {
	readonly run: string;
	readonly task: Omit<TaskBrief, "contextFiles">;
	readonly subtask: string | null;
	/** From 1. */
	readonly turn: number;
	/** Commit that the task began on. */
	readonly base: string;
	/** The frozen commit to verify. */
	readonly commit: string;
	/** Name of the agent that writes the tests. */
	readonly verifier: string;
	/** Key of the specification; tests with another one are not asked again to be the current ones. */
	readonly spec: string;
	/** A person's directive since, as part of the specification; null for nothing. */
	readonly directive: string | null;
	/** Tests of the task that exist already, oldest first. */
	readonly suites: readonly Suite[];
	readonly withdrawn: readonly WithdrawnTest[];
	readonly disputes: readonly TestDispute[];
}

/** A test that failed, with what it said. */
export interface FailingTest {
	readonly test: string;
	readonly message: string;
}

/** Reason of a verdict. A value; its sentence is made where it is shown. */
export type VerificationReason =
	| { readonly kind: "not_required" | "no_verifier" | "formal_review" }
	/** Its author withdrew the tests, or they were decided against, and it has nothing else to test. */
	| { readonly kind: "nothing_left" }
	/** `auto` asked for tests, and the verifier that is there gave none. */
	| { readonly kind: "verifier_failed"; readonly why: string }
	/** A person went on without independent tests, perhaps with words. */
	| { readonly kind: "unverified"; readonly why: string | null }
	/** A person or the planner said so in the file, perhaps with words. */
	| { readonly kind: "declined" | "demanded"; readonly said: string | null }
	| { readonly kind: "waived"; readonly why: string }
	| { readonly kind: "cause"; readonly cause: VerificationCause }
	| { readonly kind: "proof"; readonly proof: Proof }
	| { readonly kind: "tests_passed" | "tests_failed"; readonly count: number }
	| { readonly kind: "suite"; readonly problem: SuiteProblem };

/** Result of the verification of a commit. Plain data. */
export interface VerificationResult {
	readonly verdict: "passed" | "failed" | "skipped" | "inconclusive";
	readonly reasons: readonly VerificationReason[];
	/** Tests of the task as they stand now, oldest first. */
	readonly suites: readonly Suite[];
	readonly tests: readonly TestStatus[];
	/** Tests that failed and count. */
	readonly failing: readonly FailingTest[];
	/** One for each dispute about a test that still fails. */
	readonly answers: readonly DisputeAnswer[];
	/** Command of the current tests; null where there are none. */
	readonly run: string | null;
	/** File with the output of the last run, relative to the state directory. */
	readonly outputPath: string | null;
	/** The commit that was verified. */
	readonly commit: string;
}

/** Outcome of a request: a result, or why there is none. */
export type VerificationOutcome =
	| { readonly kind: "decided"; readonly result: VerificationResult }
	/** The budget allows no further call. */
	| { readonly kind: "unpaid"; readonly why: string }
	/** The verifier gave no usable answer; no turn is charged. */
	| {
			readonly kind: "role_failed";
			readonly agent: string;
			readonly why: string;
			readonly failure?: AgentFailure | undefined;
	  }
	/** The checkout could not be set up. */
	| { readonly kind: "spoilt"; readonly why: string }
	/** The account of the verifier's agent has reached its limit, as a verifier in another process says. */
	| ({ readonly kind: "account_spent" } & SpentAccount);

/**
 * The port of independent verification. The same request again, also from another process after a kill, asks no agent again
 * that answered already, and gives the same result.
 *
 * It writes no test where tests for the specification exist. It rejects only with what is no word of a verifier: an
 * abort, a lost lease, a full disk.
 */
export interface Verifier {
	verify(request: VerificationRequest): Promise<VerificationOutcome>;
}
