import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { MergeQueue } from "../../merge/merge-queue.ts";
import type { SuspicionAnswer } from "../../review/suspicion-answers.ts";
import { run } from "../../store/record-builders.contract.ts";
import type { StepKey } from "../../store/records.ts";
import { aSuite } from "../../verification/verify-with.contract.ts";
import { suspicion } from "../../wall/suspicion.ts";
import type { NodeInput } from "../node-input.ts";
import type { TurnVerification } from "../records/turn-verification.ts";
import { conflictLeft } from "../refused-merge.ts";
import { aChange, aTestRun, eventsOf, ofKind, scene, theFacts } from "../scene.contract.ts";
import { merge } from "./merge.ts";

const red = {
	ofAssembled: () =>
		Promise.resolve({
			kind: "red" as const,
			rules: [],
			short: [evidence({ status: "fail", reason: "1 failed" })],
		}),
};

/** A step that a killed process left; of any other there is nothing. */
const stored =
	(name: string, result: unknown) =>
	<T>({ step }: StepKey<T>): Promise<T | undefined> =>
		Promise.resolve(step.startsWith(`${name}/`) ? (result as T) : undefined);

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
		read: { step: stored("merge-intent", { tip: "c0", commit: "m0" }) },
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
		read: { step: stored("merge-intent", { tip: "c0", commit: "m1", at: 77 }) },
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
			read: { step: stored("merge-intent", { tip: "c0", commit: "c0", at: 0 }) },
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
	// The player gets a further turn for it.
	const goesBack = { next: "feedback", start: "c9", commit: "m1", reviewed: "" };
	// Without markers in the file, somebody has to decide on it.
	const conflict = { commit: "m1", paths: ["a.js"] };
	expect(update).toEqual({ ...goesBack, refusals: 1, bound: 6 });
	expect(ofKind(writes, "step")).toContainEqual(
		conflictLeft({ runId: run().runId, taskId: "limiter" }, conflict),
	);
	expect(done).toEqual(["merge", "publish turn-2-merge m1 c2", "baseline c9"]);
	expect(eventsOf(writes)).toEqual(["merge-forecast", "merge-refused"]);
	const [step] = ofKind(writes, "step");
	expect(JSON.stringify(step)).toContain("a.js");
});

test("checks that fail on the assembled tree say so to the score and to the player", async () => {
	const { input } = scene({ checks: red });
	const { update, writes } = await merge(input);
	// The branch did not move: the player's commit stays, and so does the coach's last round.
	const goesBack = { next: "feedback", start: "c0", commit: "c2" };
	expect(update).toEqual({ ...goesBack, refusals: 1, bound: 6 });
	expect(writes?.[0]).toMatchObject({ kind: "score-outcome", patch: { assembled: "fail" } });
});

test("the third refusal in a row stops for a person, and the count begins again", async () => {
	const second = scene({ state: { bound: 2, refusals: 1 }, checks: red });
	expect((await merge(second.input)).update).toMatchObject({
		next: "feedback",
		refusals: 2,
		bound: 3,
	});
	// Nothing else is built until this has merged.
	expect(second.done.at(-1)).toBe("reserve");
	const third = scene({ state: { bound: 3, refusals: 2 }, checks: red });
	const { update } = await merge(third.input);
	const reason = { kind: "merge_refused", times: 3 };
	expect(update).toMatchObject({ next: "refused", trigger: "merge", reason, refusals: 0 });
	expect(update).not.toHaveProperty("bound");
});

test("a third refusal counts only where nothing came in between: else the turn is given again", async () => {
	const { input } = scene({
		state: { bound: 3, refusals: 2 },
		refs: { integrationTip: () => Promise.resolve("c9") },
		checks: red,
	});
	expect((await merge(input)).update).toMatchObject({ next: "feedback", refusals: 2, bound: 4 });
});

test("a refusal that a kill cut off is carried out as it was begun, wherever the branch stands by now", async () => {
	const trouble = { kind: "tests", failing: ["adds"] };
	const begun = { tip: "c8", trouble, told: "red", unmarked: [], at: 7 };
	const { input, done } = scene({
		refs: { integrationTip: () => Promise.resolve("c9") },
		read: { step: stored("merge-refusal", begun) },
	});
	const { update, writes } = await merge(input);
	expect(update).toMatchObject({ next: "feedback", start: "c8", refusals: 1 });
	expect(done).toEqual(["merge", "publish turn-2-merge m1 c2", "baseline c8"]);
	expect(writes?.[0]).toMatchObject({ kind: "score-outcome", patch: { assembled: "fail" } });
});

test("before its last turn, work that waits for another's place is built again behind it", async () => {
	let [asked, built] = [0, 0];
	const { input } = scene({
		state: { refusals: 1 },
		checks: {
			ofAssembled: () => {
				built += 1;
				return red.ofAssembled();
			},
		},
	});
	const reserve = (): boolean => {
		asked += 1;
		return asked > 1;
	};
	const { update } = await merge({ ...input, queue: { ...input.queue, reserve } });
	expect(update).toMatchObject({ next: "feedback", refusals: 2 });
	expect(built).toBe(2);
});

test("a conflict is told with its places, and what the other task was for", async () => {
	const others = [
		{ id: "cache", description: "Cache the answers.", mergedCommit: "m7" },
		{ id: "docs", description: "Write the guide.", mergedCommit: "m8" },
		{ id: "later", description: "Not merged yet.", mergedCommit: null },
		{ id: "elsewhere", description: "Merged by a machine since.", mergedCommit: "m9" },
	];
	const [ours, theirs] = [`<<<<<<< ${"1".repeat(40)}`, `>>>>>>> ${"2".repeat(40)}`];
	const { input } = scene({
		refs: { integrationTip: () => Promise.resolve("c9") },
		commits: {
			forecast: () => Promise.resolve({ clean: false, tree: "t-both", conflicts: ["a.js"] }),
			textAt: (commit) =>
				Promise.resolve(
					commit === "t-both" ? `top\n${ours}\nour\n=======\ntheir\n${theirs}\n` : null,
				),
			changes: (_from, to) => Promise.resolve([aChange(to === "m8" ? "guide.md" : "a.js")]),
			isCommit: (commit) => Promise.resolve(commit !== "m9"),
		},
	});
	const { writes } = await merge({ ...input, others: () => Promise.resolve(others) });
	const [step] = ofKind(writes, "step");
	const told = JSON.stringify(step);
	expect(told).toContain(`a.js, line 2:\\n${ours}\\nour\\n=======\\ntheir\\n${theirs}`);
	expect(told).toContain("cache: Cache the answers.");
	expect(told).not.toContain("guide");
	expect(told).not.toContain("Not merged yet");
	expect(told).not.toContain("Merged by a machine since");
});

describe("behind another entry", () => {
	/** A queue in which another task has proposed `p1`, and the node's own input. */
	function behind(parts: Parameters<typeof scene>[0] = {}) {
		const queue = new MergeQueue();
		const { signal } = new AbortController();
		const before = queue.enter({ task: "before", alone: false }, signal);
		before.propose("p1");
		let tip = "c0";
		const made = scene({
			...parts,
			refs: { integrationTip: () => Promise.resolve(tip), ...parts.refs },
		});
		const enter: NodeInput["queue"]["enter"] = (options) =>
			queue.enter({ ...options, task: "limiter" }, signal);
		return {
			...made,
			input: { ...made.input, queue: { ...made.input.queue, enter } },
			lands: () => {
				tip = "p1";
				before.landed("p1");
				before.leave();
			},
			isRefused: () => before.leave(),
		};
	}
	const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
	const passed = (part: Partial<Evidence> = {}): Evidence =>
		evidence({ check: "tests", purpose: "assembled", tree: "t-m1", status: "pass", ...part });
	const told = (piece: Evidence) => ({ read: { allEvidence: () => Promise.resolve([piece]) } });

	test("the work is tested ahead on that commit, and lands when that one has landed", async () => {
		const { input, done, lands } = behind(told(passed()));
		const end = merge(input);
		await settled();
		expect(done).toEqual(["commit", "keep merge-2 m1", "assembled m1"]);
		lands();
		expect((await end).update).toEqual({ next: "merged" });
		expect(done.slice(3)).toEqual(["baseline p1", "move p1 m1"]);
	});

	test("a pass that rests on a failure known before is tested again, against what landed", async () => {
		const counts = { total: 2, passed: 1, failed: 0, skipped: 0, knownFailing: 1 };
		const { input, done, lands } = behind(told(passed({ counts })));
		const end = merge(input);
		await settled();
		lands();
		expect((await end).update).toEqual({ next: "merged" });
		expect(done.slice(3)).toEqual(["baseline p1", "assembled m1", "move p1 m1"]);
	});

	test("where that one is refused, the work is built again on the tip", async () => {
		const { input, done, isRefused } = behind();
		const end = merge(input);
		await settled();
		isRefused();
		expect((await end).update).toEqual({ next: "merged" });
		expect(done.slice(3)).toEqual(["commit", "keep merge-2 m1", "assembled m1", "move c0 m1"]);
	});

	test("a cold run ends as soon as that one is refused", async () => {
		let runs = 0;
		const { input, isRefused } = behind({
			checks: {
				ofAssembled: ({ gone }) => {
					runs += 1;
					if (runs > 1) return Promise.resolve({ kind: "pass" });
					return new Promise((_resolve, reject) => {
						gone?.addEventListener("abort", () => reject(gone.reason));
					});
				},
			},
		});
		const end = merge(input);
		await settled();
		isRefused();
		expect((await end).update).toEqual({ next: "merged" });
		expect(runs).toBe(2);
	});

	test("checks that fail ahead count only if that one lands", async () => {
		const refused = behind({ checks: red });
		const end = merge(refused.input);
		await settled();
		expect(await Promise.race([end, settled()])).toBeUndefined();
		refused.lands();
		expect((await end).update).toMatchObject({ next: "feedback", start: "p1", refusals: 1 });
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
	const built = ["merge-intent/1.0/0", "merge-intent/1.0/1", "merge-intent/1.0/2"];
	expect(steps).toEqual(["merge-refusal/1.0", ...built]);
});

test("checks that the environment spoils are no fault of the work", async () => {
	const spoilt = [evidence({ status: "error", reason: "no npm" })];
	const checks = { ofAssembled: () => Promise.resolve({ kind: "spoilt" as const, spoilt }) };
	expect((await merge(scene({ checks }).input)).update).toMatchObject({
		trigger: "environment",
		reason: { kind: "checks_spoilt", of: "assembled" },
	});
});

test("what gave two results in the cold run is asked about, and lands once a person took it", async () => {
	const flaky = suspicion({ rule: "flaky", file: "tests", line: null, text: "- a" }, ["a"]);
	const asks = (answers: readonly SuspicionAnswer[]) => ({
		read: { suspected: () => Promise.resolve({ suspicions: [flaky], answers }) },
	});
	const { input, done } = scene(asks([]));
	expect((await merge(input)).update).toMatchObject({
		next: "halt",
		trigger: "suspicion",
		reason: { kind: "suspicions_open", ids: [flaky.id] },
	});
	expect(done).not.toContain("move c0 m1");
	const { id, place } = flaky;
	const taken = { id, place, ok: true, reason: "a port", by: "person", turn: 1 } as const;
	expect((await merge(scene(asks([taken])).input)).update).toEqual({ next: "merged" });
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

test("a file at whose path another task has landed something else stays out, and the trace says so", async () => {
	const { input, wanted, kept } = withTests(passedTests(), {
		commits: {
			textAt: (commit, path) =>
				Promise.resolve(commit === "c0" ? (path === "test/b.sh" ? "theirs" : null) : "ours"),
		},
	});
	expect((await merge(input)).update).toEqual({ next: "merged" });
	expect(wanted).toEqual(["test/a.sh", "test/c.sh"]);
	expect(kept.at(-1)).toMatchObject({
		event: { type: "tests-left-out", data: { files: ["test/b.sh"] } },
	});
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
