import {
	type Admission,
	admit,
	faultOn,
	killedBy,
	type LeftFile,
	type Suite,
	type SuiteProblem,
	type TestStatus,
} from "./suite.ts";
import { type RunProblem, type TestRun, titleOf, wholeRun } from "./test-run.ts";
import type {
	DisputeAnswer,
	FailingTest,
	TestDispute,
	VerificationOutcome,
	VerificationReason,
	VerificationRequest,
	VerificationResult,
	Verifier,
	WithdrawnTest,
} from "./verification.ts";

/** Place of a run: the commit, the start commit, or a mutant of the change by its number, from 0. */
export type RunPlace = "commit" | "base" | { readonly mutant: number };

/** Reason why a verifier is asked for tests again. */
export type WriteProblem =
	| SuiteProblem
	| { readonly kind: "withdrawn"; readonly tests: readonly string[] };

type Unanswered = Exclude<VerificationOutcome, { readonly kind: "decided" }>;

/** Tests that a verifier wrote, or why there are none. */
export type Written =
	| { readonly kind: "tests"; readonly suite: Suite }
	| { readonly kind: "empty"; readonly left: readonly LeftFile[] }
	| Unanswered;

// The same call with the same request gives the same again after a kill.
export interface VerificationParts {
	write(request: VerificationRequest, problem: WriteProblem | null): Promise<Written>;
	answer(
		request: VerificationRequest,
		disputes: readonly TestDispute[],
	): Promise<{ readonly kind: "answers"; readonly answers: readonly DisputeAnswer[] } | Unanswered>;
	run(request: VerificationRequest, suite: Suite, place: RunPlace): Promise<TestRun>;
	change(
		request: VerificationRequest,
	): Promise<{ readonly touchesProduct: boolean; readonly mutants: readonly string[] }>;
	/** Time that all mutants may run together, in milliseconds. */
	readonly mutantsMs: number;
}

/**
 * Verification of one commit: tests are written where none exist for the specification, admitted only if they can tell the
 * change apart, and run. The rules are here; agents, checkouts and processes are behind `parts`.
 */
export function verifyWith(parts: VerificationParts): Verifier {
	return {
		verify: async (request) => {
			const { suites, spec, subtask } = request;
			const others = suites.filter((suite) => suite.subtask !== subtask);
			const known = suites.findLast((suite) => suite.subtask === subtask && suite.spec === spec);
			if (known === undefined)
				return author(parts, { ...request, suites: others }, { problem: null });
			const rerun = await judge(parts, request, [...others, known]);
			if (rerun.kind !== "void") return rerun;
			const withdrawn = [...request.withdrawn, ...rerun.withdrawn];
			const problem = {
				kind: "withdrawn",
				tests: withdrawn.map(({ test, why }) => (why === "" ? test : `${test}: ${why}`)),
			} as const;
			const again = { ...request, suites: others, withdrawn, disputes: [] };
			const rest = [...others, { ...known, isSpent: true }];
			const outcome =
				known.isSpent === true
					? await judgeRest(parts, again, rest)
					: await author(parts, again, { problem, rest });
			return withAnswers(outcome, rerun.answers);
		},
	};
}

function withAnswers(
	outcome: VerificationOutcome,
	answers: readonly DisputeAnswer[],
): VerificationOutcome {
	if (outcome.kind !== "decided") return outcome;
	return { kind: "decided", result: { ...outcome.result, answers } };
}

// `rest`, after a withdrawal: what counts if nothing is handed in, or only what was decided against.
async function author(
	parts: VerificationParts,
	request: VerificationRequest,
	why: { readonly problem: WriteProblem | null; readonly rest?: readonly Suite[] },
): Promise<VerificationOutcome> {
	const { problem, rest } = why;
	const once = await authorOnce(parts, request, problem);
	if (once.kind !== "unusable") return once;
	if (rest !== undefined && isNothing(once.problem)) return judgeRest(parts, request, rest);
	const again = await authorOnce(parts, request, once.problem);
	if (again.kind !== "unusable") return again;
	if (rest !== undefined && (again.isRepeated || isNothing(again.problem)))
		return judgeRest(parts, request, rest);
	const reasons = [{ kind: "suite", problem: again.problem } as const];
	return decided(request, { verdict: "inconclusive", reasons });
}

interface Unusable {
	readonly kind: "unusable";
	readonly problem: SuiteProblem;
	readonly isRepeated: boolean;
}

const unusable = (problem: SuiteProblem, isRepeated = false): Unusable => {
	return { kind: "unusable", problem, isRepeated };
};

/** It wrote nothing, not even in the wrong place. */
const isNothing = (problem: SuiteProblem): boolean =>
	problem.kind === "empty" && problem.left.length === 0;

async function authorOnce(
	parts: VerificationParts,
	request: VerificationRequest,
	problem: WriteProblem | null,
): Promise<VerificationOutcome | Unusable> {
	const written = await parts.write(request, problem);
	if (written.kind === "empty") return unusable(written);
	if (written.kind !== "tests") return written;
	const admitted = await admission(parts, request, written.suite);
	if (admitted.kind === "spoilt") return admitted;
	if (admitted.kind === "invalid") return unusable(admitted.problem);
	const suites = [...request.suites, { ...written.suite, proof: admitted.proof }];
	const judged = await judge(parts, request, suites);
	// Every test of it was decided against before: the verifier wrote them again.
	return judged.kind === "void" ? unusable({ kind: "no_tests" }, true) : judged;
}

type Admitted =
	| Exclude<Admission, { readonly kind: "undecided" }>
	| Extract<VerificationOutcome, { readonly kind: "spoilt" }>;

async function admission(
	parts: VerificationParts,
	request: VerificationRequest,
	suite: Suite,
): Promise<Admitted> {
	const head = await parts.run(request, suite, "commit");
	if (head.problem === "setup") return spoilt(head);
	const fault = faultOn(head);
	if (fault !== null) return { kind: "invalid", problem: fault };
	const first = admit(head, await parts.run(request, suite, "base"));
	if (first.kind !== "undecided") return first;
	const { touchesProduct, mutants } = await parts.change(request);
	if (!touchesProduct) return { kind: "valid", proof: { kind: "product_unchanged" } };
	let spent = 0;
	let tried = 0;
	for (const [index, mutant] of mutants.entries()) {
		if (spent > parts.mutantsMs) break;
		const run = await parts.run(request, suite, { mutant: index });
		const proof = killedBy(head, run, mutant);
		if (proof !== null) return { kind: "valid", proof };
		spent += run.ms;
		tried += 1;
	}
	return { kind: "invalid", problem: { kind: "vacuous", mutants: tried } };
}

const spoilt = ({ tail }: TestRun) => ({ kind: "spoilt", why: tail }) as const;

const BROKEN: Readonly<Record<RunProblem, string>> = {
	stopped: "the tests did not end in time",
	not_started: "the command of the tests could not be started any more",
	setup: "the setup failed",
	no_tests: "no test ran any more",
	not_loaded: "the tests could not be loaded any more",
	network: "the tests wanted the network",
	touched: "the run changed files of the product",
	unclear: "the output contradicts itself",
};

/** Failures of one run. Admitted tests could be run before: what keeps them from it now is the product's failure. */
export function failuresOf(suite: Suite, run: TestRun): FailingTest[] {
	if (run.status === "none") {
		const why = run.problem === null ? "" : BROKEN[run.problem];
		return [{ test: wholeRun(suite.run), message: `${why}\n${run.tail}`.trim() }];
	}
	return run.cases.flatMap(({ id, status, message }) =>
		status === "failed" ? [{ test: id, message: message ?? run.tail }] : [],
	);
}

interface Void {
	readonly kind: "void";
	readonly answers: readonly DisputeAnswer[];
	readonly withdrawn: readonly WithdrawnTest[];
}

async function judgeRest(
	parts: VerificationParts,
	request: VerificationRequest,
	suites: readonly Suite[],
): Promise<VerificationOutcome> {
	const judged = await judge(parts, request, suites, true);
	if (judged.kind === "void") throw new Error("tests that may be void were judged as such");
	if (judged.kind !== "decided" || judged.result.verdict === "failed") return judged;
	const reasons: VerificationReason[] = [{ kind: "nothing_left" }];
	if (suites.length === 1)
		return { kind: "decided", result: { ...judged.result, verdict: "skipped", reasons } };
	const passed = judged.result.reasons.filter(({ kind }) => kind === "tests_passed");
	return { kind: "decided", result: { ...judged.result, reasons: [...passed, ...reasons] } };
}

async function judge(
	parts: VerificationParts,
	request: VerificationRequest,
	suites: readonly Suite[],
	mayBeVoid: boolean = false,
): Promise<VerificationOutcome | Void> {
	const runs: { readonly suite: Suite; readonly run: TestRun }[] = [];
	for (const suite of suites) {
		const run = await parts.run(request, suite, "commit");
		if (run.problem === "setup") return spoilt(run);
		runs.push({ suite, run });
	}
	const gone = new Set(request.withdrawn.map(({ test }) => test));
	const failing = runs.flatMap(({ suite, run }) => failuresOf(suite, run));
	const disputed = request.disputes.filter(
		({ test }) => !gone.has(test) && failing.some((each) => each.test === test),
	);
	const said =
		disputed.length === 0
			? { kind: "answers" as const, answers: [] }
			: await parts.answer(request, disputed);
	if (said.kind !== "answers") return said;
	const withdrawn = said.answers.flatMap(({ finding, status, reason }): WithdrawnTest[] => {
		const test = disputed.find((each) => each.finding === finding)?.test;
		return status === "withdrawn" && test !== undefined ? [{ test, why: reason }] : [];
	});
	for (const { test } of withdrawn) gone.add(test);
	const last = runs.at(-1);
	if (last === undefined || (!mayBeVoid && isVoid(last, gone)))
		return { kind: "void", answers: said.answers, withdrawn };
	const counted = failing.filter(({ test }) => !gone.has(test));
	const tests = runs.flatMap(({ suite, run }) => statusesOf(suite, run, gone));
	const { proof } = last.suite;
	const isFailed = counted.length > 0;
	const count = isFailed ? counted.length : passedIn(runs, gone);
	const reasons: VerificationReason[] = [
		{ kind: isFailed ? "tests_failed" : "tests_passed", count },
		...(proof === null ? [] : [{ kind: "proof", proof } as const]),
	];
	return decided(request, {
		verdict: isFailed ? "failed" : "passed",
		reasons,
		suites,
		tests,
		failing: counted,
		answers: said.answers,
		run: last.suite.run,
		outputPath: last.run.outputPath,
	});
}

function isVoid(
	{ suite, run }: { readonly suite: Suite; readonly run: TestRun },
	gone: ReadonlySet<string>,
): boolean {
	if (gone.size === 0) return false;
	if (run.status === "none") return gone.has(wholeRun(suite.run));
	const rest = run.cases.filter(({ id }) => !gone.has(id));
	// Where passing cases are not named, the runner's count tells whether any is left.
	const unnamed = run.namesPassed ? 0 : (run.ran ?? 0) - run.cases.length;
	return rest.length === 0 && unnamed <= 0;
}

function passedIn(runs: readonly { readonly run: TestRun }[], gone: ReadonlySet<string>): number {
	return runs.reduce((sum, { run: { cases, namesPassed, ran } }) => {
		// What is named then is what failed, or the whole run.
		if (!namesPassed && ran !== null)
			return sum + ran - cases.filter(({ status }) => status === "failed").length;
		return sum + cases.filter(({ id, status }) => status === "passed" && !gone.has(id)).length;
	}, 0);
}

function statusesOf(suite: Suite, run: TestRun, gone: ReadonlySet<string>): TestStatus[] {
	const [only = ""] = suite.files;
	return run.cases.map(({ id, status }) => ({
		path: suite.files.find((file) => id.includes(file)) ?? only,
		name: titleOf(id),
		status: gone.has(id) ? "withdrawn" : status,
	}));
}

function decided(
	{ commit, suites }: VerificationRequest,
	part: Pick<VerificationResult, "verdict" | "reasons"> & Partial<VerificationResult>,
): VerificationOutcome {
	const nothing = { suites, tests: [], failing: [], answers: [], run: null, outputPath: null };
	return { kind: "decided", result: { ...nothing, commit, ...part } };
}
