import { expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Finding } from "../../review/finding.ts";
import { aFinding } from "../../review/finding-builder.fixture.ts";
import { turn } from "../../store/record-builders.contract.ts";
import type { Write } from "../../store/records.ts";
import type { Suite } from "../../verification/suite.ts";
import type {
	VerificationOutcome,
	VerificationRequest,
	VerificationResult,
} from "../../verification/verification.ts";
import { verificationReasonText } from "../../verification/verification-text.ts";
import { aSuite } from "../../verification/verify-with.contract.ts";
import type { TurnVerification } from "../records/turn-verification.ts";
import { eventsOf, scene, theFacts } from "../scene.contract.ts";
import { spentAccountIn } from "../seat-call.ts";
import { verify } from "./verify.ts";

const PAIR = { pair: { challenger: "eve" } } as const;
const required = theFacts({ task: { ...PAIR, requiresVerification: "true" } });
const GREEN = [evidence(), evidence({ check: "integrity", kind: "integrity" })];

const decides = (part: Partial<VerificationResult> = {}): VerificationOutcome => ({
	kind: "decided",
	result: {
		verdict: "passed",
		reasons: [{ kind: "tests_passed", count: 1 }],
		suites: [aSuite()],
		tests: [],
		failing: [],
		answers: [],
		run: "sh t.sh",
		outputPath: null,
		commit: "c2",
		...part,
	},
});
const FAILED = decides({
	verdict: "failed",
	reasons: [{ kind: "tests_failed", count: 1 }],
	failing: [{ test: "works", message: "2 is not 3" }],
});

/** A task that requires verification, with findings that its node changes, and outcomes one after another. */
function stand(
	outcomes: readonly VerificationOutcome[],
	options: {
		readonly findings?: readonly Finding[];
		readonly parts?: Parameters<typeof scene>[0];
		/** What a tie-breaker makes of a finding. */
		readonly settles?: (finding: Finding) => Finding;
	} = {},
) {
	const requests: VerificationRequest[] = [];
	const findings = new Map((options.findings ?? []).map((finding) => [finding.id, finding]));
	const all = () => Promise.resolve([...findings.values()]);
	const open = () =>
		all().then((known) =>
			known.filter(({ state }) => !["fixed", "withdrawn", "overruled"].includes(state)),
		);
	const set = scene({
		facts: required,
		...options.parts,
		read: {
			evidence: () => Promise.resolve(GREEN),
			findings: all,
			open,
			findingCount: () => Promise.resolve(findings.size),
			...options.parts?.read,
		},
		verifier: {
			verify: (request) => {
				requests.push(request);
				return Promise.resolve(outcomes[requests.length - 1] ?? decides());
			},
		},
		seats: {
			tieBreaker: (finding) => {
				set.done.push(`tie-breaker ${finding.id}`);
				findings.set(finding.id, options.settles?.(finding) ?? finding);
				return Promise.resolve();
			},
			...options.parts?.seats,
		},
	});
	const enter = (writes: readonly Write[]): void => {
		for (const write of writes)
			if (write.kind === "finding") findings.set(write.finding.id, write.finding);
	};
	const input = {
		...set.input,
		keep: (writes: readonly Write[]) => {
			enter(writes);
			set.kept.push(...writes);
			return Promise.resolve();
		},
	};
	return { input, requests, findings, done: set.done, kept: set.kept };
}

const storedIn = (writes: readonly Write[] = []): TurnVerification | undefined =>
	writes.flatMap((write) =>
		write.kind === "step" && write.key.step === "verification"
			? [write.result as TurnVerification] // What is stored under that key.
			: [],
	)[0];

const phasesIn = (writes: readonly Write[] = []) =>
	writes.flatMap((write) =>
		write.kind === "task" && write.patch.phase ? [write.patch.phase] : [],
	);

test.each([
	["nothing asks for it", theFacts({ task: PAIR }), false, "not required"],
	[
		"the file declines it",
		theFacts({ task: { ...PAIR, requiresVerification: "false", verificationReason: "docs" } }),
		false,
		"requires_verification is false: docs",
	],
	[
		"nobody can write tests",
		theFacts({ task: { requiresVerification: "auto", contextFiles: ["src/api/users.ts"] } }),
		true,
		"no verifier",
	],
	[
		"it is waived",
		theFacts({
			task: { ...PAIR, requiresVerification: "true" },
			workflow: { waive: { verification: "a spike" } },
		}),
		true,
		"waived: a spike",
	],
	[
		"a formal review changes nothing",
		theFacts({ task: { formalReview: true } }),
		false,
		"a formal review",
	],
] as const)("it is skipped where %s, and says so", async (_why, facts, isRequired, reason) => {
	const { input, requests } = stand([], { parts: { facts } });
	const { update, writes, passedThrough } = await verify(input);
	expect(update).toEqual({ next: "go" });
	expect(requests).toEqual([]);
	expect(passedThrough).toContain(`skipped: ${reason}`);
	expect(phasesIn(writes)).toEqual(["verification_skipped"]);
	expect(storedIn(writes)).toMatchObject({ verdict: "skipped", required: isRequired });
	expect(storedIn(writes)?.reasons.map(verificationReasonText)[0]).toContain(reason);
});

test("what the diff touches can require it, where the paths say nothing", async () => {
	const changed = { path: "src/a.js", kind: "modified" } as const;
	const { input, requests } = stand([decides()], {
		parts: {
			facts: theFacts({ task: PAIR }),
			commits: {
				changes: () =>
					Promise.resolve([
						{ ...changed, oldMode: "100644", newMode: "100644", oldOid: "1", newOid: "2" },
					]),
				texts: () =>
					Promise.resolve([
						{ path: "src/a.js", before: "", after: 'app.get("/users", list);\n', isRead: true },
					]),
			},
		},
	});
	await verify(input);
	expect(requests).toMatchObject([{ verifier: "eve", base: "c0", commit: "c2" }]);
});

test("tests are not written for work whose own checks fail", async () => {
	const red = () => Promise.resolve([evidence({ status: "fail", reason: "1 failed" })]);
	const { input, requests } = stand([], { parts: { read: { evidence: red } } });
	const result = await verify(input);
	expect(requests).toEqual([]);
	expect(result).toMatchObject({ update: { next: "go" } });
	expect(result.passedThrough).toContain("the structure did not pass");
	expect(storedIn(result.writes)).toBeUndefined();
});

test("work that passes goes to the coach, through all phases, and its findings about tests are closed", async () => {
	const finding = aFinding({ id: "F1", source: "verification", test: "works" });
	const { input, kept, findings } = stand([decides()], { findings: [finding] });
	const { update, writes } = await verify(input);
	expect(update).toEqual({ next: "go" });
	expect(phasesIn([...kept, ...(writes ?? [])])).toEqual([
		"verifying",
		"verifying_dispatched",
		"verified",
	]);
	expect(findings.get("F1")).toMatchObject({ state: "fixed", changedTurn: 2 });
	expect(storedIn(writes)).toMatchObject({ verdict: "passed", required: true, attempts: 0 });
});

test("work that fails goes back without a coach, each failed test a finding", async () => {
	const { input, findings } = stand([FAILED]);
	const { update, writes } = await verify(input);
	expect(update).toEqual({ next: "feedback" });
	expect(findings.get("F1")).toMatchObject({
		issue: "Integration tests failed: works\n2 is not 3",
		severity: "major",
		source: "verification",
		test: "works",
	});
	expect(phasesIn(writes)).toEqual(["verification_failed"]);
	expect(storedIn(writes)).toMatchObject({ verdict: "failed", attempts: 1 });
	expect(eventsOf(writes)).toEqual(["verification-decided", "turn-routed"]);
});

test("at the last turn a person is asked in place of the player", async () => {
	const { input } = stand([FAILED], { parts: { state: { turn: 5, bound: 5 } } });
	expect((await verify(input)).update).toMatchObject({
		next: "max_turns",
		trigger: "loop_exhausted",
	});
});

test("after the last attempt a person is asked, and a turn that was not verified is none", async () => {
	const verdicts: Readonly<Record<number, "failed" | null>> = { 1: "failed", 2: null, 3: "failed" };
	const parts = {
		state: { turn: 4 },
		read: {
			turns: () => Promise.resolve([4, 3, 2, 1].map((number) => turn({ turn: number }))),
			verification: (number: number) => {
				const verdict = verdicts[number] ?? null;
				const stored = storedFailure();
				return Promise.resolve(verdict === null ? null : stored);
			},
		},
	};
	const { input } = stand([FAILED], { parts });
	const { update, writes } = await verify(input);
	expect(update).toMatchObject({
		next: "halt",
		trigger: "verification",
		reason: { kind: "verification_exhausted", attempts: 3 },
	});
	expect(storedIn(writes)).toMatchObject({ attempts: 3 });
});

const storedFailure = (): TurnVerification => ({
	verdict: "failed",
	required: true,
	reasons: [],
	tests: [],
	failing: [],
	run: null,
	outputPath: null,
	commit: "c1",
	attempts: 1,
});

test("an account that a verifier elsewhere found spent stops the task as one that is spent here", async () => {
	const spent = { agent: "eve", resetsAt: null, said: "no more", fails: false };
	const { input } = stand([{ kind: "account_spent", ...spent }]);
	const error: unknown = await verify(input).catch((caught: unknown) => caught);
	expect(spentAccountIn(error)).toEqual({ kind: "quota_spent", ...spent });
});

test("a person's answer begins a new count", async () => {
	const parts = {
		state: { turn: 4 },
		read: {
			turns: () =>
				Promise.resolve([turn({ turn: 4 }), turn({ turn: 3, restarted: true }), turn({ turn: 2 })]),
			verification: () => Promise.resolve(storedFailure()),
		},
	};
	const { input } = stand([FAILED], { parts });
	expect((await verify(input)).update).toEqual({ next: "feedback" });
});

const DISPUTED = aFinding({
	id: "F1",
	source: "verification",
	test: "works",
	state: "disputed",
	dispute: { reason: "it need not", evidence: "the spec", turn: 2 },
});
const upheld = decides({
	...(FAILED.kind === "decided" ? FAILED.result : {}),
	answers: [{ finding: "F1", status: "upheld", reason: "it must" }],
});
const overrule = (finding: Finding): Finding => ({
	...finding,
	state: "overruled",
	ruling: { by: "tie_breaker", decision: "PASS", rationale: "it need not", turn: 2 },
});

test("an upheld dispute goes to the tie-breaker; PASS withdraws the test, and the rest runs again", async () => {
	const { input, requests, done } = stand([upheld, decides()], {
		findings: [DISPUTED],
		settles: overrule,
	});
	expect((await verify(input)).update).toEqual({ next: "go" });
	expect(done).toContain("tie-breaker F1");
	expect(requests[0]?.disputes).toEqual([
		{ finding: "F1", test: "works", reason: "it need not", evidence: "the spec" },
	]);
	expect(requests[1]).toMatchObject({
		disputes: [],
		withdrawn: [{ test: "works", why: "it need not" }],
	});
});

test("a dispute that the verifier gives in to closes its finding without a tie-breaker", async () => {
	const withdrawn = decides({ answers: [{ finding: "F1", status: "withdrawn", reason: "oh" }] });
	const { input, findings, done, kept } = stand([withdrawn], { findings: [DISPUTED] });
	expect((await verify(input)).update).toEqual({ next: "go" });
	expect(findings.get("F1")).toMatchObject({ state: "withdrawn" });
	expect(done.filter((name) => name.startsWith("tie-breaker"))).toEqual([]);
	expect(JSON.stringify(kept)).toContain(
		'"argument":{"by":"verifier","text":"oh","evidence":null}',
	);
});

test("a dispute that only a person can settle asks one", async () => {
	const waiting = {
		conflictId: "k1",
		threadId: "t",
		taskId: "limiter",
		developerVerdict: "PASS",
		reviewerVerdict: "FAIL",
		resolution: "ESCALATE",
		tieBreakerDecision: null,
		rationale: null,
		escalationReason: "the tie-breaker contradicts itself",
		attemptCount: 1,
		resolvedAt: "1970-01-01T00:00:00.000Z",
		finding: "F1",
		turn: 2,
		disputeTurn: 2,
		tieBreaker: null,
	} as const;
	const { input } = stand([upheld], {
		findings: [DISPUTED],
		parts: { read: { conflicts: () => Promise.resolve([waiting]) } },
	});
	const { update, writes } = await verify(input);
	expect(update).toMatchObject({
		next: "halt",
		trigger: "verification",
		reason: { kind: "tests_disputed", findings: ["F1"] },
	});
	expect(writes).toContainEqual(expect.objectContaining({ kind: "conflict-paused" }));
});

test.each([
	[{ kind: "unpaid", why: "spent" }, "budget"],
	[{ kind: "role_failed", agent: "eve", why: "timeout" }, "role_error"],
	[{ kind: "spoilt", why: "npm failed" }, "environment"],
	[
		decides({
			verdict: "inconclusive",
			reasons: [{ kind: "suite", problem: { kind: "no_tests" } }],
		}),
		"role_error",
	],
] as const)("what keeps tests from being written stops the task: %j", async (outcome, trigger) => {
	const { input } = stand([outcome]);
	const { update, writes } = await verify(input);
	expect(update).toMatchObject({ next: "halt", trigger });
	const isRole = trigger === "role_error";
	expect((writes ?? []).some((write) => write.kind === "item-consumed")).toBe(isRole);
});

test("tests that exist are handed on, with the key of what they are written for", async () => {
	const suites = [aSuite()];
	const parts = { read: { suites: () => Promise.resolve(suites) } };
	const { input, requests } = stand([decides(), decides()], { parts });
	await verify(input);
	await verify({
		...input,
		facts: { ...input.facts, task: { ...input.facts.task, description: "New." } },
	});
	expect(requests[0]?.suites).toEqual(suites);
	expect(requests[0]?.spec).not.toBe(requests[1]?.spec);
});

const auto = theFacts({
	task: { ...PAIR, requiresVerification: "auto", contextFiles: ["src/api/users.ts"] },
});

test.each([
	[{ kind: "role_failed", agent: "eve", why: "timeout" }, "no working verifier: timeout"],
	[
		decides({
			verdict: "inconclusive",
			reasons: [{ kind: "suite", problem: { kind: "no_tests" } }],
		}),
		"no working verifier: its command ran no test",
	],
] as const)(
	"where auto asks for tests and none can be had, the task goes on without: %j",
	async (outcome, reason) => {
		const { input } = stand([outcome], { parts: { facts: auto } });
		const { update, writes } = await verify(input);
		expect(update).toEqual({ next: "go" });
		expect(storedIn(writes)).toMatchObject({ verdict: "skipped", required: true });
		expect(storedIn(writes)?.reasons.map(verificationReasonText)[0]).toBe(reason);
		expect((writes ?? []).some((write) => write.kind === "item-consumed")).toBe(true);
	},
);

test("where tests of it fail already, a verifier that fails is no missing one", async () => {
	const finding = aFinding({ id: "F1", source: "verification", test: "works", state: "disputed" });
	const failed = { kind: "role_failed", agent: "eve", why: "timeout" } as const;
	const { input } = stand([failed], { parts: { facts: auto }, findings: [finding] });
	expect((await verify(input)).update).toMatchObject({ next: "halt", trigger: "role_error" });
});

test("where it wrote tests for an earlier part, a verifier that fails is no missing one", async () => {
	const failed = { kind: "role_failed", agent: "eve", why: "timeout" } as const;
	const after = async (suite: Suite) => {
		const read = { suites: () => Promise.resolve([suite]) };
		return (await verify(stand([failed], { parts: { facts: auto, read } }).input)).update;
	};
	expect(await after(aSuite())).toMatchObject({ next: "halt", trigger: "role_error" });
	expect(await after(aSuite({ isSpent: true }))).toEqual({ next: "go" });
});
