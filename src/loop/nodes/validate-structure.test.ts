import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evidence } from "../../evidence/evidence.fixture.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { task, turn } from "../../store/record-builders.contract.ts";
import type { StepKey } from "../../store/records.ts";
import { changesOf } from "../../wall/integrity/inspect.fixture.ts";
import type { CheckDefinition } from "../../workflow/workflow.ts";
import type { NodeInput } from "../node-input.ts";
import {
	type AuditedClaims,
	claimsStep,
	FALSE_REPORTS,
	falseReports,
	rowWith,
} from "../records/turn-claims.ts";
import { conflictLeft, type UndecidedConflict } from "../refused-merge.ts";
import { aLog, eventsOf, ofKind, scene, theFacts } from "../scene.contract.ts";
import { auditTurn, validateStructure } from "./validate-structure.ts";

const passed = evidence({ tree: "t-c2" });
const spoilt = evidence({
	tree: "t-c2",
	status: "error",
	reason: "npm is missing",
	started: false,
});

test("every check runs on the turn's commit, and the comparison with the start is evidence of its own", async () => {
	const asked: unknown[] = [];
	const { input } = scene({
		checks: {
			ofTurn: ({ commit, tree, attempt, checks }) => {
				asked.push({ commit, tree, attempt, checks: checks.map(({ name }) => name) });
				return Promise.resolve(checks.length === 0 ? [] : [passed]);
			},
		},
	});
	const { update, writes } = await validateStructure(input);
	expect(update).toEqual({ next: "go" });
	expect(asked[0]).toEqual({ commit: "c2", tree: "t-c2", attempt: 0, checks: ["tests"] });
	expect(writes).toMatchObject([
		{ kind: "evidence", turn: 2, evidence: { check: "integrity", status: "pass" } },
		{ event: { type: "integrity-checked" } },
		{ kind: "step", result: { suspicions: [], allowed: [] } },
		{ kind: "task", patch: { phase: "validated" } },
	]);
});

describe("a conflict without markers", () => {
	const left = (conflict: UndecidedConflict) => conflictLeft(task({ taskId: "limiter" }), conflict);
	const undecided =
		(conflict: UndecidedConflict) =>
		<T>({ step }: StepKey<T>): Promise<T | undefined> =>
			Promise.resolve(step === "undecided-conflict" ? (conflict as T) : undefined);
	/** With `a.bin` and `b.bin` to decide, and what the player has changed since. */
	const leaving = (
		notes: string,
		changed: readonly string[],
		checks: readonly Evidence[] = [passed],
	) =>
		scene({
			read: {
				step: undecided({ commit: "m1", paths: ["a.bin", "b.bin"] }),
				turn: (number) => Promise.resolve(turn({ turn: number, notes })),
			},
			commits: {
				isAncestor: () => Promise.resolve(true),
				changes: (from) =>
					Promise.resolve(
						from === "m1"
							? changesOf({}, Object.fromEntries(changed.map((path) => [path, ""])))
							: [],
					),
			},
			checks: { ofTurn: () => Promise.resolve([...checks]) },
		}).input;

	test("blocks until each of its files was changed or named", async () => {
		const { update, writes } = await validateStructure(leaving("", ["a.bin"]));
		expect(update).toEqual({ next: "go" });
		expect(ofKind(writes, "step")).toContainEqual(left({ commit: "m1", paths: ["b.bin"] }));
		expect(writes?.[0]).toMatchObject({
			evidence: { check: "integrity", status: "fail" },
		});
		expect(JSON.stringify(writes?.[0])).toContain(
			"b.bin: a merge could not put both sides of it together",
		);
	});

	test("is decided by a change, or by a path in the player's notes", async () => {
		const { writes } = await validateStructure(leaving("b.bin is right.", ["a.bin"]));
		expect(ofKind(writes, "step")).toContainEqual(left({ commit: "m1", paths: [] }));
		expect(writes?.[0]).toMatchObject({ evidence: { check: "integrity", status: "pass" } });
	});

	test("stays decided where the environment spoils the checks of that turn", async () => {
		const notes = "a.bin and b.bin are right.";
		const { update, writes } = await validateStructure(leaving(notes, [], [spoilt]));
		expect(update).toMatchObject({ next: "halt" });
		expect(ofKind(writes, "step")).toContainEqual(left({ commit: "m1", paths: [] }));
	});
});

test("evidence that a killed attempt stored is kept", async () => {
	const asked: number[] = [];
	const { input } = scene({
		read: { evidence: () => Promise.resolve([passed]) },
		checks: {
			ofTurn: ({ checks }) => {
				asked.push(checks.length);
				return Promise.resolve([]);
			},
		},
	});
	await validateStructure(input);
	expect(new Set(asked)).toEqual(new Set([0]));
});

test("what the environment spoils is tried twice more, and then a person is asked", async () => {
	const attempts: number[] = [];
	const { input } = scene({
		state: { items: 1 },
		checks: {
			ofTurn: ({ attempt }) => {
				attempts.push(attempt);
				return Promise.resolve([spoilt]);
			},
		},
	});
	const { update, writes } = await validateStructure(input);
	expect(attempts).toEqual([3, 4, 5]);
	expect(update).toEqual({
		next: "halt",
		trigger: "environment",
		reason: {
			kind: "checks_spoilt",
			of: "turn",
			checks: [{ check: "tests", status: "error", reason: "npm is missing" }],
		},
	});
	expect(eventsOf(writes)).toEqual(["integrity-checked"]);
});

test("a change of what defines the checks goes back to the player, though the checks are spoilt", async () => {
	const { input } = scene({
		facts: theFacts({ workflow: { protected: ["test/**"] } }),
		commits: {
			changes: () =>
				Promise.resolve([
					{ path: "test/a.test.js", kind: "deleted", from: "100644", to: null } as never,
				]),
		},
		checks: { ofTurn: () => Promise.resolve([spoilt]) },
	});
	const { update, writes } = await validateStructure(input);
	expect(update).toEqual({ next: "go" });
	expect(writes?.[0]).toMatchObject({ evidence: { check: "integrity", status: "fail" } });
});

describe("a checklist", () => {
	const item = (name: string) => ({ item: name, run: "true", timeoutMs: 1_000 });
	const facts = theFacts({ task: { checklist: [item("log"), item("docs")] } });
	const done = evidence({
		...({ check: "checklist/1", item: "log", kind: "checklist", tree: "t-c2" } as const),
	});
	/** Which checks are asked for, call by call. */
	const watched = (stored: readonly Evidence[], says: readonly Evidence[]) => {
		const asked: string[][] = [];
		const { input } = scene({
			facts,
			read: { evidence: () => Promise.resolve(stored) },
			checks: {
				ofTurn: ({ checks }) => {
					asked.push(checks.map(({ name }) => name));
					const named = checks.map(({ name }) => name);
					return Promise.resolve(says.filter(({ check }) => named.includes(check)));
				},
			},
		});
		return { asked, input };
	};

	test("is run after the checks and told, and an item in error is not tried again", async () => {
		const broken = { ...done, check: "checklist/2", item: "docs" };
		const error = { ...broken, status: "error", reason: "timed out" } as const;
		const { asked, input } = watched([], [passed, done, error]);
		const { update, writes } = await validateStructure(input);
		expect(update).toEqual({ next: "go" });
		expect(asked).toEqual([["tests"], [], [], ["checklist/1", "checklist/2"]]);
		expect(writes?.at(-1)).toMatchObject({
			patch: {
				checklist: [
					{ item: "log", status: "pass", reason: null },
					{ item: "docs", status: "error", reason: "timed out" },
				],
			},
		});
	});

	test("that a killed attempt began is finished, item by item", async () => {
		const { asked, input } = watched([passed, done, { ...done, tree: "t-old" }], []);
		await validateStructure(input);
		expect(asked.at(-1)).toEqual(["checklist/2"]);
	});

	test("waits while the environment spoils the checks", async () => {
		const { asked, input } = watched([], [spoilt]);
		expect((await validateStructure(input)).update.next).toBe("halt");
		expect(asked.flat().includes("checklist/1")).toBe(false);
	});
});

describe("what the player reported", () => {
	const last: AuditedClaims = {
		player: "dev",
		judged: 1,
		false: [{ kind: "file", said: "modified", file: "b.js" }],
		inARow: 1,
		since: "1.0",
	};
	const claims = { player: "dev", files_modified: ["b.js"], files_created: [], tests_written: [] };
	/** Turn 2, whose report says that `b.js` was modified; it was not. */
	const claimed = (inARow: number, says: Evidence = passed) =>
		scene({
			read: {
				step: <Result>({ step }: StepKey<Result>) =>
					// The one step that is asked for here holds claims.
					Promise.resolve(
						(step === "claims" ? { ...claims, checks_passed: [] } : undefined) as Result,
					),
				claims: () => Promise.resolve({ ...last, inARow }),
			},
			checks: { ofTurn: ({ checks }) => Promise.resolve(checks.length === 0 ? [] : [says]) },
		}).input;

	test("is told beside the comparison, and goes on before the bound", async () => {
		const { update, writes } = await validateStructure(claimed(1));
		expect(update).toEqual({ next: "go" });
		expect(eventsOf(writes)).toEqual(["claims-compared", "integrity-checked"]);
		expect(writes?.[0]).toMatchObject({
			key: { step: "claims-audit", turn: 2 },
			result: { inARow: 2 },
		});
	});

	test("stops the task at the bound, with the reason as a value; not while the environment is the question", async () => {
		const { update } = await validateStructure(claimed(2));
		expect(update).toEqual({
			next: "escalate",
			trigger: "false_claims",
			reason: { kind: "false_reports", agent: "dev", reports: 3, about: ["b.js"] },
		});
		expect((await validateStructure(claimed(2, spoilt))).update).toMatchObject({
			trigger: "environment",
		});
	});
});

test("a formal review changes nothing, so nothing is checked", async () => {
	const { input, done } = scene({ facts: theFacts({ task: { formalReview: true } }) });
	expect((await validateStructure(input)).passedThrough).toContain("there is nothing to check");
	expect(done).toEqual([]);
});

describe("mutants", () => {
	const asked = { requiresVerification: "true" } as const;
	const verifier = { verification: { agent: "eve", attempts: 3, runTimeoutMs: 1, paths: [] } };
	const scored = {
		mode: "composite",
		threshold: 0.5,
		metrics: [{ type: "mutation_score", weight: 1 }],
	} as const;
	const always = { when: "always", timeoutMs: 1 } as const;
	const never = { when: "never", timeoutMs: 1 } as const;
	const own = { ...theFacts().workflow.checks[0], name: "m", kind: "coverage" } as CheckDefinition;
	const ownCheck = { ...own, report: { format: "mutation" } } as const;

	/** Whether mutants are run on work with this evidence. */
	const areRun = async (
		part: NonNullable<Parameters<typeof theFacts>[0]>,
		pieces: readonly Evidence[] = [passed],
	): Promise<boolean> => {
		const { input, done } = scene({
			facts: theFacts(part),
			read: { evidence: () => Promise.resolve(pieces) },
			checks: { ofTurn: () => Promise.resolve(pieces) },
		});
		await validateStructure(input);
		return done.includes("mutants c2");
	};

	test.each([
		["a verifier writes tests for the task", { task: asked, workflow: verifier }],
		["a metric asks for the score", { task: { confidence: scored } }],
		["the workflow says always", { workflow: { mutation: always } }],
	])("are run where %s", async (_where, part) => {
		expect(await areRun(part)).toBe(true);
	});

	test.each([
		["nobody asks for them", {}],
		["there is no verifier", { task: asked }],
		[
			"verification is waived",
			{ task: asked, workflow: { ...verifier, waive: { verification: "no" } } },
		],
		[
			"the task declines verification",
			{ task: { requiresVerification: "false" }, workflow: verifier },
		],
		["the workflow says never", { task: { confidence: scored }, workflow: { mutation: never } }],
		["there is no acceptance check", { workflow: { mutation: always, checks: [] } }],
		[
			"a check of the workflow runs mutants",
			{ workflow: { mutation: always, checks: [...theFacts().workflow.checks, ownCheck] } },
		],
	] as const)("are not run where %s", async (_where, part) => {
		expect(await areRun(part)).toBe(false);
	});

	test("are not run on work that changed what defines the checks", async () => {
		const deleted = { path: "test/a.test.js", kind: "deleted", from: "100644", to: null } as never;
		const { input, done } = scene({
			facts: theFacts({ workflow: { mutation: always, protected: ["test/**"] } }),
			read: { evidence: () => Promise.resolve([passed]) },
			commits: { changes: () => Promise.resolve([deleted]) },
			checks: { ofTurn: () => Promise.resolve([passed]) },
		});
		await validateStructure(input);
		expect(done).toEqual(["baseline c0"]);
	});

	test("are not run on work that its tests refuse", async () => {
		const failed = evidence({ tree: "t-c2", status: "fail", reason: "1 failed" });
		expect(await areRun({ workflow: { mutation: always } }, [failed])).toBe(false);
	});
});

const wrong = { kind: "file", said: "modified", file: "b.js" } as const;
const audited = (part: Partial<AuditedClaims> = {}): AuditedClaims => ({
	player: "dev",
	judged: 1,
	false: [wrong],
	inARow: 1,
	since: "1.0",
	...part,
});

/** A turn 3 whose player reports that it modified these files, of which `a.js` is in the diff since the task began. */
function turn3(
	files: readonly string[] | null,
	{ before = {}, items = 0 }: { before?: Record<number, AuditedClaims>; items?: number } = {},
) {
	const claims = {
		player: "dev",
		from: "c2",
		files_created: [],
		tests_written: [],
		checks_passed: [],
	};
	const read: Pick<NodeInput["read"], "step" | "claims"> = {
		step: <Result>({ step }: StepKey<Result>) => {
			const { step: claimed } = claimsStep({ runId: "r", taskId: "t" }, 3);
			const found =
				files !== null && step === claimed ? { ...claims, files_modified: files } : undefined;
			// The step of this name holds claims.
			return Promise.resolve(found as Result | undefined);
		},
		claims: (turn) => Promise.resolve(before[turn] ?? null),
	};
	const change = {
		path: "a.js",
		kind: "modified",
		oldMode: "",
		newMode: "",
		oldOid: "",
		newOid: "",
	};
	const { input } = scene({
		state: { turn: 3, items },
		read,
		// An earlier turn changed it.
		commits: {
			changes: (from) => Promise.resolve(from === "c0" ? [{ ...change, kind: "modified" }] : []),
		},
	});
	return auditTurn({ ...input, log: aLog(3) }, []);
}

test("what a player reported is held against the diff, and false reports are counted in a row", async () => {
	expect(await turn3(["a.js"])).toEqual(audited({ false: [], inARow: 0 }));
	expect(await turn3(["b.js"])).toEqual(audited());
	expect(await turn3(["b.js"], { before: { 2: audited() } })).toEqual(audited({ inARow: 2 }));
	expect(await turn3(null)).toBeNull();
});

test("the row is one of reports of the same player: turns without one, and another's, are passed over", async () => {
	const before = { 1: audited(), 2: audited({ player: "coach", false: [], inARow: 0 }) };
	expect(await turn3(["b.js"], { before })).toMatchObject({ inARow: 2 });
	expect(await turn3(["b.js"], { before: { 1: audited() } })).toMatchObject({ inARow: 2 });
});

test("a question to a person begins a new row, and so does a task that was reopened", async () => {
	const before = { 2: audited({ inARow: 2, since: "1.0" }) };
	expect(await turn3(["b.js"], { before, items: 1 })).toMatchObject({ inARow: 1, since: "1.1" });
	const reopened = { 2: audited({ inARow: 2, since: "0.0" }) };
	expect(await turn3(["b.js"], { before: reopened })).toMatchObject({ inARow: 1 });
});

test("a report that claims nothing neither adds to a row nor ends it; one that is right ends it", () => {
	const last = { inARow: 2, since: "1.0" };
	expect(rowWith({ judged: 0, false: [] }, last, "1.0")).toBe(2);
	expect(rowWith({ judged: 2, false: [] }, last, "1.0")).toBe(0);
	expect(rowWith({ judged: 2, false: [wrong] }, last, "1.0")).toBe(3);
	expect(rowWith({ judged: 2, false: [wrong] }, null, "1.0")).toBe(1);
});

test("a row never grows by more than the report that ends it, whatever was reported", () => {
	fc.assert(
		fc.property(fc.array(fc.nat(2)), (reports) => {
			let row = 0;
			let longest = 0;
			let since = 0;
			for (const report of reports) {
				const audit = { judged: report, false: report === 1 ? [wrong] : [] };
				row = rowWith(audit, { inARow: row, since: "1.0" }, "1.0");
				since = report === 2 ? 0 : since + (report === 1 ? 1 : 0);
				longest = Math.max(longest, since);
				expect(row).toBe(since);
			}
			expect(row).toBeLessThanOrEqual(longest);
		}),
	);
});

test("the row ends the task at its bound, not before, and not with a report that claims nothing", () => {
	const at = (inARow: number) => falseReports(audited({ inARow }));
	expect(FALSE_REPORTS).toBe(3);
	expect(at(2)).toBeNull();
	expect(at(3)).toEqual({ kind: "false_reports", agent: "dev", reports: 3, about: ["b.js"] });
	expect(falseReports(audited({ inARow: 3, false: [] }))).toBeNull();
	expect(falseReports(null)).toBeNull();
});
