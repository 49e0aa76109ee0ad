import { assertNever } from "../kernel/assert-never.ts";
import { causeText } from "./cause.ts";
import type { LeftFile, Proof, SuiteProblem } from "./suite.ts";
import type { FailingTest, VerificationReason, VerificationResult } from "./verification.ts";

const PROBLEMS: Readonly<Record<Exclude<SuiteProblem["kind"], "empty" | "vacuous">, string>> = {
	stopped: "its tests do not end, on the start commit either",
	not_started: "the command of its tests could not be started",
	setup: "the setup failed, so its tests could not run",
	no_tests: "its command ran no test",
	not_loaded: "its tests cannot be loaded on the commit that they were written for",
	network: "its tests need the network",
	touched: "its tests change files of the product",
	unclear: "the output of its tests contradicts itself",
};

const LEFT: Readonly<Record<LeftFile["why"], string>> = {
	outside_test_paths: "not under a test path",
	not_new: "not a new file",
	no_plain_file: "not a plain file",
	name_taken: "tests of an earlier subtask have this name",
	ignored: "ignored by git",
};

const NAMED = 5;

/** Fault of a verifier's tests, for the verifier and for people. */
export function suiteProblemText(problem: SuiteProblem): string {
	if (problem.kind === "vacuous")
		return `its tests pass whatever the change does: none fails on the start commit, and none of ${problem.mutants} mutants of the change dies`;
	if (problem.kind !== "empty") return PROBLEMS[problem.kind];
	const left = problem.left.slice(0, NAMED).map(({ path, why }) => `${path} (${LEFT[why]})`);
	return left.length === 0
		? "it wrote no new test file"
		: `it wrote no new test file under a test path; not taken: ${left.join(", ")}`;
}

function proofText(proof: Proof): string {
	switch (proof.kind) {
		case "fails_on_base":
			return `the tests tell the change apart: ${proof.test} fails on the start commit`;
		case "broken_by_change":
			return `the tests tell the change apart: ${proof.test} did not fail on the start commit`;
		case "fails_on_commit":
			return `the tests can fail: ${proof.test} fails on the work, and cannot be loaded on the start commit`;
		case "kills_mutant":
			return `the tests tell the change apart: ${proof.test} fails without ${proof.mutant}`;
		case "product_unchanged":
			return "the change touches tests and texts only, so the product does what it did";
		default:
			return assertNever(proof);
	}
}

/** A reason of a verdict as people and programs read it: `{ kind: "no_verifier" }` is `no verifier`. */
export function verificationReasonText(reason: VerificationReason): string {
	switch (reason.kind) {
		case "not_required":
			return "not required: nothing that the task touches asks for it";
		case "no_verifier":
			return "no verifier";
		case "nothing_left":
			return "nothing is left to test: the tests were withdrawn, and their author has no others";
		case "verifier_failed":
			return `no working verifier: ${reason.why}`;
		case "unverified":
			return `a person went on without independent tests${beside(reason.why)}`;
		case "formal_review":
			return "a formal review changes nothing";
		case "declined":
			return `requires_verification is false${beside(reason.said)}`;
		case "demanded":
			return `requires_verification is true${beside(reason.said)}`;
		case "waived":
			return `waived: ${reason.why}`;
		case "cause":
			return causeText(reason.cause);
		case "proof":
			return proofText(reason.proof);
		case "tests_passed":
			return `${reason.count} ${reason.count === 1 ? "test" : "tests"} passed`;
		case "tests_failed":
			return `Integration tests failed: ${reason.count}`;
		case "suite":
			return suiteProblemText(reason.problem);
		default:
			return assertNever(reason);
	}
}

const beside = (said: string | null): string => (said === null ? "" : `: ${said}`);

/** Words for the player about failed tests; empty where none failed. */
export function feedbackText({ failing }: Pick<VerificationResult, "failing">): string {
	return failing.map(failureText).join("\n\n");
}

/** A failed test with what it said, on as many lines as that has. */
export function failureText({ test, message }: FailingTest): string {
	return `Integration tests failed: ${test}\n${message.trim()}`.trimEnd();
}
