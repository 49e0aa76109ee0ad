import { describe, expect, test } from "vitest";
import { spread, thorough } from "../../test/support/amount.ts";
import type {
	VerificationOutcome,
	VerificationRequest,
	VerificationResult,
	Verifier,
} from "./verification.ts";

/** What the agent behind a verifier does in one call: files that it leaves, and its report; null: the call fails. */
export type AuthorStep = {
	readonly files: Readonly<Record<string, string>>;
	readonly report: unknown;
} | null;

/** What is verified, and what the agent does call by call; after the last step it does the last one again. */
export interface VerifierScript {
	readonly base: Readonly<Record<string, string>>;
	readonly work: Readonly<Record<string, string>>;
	readonly steps: readonly AuthorStep[];
}

/** A verifier with the request for its work. */
export interface VerifierStand {
	readonly request: VerificationRequest;
	/** A verifier as another process has it in a turn, by default 1: over the same records, knowing nothing else. */
	readonly open: (turn?: number) => Verifier;
	/** Calls of the agent so far. */
	readonly calls: () => number;
}

const PATH = "test/limit.sh";
const RUN = `sh ${PATH}`;

/** A test of one case, as a script that prints TAP. */
export const tapTest = (name: string, condition: string): string =>
	`echo 'TAP version 13'; echo 1..1\nif ${condition}; then echo 'ok 1 - ${name}'; else echo 'not ok 1 - ${name}'; exit 1; fi\n`;

const THREE = tapTest("allows three", '[ "$(sh limit.sh)" = 3 ]');
const writes = (text: string, more: Readonly<Record<string, string>> = {}): AuthorStep => ({
	files: { [PATH]: text, ...more },
	report: { run: RUN, tests_written: [PATH] },
});

/** Reasons for which no suite is left, with what the verifier calls each. */
const NO_SUITES = [
	["nothing is written", { files: {}, report: { run: "true" } }, "empty"],
	["they pass whatever the work does", writes(tapTest("is", "true")), "vacuous"],
	["no test runs", writes("echo 'TAP version 13'; echo 1..0\n"), "no_tests"],
	["they change the product", writes(`echo '# seen' >> limit.sh\n${THREE}`), "touched"],
] as const;

const PRODUCT = { base: { "limit.sh": "echo 0\n" }, work: { "limit.sh": "echo 3\n" } };

const resultOf = (outcome: VerificationOutcome): VerificationResult => {
	if (outcome.kind !== "decided") throw new Error(JSON.stringify(outcome));
	return outcome.result;
};

/**
 * What every verifier keeps to, wherever it runs.
 *
 * @param make sets up a repository with the work, and an agent that plays the script
 */
export function describeVerifierContract(
	name: string,
	make: (script: VerifierScript) => Promise<VerifierStand>,
): void {
	describe(`${name} is a verifier`, () => {
		test("work that meets the tests passes, and result and request are plain data", async () => {
			const { open, request, calls } = await make({ ...PRODUCT, steps: [writes(THREE)] });
			const outcome = await open().verify(structuredClone(request));
			expect(resultOf(outcome)).toMatchObject({
				verdict: "passed",
				commit: request.commit,
				run: RUN,
				tests: [{ path: PATH, name: "allows three", status: "passed" }],
				suites: [{ files: [PATH], proof: { kind: "fails_on_base", test: "allows three" } }],
			});
			expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
			expect(calls()).toBe(1);
		});

		thorough("the same request asks nobody again, also in another process", async () => {
			const { open, request, calls } = await make({ ...PRODUCT, steps: [writes(THREE)] });
			const first = await open().verify(request);
			expect(await open().verify(request)).toEqual(first);
			expect(calls()).toBe(1);
		});

		test("tests that exist are run, and nobody is asked", async () => {
			const { open, request, calls } = await make({ ...PRODUCT, steps: [writes(THREE)] });
			const { suites } = resultOf(await open().verify(request));
			const again = resultOf(await open().verify({ ...request, suites, commit: request.base }));
			expect(again).toMatchObject({
				verdict: "failed",
				failing: [{ test: "allows three" }],
				suites,
			});
			expect(calls()).toBe(1);
		});

		test("work that does not meet them fails, with what the test said", async () => {
			const work = { "limit.sh": "echo 2\n" };
			const { open, request } = await make({ ...PRODUCT, work, steps: [writes(THREE)] });
			expect(resultOf(await open().verify(request))).toMatchObject({
				verdict: "failed",
				failing: [{ test: "allows three" }],
			});
		});

		thorough(
			"only new files under test paths are taken: the product that runs is the player's",
			async () => {
				const step = writes(THREE, { "limit.sh": "echo 3\n", "extra.sh": "echo 3\n" });
				const work = { "limit.sh": "echo 2\n" };
				const { open, request } = await make({ ...PRODUCT, work, steps: [step] });
				const result = resultOf(await open().verify(request));
				expect(result).toMatchObject({ verdict: "failed", suites: [{ files: [PATH] }] });
			},
		);

		thorough("tests for a new file count when a mutant of it dies", async () => {
			const work = { "limit.sh": "echo 0\n", "new.sh": "answer=1\nanswer=3\necho $answer\n" };
			const step = writes(tapTest("answers", '[ "$(sh ./new.sh)" = 3 ]'));
			const { open, request } = await make({ ...PRODUCT, work, steps: [step] });
			expect(resultOf(await open().verify(request)).suites).toMatchObject([
				{ proof: { test: "answers" } },
			]);
		});

		test.each(spread(NO_SUITES, 1))(
			"where %s it is asked once more, and then it is inconclusive",
			async (_why, step, kind) => {
				const { open, request, calls } = await make({ ...PRODUCT, steps: [step] });
				const outcome = await open().verify(request);
				expect(resultOf(outcome)).toMatchObject({
					verdict: "inconclusive",
					reasons: [{ kind: "suite", problem: { kind } }],
					suites: [],
				});
				expect(calls()).toBe(2);
				expect(await open().verify(request)).toEqual(outcome);
				expect(calls()).toBe(2);
			},
		);

		thorough("a second try that is good counts", async () => {
			const steps = [writes(tapTest("is", "true")), writes(THREE)];
			const { open, request, calls } = await make({ ...PRODUCT, steps });
			expect(resultOf(await open().verify(request)).verdict).toBe("passed");
			expect(calls()).toBe(2);
		});

		thorough(
			"a report that cannot be read is asked for once more, and the files stay",
			async () => {
				const steps = [
					{ files: { [PATH]: THREE }, report: "no" },
					{ files: {}, report: { run: RUN } },
				];
				const { open, request } = await make({ ...PRODUCT, steps });
				expect(resultOf(await open().verify(request)).verdict).toBe("passed");
			},
		);

		test("an author that gives no answer is a failure of its role", async () => {
			const { open, request } = await make({ ...PRODUCT, steps: [null] });
			expect(await open().verify(request)).toMatchObject({ kind: "role_failed", agent: "eve" });
		});

		thorough(
			"a dispute that its author gives in to withdraws the test, one that it upholds does not",
			async () => {
				const wrong = tapTest("answers four", '[ "$(sh limit.sh)" = 4 ]');
				const answer = (status: string) => ({
					files: {},
					report: { run: RUN, disputes_status: [{ id: "f1", status, reason: "so it is" }] },
				});
				const disputes = [{ finding: "F1", test: "answers four", reason: "no", evidence: null }];
				for (const status of ["upheld", "withdrawn"]) {
					const steps = [writes(wrong), answer(status), writes(THREE)];
					const { open, request } = await make({ ...PRODUCT, steps });
					const { suites } = resultOf(await open().verify(request));
					const later = { ...request, turn: 2, suites, disputes };
					const result = resultOf(await open(2).verify(later));
					expect(result.answers).toEqual([{ finding: "F1", status, reason: "so it is" }]);
					// Nothing else was left of the tests that were withdrawn.
					expect(result.verdict).toBe(status === "upheld" ? "failed" : "passed");
				}
			},
		);
	});
}
