import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { StepKey } from "../../store/records.ts";
import { aSuite } from "../../verification/verify-with.contract.ts";
import { aTestRun, eventsOf, ofKind, scene, theFacts } from "../scene.contract.ts";
import type { TurnVerification } from "../turn-verification.ts";
import { merge } from "./merge.ts";

const red = {
	ofAssembled: () =>
		Promise.resolve({
			kind: "red" as const,
			short: [evidence({ status: "fail", reason: "1 failed" })],
		}),
};

test("the commit that was checked cold is the commit that lands", async () => {
	const { input, done, kept } = scene();
	const { update, writes } = await merge(input);
	expect(update).toEqual({ next: "merged" });
	// A ref holds the commit before a record names it.
	expect(done).toEqual(["commit", "keep merge-2 m1", "assembled m1", "move c0 m1"]);
	expect(kept).toMatchObject([
		{
			kind: "step",
			key: { step: "merge-intent/1.0/0" },
			result: { tip: "c0", commit: "m1", at: 0 },
		},
		{ event: { type: "merge-forecast", data: { clean: true } } },
	]);
	expect(writes).toMatchObject([
		{ kind: "task", patch: { merged: true, mergedCommit: "m1" } },
		{ kind: "run", patch: { landedCommit: null } },
		{ kind: "score-outcome", patch: { assembled: "pass" } },
		{ event: { type: "task-merged", data: { commit: "m1" } } },
	]);
});

test("after a kill the merge that reached the branch is not made again", async () => {
	const { input, done } = scene({
		read: { step: <T>() => Promise.resolve({ tip: "c0", commit: "m0" } as T) },
		commits: { isAncestor: () => Promise.resolve(true) },
	});
	const { update, writes } = await merge(input);
	expect(update).toEqual({ next: "merged" });
	expect(done).toEqual([]);
	expect(writes?.at(-1)).toMatchObject({ event: { data: { commit: "m0" } } });
});

test("a merge commit that git removed after a kill is made again at its own time", async () => {
	const times: number[] = [];
	const { input, done } = scene({
		read: { step: <T>() => Promise.resolve({ tip: "c0", commit: "m1", at: 77 } as T) },
		commits: {
			isCommit: () => Promise.resolve(false),
			ofTask: ({ at }) => {
				times.push(at);
				return Promise.resolve("m1");
			},
		},
	});
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(times).toEqual([77]);
	expect(done).toEqual(["keep merge-2 m1", "assembled m1", "move c0 m1"]);
});

test.each([
	["squash", ["c9"]],
	["history", ["c9", "c2"]],
] as const)("%s: the commit has the tip as its first parent", async (style, parents) => {
	const made: unknown[] = [];
	const { input } = scene({
		facts: theFacts({ workflow: { merge: { into: "integration", style, message: "{title}" } } }),
		refs: { integrationTip: () => Promise.resolve("c9") },
		commits: {
			ofTask: (given) => {
				made.push(given.parents);
				return Promise.resolve("m1");
			},
		},
	});
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(made).toEqual([parents]);
});

describe("work that adds nothing to the branch", () => {
	const adds = { forecast: () => Promise.resolve({ clean: true, tree: "t-c0" } as const) };

	test("is checked and leaves no commit", async () => {
		const { input, done } = scene({ commits: adds });
		const { update, writes } = await merge(input);
		expect(update).toEqual({ next: "merged" });
		expect(done).toEqual(["assembled c0", "move c0 c0"]);
		expect(writes?.[0]).toMatchObject({
			kind: "task",
			patch: { merged: true, mergedCommit: "c0" },
		});
	});

	test("is checked after a kill too, although the branch holds its commit", async () => {
		const { input, done } = scene({
			read: { step: <T>() => Promise.resolve({ tip: "c0", commit: "c0", at: 0 } as T) },
			commits: { ...adds, isAncestor: () => Promise.resolve(true) },
		});
		expect((await merge(input)).update).toEqual({ next: "merged" });
		expect(done).toEqual(["assembled c0", "move c0 c0"]);
	});
});

test("files that both sides changed go back to the player with the branch merged in", async () => {
	const { input, done } = scene({
		refs: { integrationTip: () => Promise.resolve("c9") },
		commits: {
			forecast: () => Promise.resolve({ clean: false, tree: "t-both", conflicts: ["a.js"] }),
		},
	});
	const { update, writes } = await merge(input);
	expect(update).toEqual({ next: "feedback", start: "c9", commit: "m1", reviewed: "" });
	expect(done).toEqual(["merge", "publish turn-2-merge m1 c2", "baseline c9"]);
	expect(eventsOf(writes)).toEqual(["merge-forecast", "merge-refused"]);
	const [step] = ofKind(writes, "step");
	expect(JSON.stringify(step)).toContain("a.js");
});

test("checks that fail on the assembled tree say so to the score and to the player", async () => {
	const { input } = scene({ checks: red });
	const { update, writes } = await merge(input);
	// The branch did not move: the player's commit stays, and so does the coach's last round.
	expect(update).toEqual({ next: "feedback", start: "c0", commit: "c2" });
	expect(writes?.[0]).toMatchObject({ kind: "score-outcome", patch: { assembled: "fail" } });
});

test("at the bound a refused merge stops for a person", async () => {
	const { input } = scene({ state: { bound: 2 }, checks: red });
	expect((await merge(input)).update).toMatchObject({
		next: "max_turns",
		trigger: "loop_exhausted",
		reason: { kind: "max_turns", bound: 2, though: "not_merged" },
	});
});

test("a line that a long account has no room for is left out whole: half a secret would not be masked", async () => {
	const conflicts = [`${"x".repeat(1_930)}hunter2hunter2`];
	const { input } = scene({
		commits: { forecast: () => Promise.resolve({ clean: false, tree: "t", conflicts }) },
	});
	const { writes } = await merge(input);
	const event = writes?.find(
		(write) => write.kind === "event" && write.event.type === "merge-refused",
	);
	expect(JSON.stringify(event)).not.toContain("hunter");
});

test("a branch that moves three times is left to a person; each time is a merge of its own", async () => {
	const steps: string[] = [];
	const { input } = scene({
		refs: { moveIntegration: () => Promise.resolve(false) },
		read: {
			step: ({ step }: StepKey) => {
				steps.push(step);
				return Promise.resolve(undefined);
			},
		},
	});
	expect((await merge(input)).update).toMatchObject({
		trigger: "environment",
		reason: { kind: "branch_moved", times: 3, task: "limiter" },
	});
	expect(steps).toEqual(["merge-intent/1.0/0", "merge-intent/1.0/1", "merge-intent/1.0/2"]);
});

test("checks that the environment spoils are no fault of the work", async () => {
	const spoilt = [evidence({ status: "error", reason: "no npm" })];
	const checks = { ofAssembled: () => Promise.resolve({ kind: "spoilt" as const, spoilt }) };
	expect((await merge(scene({ checks }).input)).update).toMatchObject({
		trigger: "environment",
		reason: { kind: "checks_spoilt", of: "assembled" },
	});
});

test.each([
	[{ task: { formalReview: true } }, "a formal review has nothing to merge"],
	[{ workflow: { merge: { into: "none", style: "squash", message: "" } } }, "merge.into is none"],
	[{ workflow: { checks: [] } }, "unchecked"],
] as const)("%o merges nothing", async (part, why) => {
	const { input, done } = scene({ facts: theFacts(part) });
	const { update, passedThrough } = await merge(input);
	expect(update).toEqual({ next: "merged" });
	expect(passedThrough).toContain(why);
	expect(done).toEqual([]);
});

const SUITES = [
	aSuite({ id: "1-1", files: ["test/a.sh"] }),
	aSuite({ id: "2-1", files: ["test/b.sh", "test/c.sh"] }),
];
const passedTests = (tests: TurnVerification["tests"] = []): TurnVerification => ({
	verdict: "passed",
	required: true,
	reasons: [],
	tests,
	failing: [],
	run: "sh t.sh",
	outputPath: null,
	commit: "c2",
	attempts: 0,
});

/** A merge of work that a verifier's tests passed; what of the tests was put in. */
function withTests(
	verification: TurnVerification | null,
	parts: NonNullable<Parameters<typeof scene>[0]> = {},
) {
	const wanted: string[] = [];
	const set = scene({
		...parts,
		read: {
			verification: () => Promise.resolve(verification),
			suites: () => Promise.resolve(SUITES),
			...parts.read,
		},
		commits: {
			withTests: ({ isWanted }) => {
				wanted.push(...SUITES.flatMap(({ files }) => files).filter(isWanted));
				return Promise.resolve("v2");
			},
			forecast: (ours, theirs) => {
				set.done.push(`forecast ${ours} ${theirs}`);
				return Promise.resolve({ clean: true, tree: "t-merged" });
			},
			...parts.commits,
		},
	});
	return { ...set, wanted };
}

test("tests that the work passed land with it, and run again on the assembled tree", async () => {
	const { input, done, wanted } = withTests(passedTests());
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(wanted).toEqual(["test/a.sh", "test/b.sh", "test/c.sh"]);
	expect(done).toEqual([
		"forecast c0 v2",
		"commit",
		"keep merge-2 m1",
		"assembled m1",
		"tests of assembled m1",
		"tests of assembled m1",
		"move c0 m1",
	]);
});

test.each([
	["alone where another file is its own", "test/b.sh", "test/b.sh", ["test/a.sh", "test/c.sh"]],
	["and so does the one that names it", "test/b.sh", "test/c.sh", ["test/a.sh"]],
])("a file with a test that counts no more stays out, %s", async (_how, path, spelled, landed) => {
	const tests = [{ path, name: "adds", status: "withdrawn" }] as const;
	const { input, wanted } = withTests(passedTests(tests), {
		commits: { textAt: (_commit, of) => Promise.resolve(of === spelled ? "test adds" : "test") },
	});
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(wanted).toEqual(landed);
});

test("a suite stays out in which no file spells the test that counts no more; its failure on the assembled tree counts no more", async () => {
	const tests = [{ path: "test/b.sh", name: "adds", status: "withdrawn" }] as const;
	const run = aTestRun({
		status: "fail",
		cases: [{ id: "b.sh > adds", status: "failed", message: "no" }],
	});
	const { input, wanted } = withTests(passedTests(tests), {
		checks: { testsOfAssembled: () => Promise.resolve(run) },
	});
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(wanted).toEqual(["test/a.sh"]);
});

test("tests that fail on the assembled tree send the work back, with what they said and without them", async () => {
	const run = aTestRun({
		status: "fail",
		cases: [{ id: "adds", status: "failed", message: "1 is not 2" }],
	});
	const forecasts: string[] = [];
	const { input } = withTests(passedTests(), {
		refs: { integrationTip: () => Promise.resolve("c9") },
		checks: { testsOfAssembled: () => Promise.resolve(run) },
		commits: {
			forecast: (_ours, theirs) => {
				forecasts.push(theirs);
				return Promise.resolve({ clean: true, tree: `t-${theirs}` });
			},
		},
	});
	const { update, writes } = await merge(input);
	expect(update).toMatchObject({ next: "feedback" });
	// What the player goes on with is merged from its own commit.
	expect(forecasts).toEqual(["v2", "c2"]);
	expect(JSON.stringify(writes)).toContain("Integration tests failed: adds");
});

test("work that was not verified merges as it is", async () => {
	for (const verification of [null, { ...passedTests(), verdict: "skipped" as const }]) {
		const { input, done } = withTests(verification);
		await merge(input);
		expect(done).toEqual([
			"forecast c0 c2",
			"commit",
			"keep merge-2 m1",
			"assembled m1",
			"move c0 m1",
		]);
	}
});
