import type { TestCase } from "../evidence/evidence.ts";
import { type RunProblem, type TestRun, titleOf } from "./test-run.ts";

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
	/** Proof that it may block; null before there is one. */
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

export type Proof =
	| { readonly kind: "fails_on_base"; readonly test: string }
	| { readonly kind: "broken_by_change"; readonly test: string }
	/** It was loaded on the commit and fails there; the start commit cannot load it. */
	| { readonly kind: "fails_on_commit"; readonly test: string }
	| { readonly kind: "kills_mutant"; readonly test: string; readonly mutant: string }
	| { readonly kind: "product_unchanged" };

export type SuiteProblem =
	| { readonly kind: "empty"; readonly left: readonly LeftFile[] }
	| { readonly kind: RunProblem }
	| { readonly kind: "vacuous"; readonly mutants: number };

/** A file that was not taken from a verifier's checkout, and why. */
export interface LeftFile {
	readonly path: string;
	readonly why: "outside_test_paths" | "not_new" | "no_plain_file" | "name_taken" | "ignored";
}

export type Admission =
	| { readonly kind: "valid"; readonly proof: Proof }
	| { readonly kind: "invalid"; readonly problem: SuiteProblem }
	| { readonly kind: "undecided" };

const failed = ({ cases }: TestRun): TestCase[] =>
	cases.filter(({ status }) => status === "failed");

function statusIn({ cases, namesPassed }: TestRun, id: string): TestCase["status"] | null {
	const found =
		cases.find((each) => each.id === id) ?? cases.find((each) => titleOf(each.id) === titleOf(id));
	return found?.status ?? (namesPassed ? null : "passed");
}

const realFailures = (run: TestRun): TestCase[] =>
	run.status === "fail" ? failed(run).filter(({ id }) => !run.notLoaded.includes(id)) : [];

const isWhole = (run: TestRun, elsewhere: TestRun): boolean =>
	run.ran === null && elsewhere.ran !== null;

export function faultOn(head: TestRun): SuiteProblem | null {
	// Whether the tests or the product hang, the start commit tells.
	if (head.status !== "none" || head.problem === "stopped") return null;
	return { kind: head.problem ?? "unclear" };
}

// A case that fails on the start commit counts if it could be loaded there and ran on the commit, too. One that
// passed there and fails now tells the change apart as well, and so does one that fails now and cannot be loaded
// there. Tests that hang on the commit alone tell it by hanging.
export function admit(head: TestRun, base: TestRun): Admission {
	if (head.status === "none")
		return base.status === "none"
			? { kind: "invalid", problem: { kind: "stopped" } }
			: valid({ kind: "broken_by_change", test: head.cases[0]?.id ?? "" });
	const onBase = realFailures(base).find(
		({ id }) => statusIn(head, id) !== null || isWhole(base, head),
	);
	if (onBase !== undefined) return valid({ kind: "fails_on_base", test: onBase.id });
	const broken =
		base.status === "none"
			? undefined
			: realFailures(head).find(({ id }) => statusIn(base, id) === "passed");
	if (broken !== undefined) return valid({ kind: "broken_by_change", test: broken.id });
	// What fails is not vacuous; no mutant of work that fails can tell more.
	const [here] = realFailures(head);
	if (here !== undefined) return valid({ kind: "fails_on_commit", test: here.id });
	return { kind: "undecided" };
}

export function killedBy(head: TestRun, run: TestRun, mutant: string): Proof | null {
	const killed = realFailures(run).find(
		({ id }) => statusIn(head, id) === "passed" || (head.status === "pass" && isWhole(run, head)),
	);
	return killed === undefined ? null : { kind: "kills_mutant", test: killed.id, mutant };
}

const valid = (proof: Proof): Admission => ({ kind: "valid", proof });
