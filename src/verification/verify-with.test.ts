import { expect, test } from "vitest";
import type { TestRun } from "./test-run.ts";
import type { DisputeAnswer, VerificationOutcome, VerificationRequest } from "./verification.ts";
import { verificationReasonText } from "./verification-text.ts";
import { aRequest, aRun, aSuite, noRun } from "./verify-with.contract.ts";
import { type RunPlace, verifyWith, type WriteProblem, type Written } from "./verify-with.ts";

/** What a scripted verifier does: its tests call by call, and what they say by place. */
interface Script {
	readonly writes?: readonly Written[];
	readonly runs?: Readonly<Record<string, TestRun>>;
	readonly mutants?: readonly string[];
	readonly answers?: readonly DisputeAnswer[];
	readonly mutantsMs?: number;
	readonly touchesProduct?: boolean;
}

const wrote = (id = "1-1"): Written => ({ kind: "tests", suite: aSuite({ id }) });
const placeOf = (place: RunPlace): string =>
	typeof place === "string" ? place : `mutant ${place.mutant}`;

/** Verifies with a script; what was asked of the parts, in order. */
async function verified(script: Script, request: VerificationRequest = aRequest()) {
	const asked: string[] = [];
	const problems: (WriteProblem | null)[] = [];
	const outcome = await verifyWith({
		write: (_request, problem) => {
			problems.push(problem);
			asked.push("write");
			return Promise.resolve(script.writes?.[problems.length - 1] ?? wrote(`1-${problems.length}`));
		},
		answer: (_request, disputes) => {
			asked.push(`answer ${disputes.map(({ finding }) => finding).join(" ")}`);
			return Promise.resolve({ kind: "answers", answers: script.answers ?? [] });
		},
		run: (_request, suite, place) => {
			asked.push(`run ${suite.id} ${placeOf(place)}`);
			const known = script.runs ?? {};
			const run = known[`${suite.id} ${placeOf(place)}`] ?? known[placeOf(place)];
			return Promise.resolve(run ?? aRun());
		},
		change: () =>
			Promise.resolve({
				touchesProduct: script.touchesProduct ?? true,
				mutants: script.mutants ?? [],
			}),
		mutantsMs: script.mutantsMs ?? 1_000,
	}).verify(request);
	return { outcome, asked, problems };
}

function resultOf(outcome: VerificationOutcome) {
	if (outcome.kind !== "decided") throw new Error(outcome.kind);
	return outcome.result;
}

const FAILS = aRun({ works: "2 is not 3" });

test("tests that fail without the change and pass with it verify it", async () => {
	const { outcome, asked } = await verified({ runs: { base: FAILS } });
	expect(asked).toEqual(["write", "run 1-1 commit", "run 1-1 base", "run 1-1 commit"]);
	expect(outcome).toMatchObject({
		kind: "decided",
		result: {
			verdict: "passed",
			commit: "c1",
			suites: [{ id: "1-1", proof: { kind: "fails_on_base", test: "works" } }],
			tests: [{ path: "test/t.sh", name: "works", status: "passed" }],
			failing: [],
			run: "sh t.sh",
			outputPath: "out.log",
		},
	});
});

test("a runner that names what failed by more than what passed is understood", async () => {
	const base = aRun({ "limiter › works": "2 is not 3" });
	expect(resultOf((await verified({ runs: { base } })).outcome)).toMatchObject({
		verdict: "passed",
		suites: [{ proof: { kind: "fails_on_base", test: "limiter › works" } }],
	});
});

test("tests that fail on both block: the work may not be done yet", async () => {
	const { outcome } = await verified({ runs: { base: FAILS, commit: FAILS } });
	expect(resultOf(outcome)).toMatchObject({
		verdict: "failed",
		failing: [{ test: "works", message: "2 is not 3" }],
	});
});

test("a test that passed before the change and fails with it blocks", async () => {
	const { outcome } = await verified({ runs: { commit: FAILS } });
	expect(resultOf(outcome)).toMatchObject({
		verdict: "failed",
		suites: [{ proof: { kind: "broken_by_change" } }],
	});
});

test("tests that pass everywhere have to kill a mutant; the first that dies is enough", async () => {
	const mutants = ["a.js:1", "a.js:2", "a.js:3"];
	const { outcome, asked } = await verified({ mutants, runs: { "mutant 1": FAILS } });
	expect(asked.slice(3)).toEqual(["run 1-1 mutant 0", "run 1-1 mutant 1", "run 1-1 commit"]);
	expect(resultOf(outcome)).toMatchObject({
		verdict: "passed",
		suites: [{ proof: { kind: "kills_mutant", mutant: "a.js:2" } }],
	});
});

test("vacuous tests are asked for once more with the reason, and then are the verifier's fault", async () => {
	const { outcome, problems } = await verified({ mutants: ["a.js:1"] });
	expect(problems).toEqual([null, { kind: "vacuous", mutants: 1 }]);
	expect(resultOf(outcome)).toMatchObject({ verdict: "inconclusive", suites: [], run: null });
	expect(resultOf(outcome).reasons.map(verificationReasonText)).toEqual([
		"its tests pass whatever the change does: none fails on the start commit, and none of 1 mutants of the change dies",
	]);
});

test("where nothing of the product changed, tests that pass on both commits are enough, and those that fail are not", async () => {
	const { outcome, asked } = await verified({ touchesProduct: false, mutants: ["a.js:1"] });
	expect(resultOf(outcome).verdict).toBe("passed");
	expect(resultOf(outcome).reasons.map(verificationReasonText)).toContain(
		"the change touches tests and texts only, so the product does what it did",
	);
	expect(asked).not.toContain("run 1-1 mutant 0");
	const missing = await verified({
		touchesProduct: false,
		runs: { commit: FAILS, base: FAILS },
	});
	expect(resultOf(missing.outcome).verdict).toBe("failed");
});

test("a mutant that cannot be loaded proves nothing", async () => {
	const broken = aRun({ works: "SyntaxError: Unexpected token" });
	const { outcome } = await verified({ mutants: ["a.js:1"], runs: { "mutant 0": broken } });
	expect(resultOf(outcome).verdict).toBe("inconclusive");
});

test("tests that cannot be loaded on the start commit do not fail there; a mutant has to die", async () => {
	const base = aRun(
		{ works: "Cannot find module './limit.js'" },
		{ status: "none", problem: "not_loaded" },
	);
	const alone = await verified({ runs: { base } });
	expect(resultOf(alone.outcome).verdict).toBe("inconclusive");
	const killed = await verified({ runs: { base, "mutant 0": FAILS }, mutants: ["limit.js:1"] });
	expect(resultOf(killed.outcome).verdict).toBe("passed");
});

test("work that fails tests which the start commit cannot load is not done yet", async () => {
	const base = noRun("not_loaded");
	const { outcome, asked } = await verified({ runs: { base, commit: FAILS }, mutants: ["a.js:1"] });
	expect(asked).not.toContain("run 1-1 mutant 0");
	expect(resultOf(outcome)).toMatchObject({
		verdict: "failed",
		suites: [{ proof: { kind: "fails_on_commit", test: "works" } }],
	});
});

test("mutants are bounded in time", async () => {
	const slow = aRun({ works: true }, { ms: 600 });
	const script = { runs: { "mutant 0": slow, "mutant 1": slow }, mutants: ["a", "b", "c", "d"] };
	const { problems } = await verified({ ...script, mutantsMs: 1_000 });
	expect(problems[1]).toEqual({ kind: "vacuous", mutants: 2 });
});

test.each([
	["no_tests", "its command ran no test"],
	["not_started", "could not be started"],
	["not_loaded", "cannot be loaded"],
	["network", "need the network"],
	["touched", "change files of the product"],
	["unclear", "contradicts itself"],
] as const)(
	"tests that say nothing (%s) are asked for once more, then nobody is verified",
	async (problem, text) => {
		const { outcome, asked, problems } = await verified({ runs: { commit: noRun(problem) } });
		expect(asked).toEqual(["write", "run 1-1 commit", "write", "run 1-2 commit"]);
		expect(problems).toEqual([null, { kind: problem }]);
		const { verdict, reasons } = resultOf(outcome);
		expect(verdict).toBe("inconclusive");
		expect(reasons.map(verificationReasonText)).toEqual([expect.stringContaining(text)]);
	},
);

test("tests that never end are the verifier's fault, unless they end without the change", async () => {
	const stopped = noRun("stopped");
	const everywhere = await verified({ runs: { commit: stopped, base: stopped } });
	expect(resultOf(everywhere.outcome)).toMatchObject({
		verdict: "inconclusive",
		reasons: [{ problem: { kind: "stopped" } }],
	});
	const withIt = await verified({ runs: { commit: stopped } });
	expect(resultOf(withIt.outcome)).toMatchObject({
		verdict: "failed",
		failing: [{ test: "sh t.sh", message: "the tests did not end in time" }],
	});
});

test("a second try that is good counts", async () => {
	const empty: Written = { kind: "empty", left: [{ path: "a.js", why: "outside_test_paths" }] };
	const { outcome, problems } = await verified({
		writes: [empty, wrote("1-2")],
		runs: { base: FAILS },
	});
	expect(problems[1]).toEqual(empty);
	expect(resultOf(outcome)).toMatchObject({ verdict: "passed", suites: [{ id: "1-2" }] });
});

test("what is no answer ends it, and is told as it is", async () => {
	const unpaid: Written = { kind: "unpaid", why: "no money" };
	expect((await verified({ writes: [unpaid] })).outcome).toEqual(unpaid);
	const lost: Written = { kind: "role_failed", agent: "eve", why: "timeout" };
	expect((await verified({ writes: [{ kind: "empty", left: [] }, lost] })).outcome).toEqual(lost);
	const setup = aRun({ x: "" }, { status: "none", problem: "setup", tail: "npm failed" });
	expect((await verified({ runs: { commit: setup } })).outcome).toEqual({
		kind: "spoilt",
		why: "npm failed",
	});
});

const KNOWN = aSuite({ proof: { kind: "fails_on_base", test: "works" } });

test("tests that exist run again, and nobody is asked", async () => {
	const { outcome, asked } = await verified({}, aRequest({ turn: 2, suites: [KNOWN] }));
	expect(asked).toEqual(["run 1-1 commit"]);
	expect(resultOf(outcome)).toMatchObject({ verdict: "passed", suites: [KNOWN] });
});

test.each(["stopped", "not_loaded", "no_tests", "network", "touched", "not_started"] as const)(
	"tests that ran before and say nothing now (%s) fail: the player broke them",
	async (problem) => {
		const { outcome, asked } = await verified(
			{ runs: { commit: noRun(problem) } },
			aRequest({ suites: [KNOWN] }),
		);
		expect(asked).toEqual(["run 1-1 commit"]);
		expect(resultOf(outcome).verdict).toBe("failed");
	},
);

test("another specification takes new tests, and leaves those of other subtasks in force", async () => {
	const first = aSuite({ id: "1-1", subtask: "core" });
	const stale = aSuite({ id: "2-1", subtask: "edge", spec: "old" });
	const { outcome, asked } = await verified(
		{
			writes: [{ kind: "tests", suite: aSuite({ id: "3-1", subtask: "edge" }) }],
			runs: { "3-1 base": FAILS, "1-1 commit": FAILS },
		},
		aRequest({ subtask: "edge", suites: [first, stale] }),
	);
	expect(asked).toEqual([
		"write",
		"run 3-1 commit",
		"run 3-1 base",
		"run 1-1 commit",
		"run 3-1 commit",
	]);
	expect(resultOf(outcome)).toMatchObject({ verdict: "failed", run: "sh t.sh" });
	expect(resultOf(outcome).suites.map(({ id }) => id)).toEqual(["1-1", "3-1"]);
});

const DISPUTE = { finding: "F1", test: "works", reason: "it need not", evidence: null };
const TWO = aRun({ works: "no", adds: true });

test("a dispute about a test that still fails goes to its author; withdrawn, the rest counts", async () => {
	const answers: DisputeAnswer[] = [{ finding: "F1", status: "withdrawn", reason: "true" }];
	const { outcome, asked } = await verified(
		{ answers, runs: { commit: TWO } },
		aRequest({ suites: [KNOWN], disputes: [DISPUTE] }),
	);
	expect(asked).toEqual(["run 1-1 commit", "answer F1"]);
	expect(resultOf(outcome)).toMatchObject({
		verdict: "passed",
		answers,
		reasons: [{ kind: "tests_passed", count: 1 }, { kind: "proof" }],
		tests: [
			{ name: "works", status: "withdrawn" },
			{ name: "adds", status: "passed" },
		],
	});
});

test("a dispute about a test that passes now asks nobody; an upheld one fails", async () => {
	const passes = await verified({}, aRequest({ suites: [KNOWN], disputes: [DISPUTE] }));
	expect(passes.asked).toEqual(["run 1-1 commit"]);
	const answers: DisputeAnswer[] = [{ finding: "F1", status: "upheld", reason: "the spec" }];
	const upheld = await verified(
		{ answers, runs: { commit: TWO } },
		aRequest({ suites: [KNOWN], disputes: [DISPUTE] }),
	);
	expect(resultOf(upheld.outcome)).toMatchObject({ verdict: "failed", answers });
});

test("where nothing is left after a dispute, new tests are written, told what not to write again", async () => {
	const answers: DisputeAnswer[] = [{ finding: "F1", status: "withdrawn", reason: "my mistake" }];
	const { outcome, asked, problems } = await verified(
		{
			answers,
			writes: [wrote("2-2")],
			runs: {
				"1-1 commit": FAILS,
				"2-2 commit": aRun({ adds: true }),
				"2-2 base": aRun({ adds: "no" }),
			},
		},
		aRequest({ suites: [KNOWN], disputes: [DISPUTE] }),
	);
	expect(asked.slice(0, 3)).toEqual(["run 1-1 commit", "answer F1", "write"]);
	expect(problems).toEqual([{ kind: "withdrawn", tests: ["works: my mistake"] }]);
	expect(resultOf(outcome)).toMatchObject({ verdict: "passed", answers, suites: [{ id: "2-2" }] });
});

test("a test that was decided against counts no more in later turns", async () => {
	const withdrawn = [{ test: "works", why: "the tie-breaker said so" }];
	const { outcome, asked } = await verified(
		{ runs: { commit: TWO } },
		aRequest({ suites: [KNOWN], withdrawn }),
	);
	expect(asked).toEqual(["run 1-1 commit"]);
	expect(resultOf(outcome).verdict).toBe("passed");
});

test("a runner that names only what fails leaves tests unnamed that count", async () => {
	const quiet = aRun({ works: "no" }, { namesPassed: false, ran: 3 });
	const request = aRequest({ suites: [KNOWN], withdrawn: [{ test: "works", why: "" }] });
	const { outcome } = await verified({ runs: { commit: quiet } }, request);
	expect(resultOf(outcome)).toMatchObject({
		verdict: "passed",
		reasons: [{ kind: "tests_passed", count: 2 }, { kind: "proof" }],
	});
});

test("request and outcome are plain data", async () => {
	const request = aRequest({ suites: [KNOWN], disputes: [DISPUTE] });
	expect(structuredClone(request)).toEqual(request);
	const { outcome } = await verified({ runs: { commit: FAILS } }, request);
	expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
});

const WITHDRAWN = [{ test: "works", why: "my mistake" }];
const NONE: Written = { kind: "empty", left: [] };
const LEFT: Written = { kind: "empty", left: [{ path: "a.js", why: "not_new" }] };

test.each([
	["hands in nothing", [NONE], 1],
	["hands in nothing when asked again", [LEFT, NONE], 2],
	["writes twice what was decided against", [wrote("2-1"), wrote("2-2")], 2],
] as const)(
	"after a withdrawal a verifier that %s is done: nothing is left to test",
	async (_how, writes, times) => {
		const { outcome, problems } = await verified(
			{ writes, runs: { commit: FAILS, base: FAILS } },
			aRequest({ suites: [KNOWN], withdrawn: WITHDRAWN }),
		);
		expect(problems).toHaveLength(times);
		expect(resultOf(outcome)).toMatchObject({
			verdict: "skipped",
			reasons: [{ kind: "nothing_left" }],
			suites: [{ id: "1-1", isSpent: true }],
			failing: [],
		});
	},
);

test("what has nothing left to test is not asked again, and what fails elsewhere still counts", async () => {
	const spent = { ...KNOWN, isSpent: true };
	const request = aRequest({ suites: [spent], withdrawn: WITHDRAWN });
	const alone = await verified({ runs: { commit: FAILS } }, request);
	expect(alone.problems).toEqual([]);
	expect(resultOf(alone.outcome).verdict).toBe("skipped");

	const other = aSuite({ id: "0-1", subtask: "core" });
	const both = { ...request, suites: [other, spent] };
	const passes = await verified(
		{ runs: { "1-1 commit": FAILS, "0-1 commit": aRun({ adds: true }) } },
		both,
	);
	expect(resultOf(passes.outcome)).toMatchObject({
		verdict: "passed",
		reasons: [{ kind: "tests_passed", count: 1 }, { kind: "nothing_left" }],
	});
	const fails = await verified({ runs: { commit: aRun({ works: "no", adds: "no" }) } }, both);
	expect(resultOf(fails.outcome)).toMatchObject({ verdict: "failed" });
});

test("a first answer without tests is no word that nothing is left", async () => {
	const { outcome } = await verified({ writes: [NONE, NONE] });
	expect(resultOf(outcome).verdict).toBe("inconclusive");
});
