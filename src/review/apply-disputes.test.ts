import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { applyDisputes, MAX_IGNORED } from "./apply-disputes.ts";
import type { Finding, Ruling } from "./finding.ts";
import { aFinding } from "./finding-builder.fixture.ts";

const ruling = (over: Partial<Ruling> = {}): Ruling => ({
	by: "tie_breaker",
	decision: "FAIL",
	rationale: "it is so",
	turn: 3,
	...over,
});

test("a dispute with a reason makes a finding disputed", () => {
	const second = aFinding({ id: "F2", state: "upheld" });
	const { disputed, ignored } = applyDisputes(
		[aFinding(), second],
		[{ finding: " f2", reason: "no" }],
		4,
	);
	expect(disputed).toEqual([
		{
			...second,
			state: "disputed",
			dispute: { reason: "no", evidence: null, turn: 4 },
			changedTurn: 4,
		},
	]);
	expect(ignored).toEqual([]);
});

test("a dispute of a later turn takes the place of the one before", () => {
	for (const state of ["disputed", "upheld"] as const) {
		const known = aFinding({ state, dispute: { reason: "old", evidence: "a", turn: 2 } });
		expect(applyDisputes([known], [{ finding: "F1", reason: "new" }], 5).disputed).toMatchObject([
			{ state: "disputed", dispute: { reason: "new", evidence: null, turn: 5 } },
		]);
	}
});

test("of several disputes of one finding the last that is taken up counts, and none is called ignored", () => {
	const disputes = [
		{ finding: "F1", reason: "first" },
		{ finding: "F1", reason: "second", evidence: "npm test" },
		{ finding: "f1", reason: " " },
	];
	expect(applyDisputes([aFinding()], disputes, 2)).toMatchObject({
		disputed: [{ dispute: { reason: "second", evidence: "npm test" } }],
		ignored: [],
	});
});

test("unknown ids, closed findings and disputes without a reason have no effect, and it is said why", () => {
	const disputes = [
		{ finding: "F9", reason: "no" },
		{ finding: "F1", reason: " \n" },
		{ finding: "F2", reason: "no" },
		{ finding: " ", reason: "no" },
	];
	expect(applyDisputes([aFinding(), aFinding({ id: "F2", state: "fixed" })], disputes, 2)).toEqual({
		disputed: [],
		ignored: [
			{ finding: "F9", reason: "it is not an open finding" },
			{ finding: "F1", reason: "the dispute gives no reason" },
			{ finding: "F2", reason: "it is not an open finding" },
			{ finding: "(no id)", reason: "it is not an open finding" },
		],
	});
});

test("what is ignored is bounded in number and length, whatever a report holds", () => {
	const disputes = Array.from({ length: 1_000 }, (_, index) => ({
		finding: `X${index}\n${"y".repeat(amount(100_000, 1_000))}`,
		reason: "no",
	}));
	const { ignored } = applyDisputes([], disputes, 2);
	expect(ignored).toHaveLength(MAX_IGNORED);
	expect(ignored.every(({ finding: id }) => id.length <= 40 && !id.includes("\n"))).toBe(true);
});

describe("after a ruling", () => {
	const known = (over: Partial<Ruling> = {}, evidence: string | null = "npm test") =>
		aFinding({
			state: "upheld",
			dispute: { reason: "it does", evidence, turn: 3 },
			ruling: ruling(over),
		});
	const again = (one: Finding, evidence?: string) =>
		applyDisputes([one], [{ finding: "F1", reason: "it does", evidence }], 4);

	test("new evidence opens the dispute again, and the ruling stays to be seen", () => {
		expect(again(known(), "node repro.js prints 3").disputed).toMatchObject([
			{ state: "disputed", dispute: { turn: 4 }, ruling: { decision: "FAIL", turn: 3 } },
		]);
		expect(again(known({}, null), "npm test").disputed).toHaveLength(1);
	});

	test.each([undefined, "", " \n", "...", "\u200b"])(
		"no evidence at all does not: %j",
		(evidence) => {
			expect(again(known(), evidence)).toEqual({
				disputed: [],
				ignored: [
					{
						finding: "F1",
						reason:
							"the tie-breaker decided that the finding stands, and the dispute gives no new evidence",
					},
				],
			});
		},
	);

	test.each(["npm test", "  NPM\n\ttest ", "npm test.", "npm\u200b test", "ｎｐｍ test"])(
		"the same evidence in another dress does not: %j",
		(evidence) => {
			const { disputed, ignored } = again(known(), evidence);
			expect(disputed).toEqual([]);
			expect(ignored.map(({ reason }) => reason)).toEqual([
				"the tie-breaker decided that the finding stands, and the evidence is the same as before",
			]);
		},
	);

	test("evidence of a dispute that was not ruled on yet may be given again", () => {
		const waiting = { ...known(), dispute: { reason: "it does", evidence: "repro", turn: 4 } };
		const disputes = [{ finding: "F1", reason: "it does", evidence: "repro" }];
		expect(applyDisputes([waiting], disputes, 5).disputed).toMatchObject([
			{ dispute: { turn: 5 } },
		]);
	});

	test("what was ruled on is not new again because another dispute came between", () => {
		const between = applyDisputes(
			[known()],
			[{ finding: "F1", reason: "it does", evidence: "repro" }],
			4,
		).disputed;
		const evidence = "NPM test";
		expect(applyDisputes(between, [{ finding: "F1", reason: "no", evidence }], 5)).toMatchObject({
			disputed: [],
			ignored: [{ finding: "F1" }],
		});
	});

	test("of a person nothing is taken any more, with whatever evidence", () => {
		expect(again(known({ by: "person" }), "new evidence")).toEqual({
			disputed: [],
			ignored: [{ finding: "F1", reason: "a person decided that the finding stands" }],
		});
	});

	test("for the player that was reopened since, a dispute is taken as ever", () => {
		expect(again({ ...known({ decision: "PASS" }), state: "reopened" }).disputed).toHaveLength(1);
	});
});

test("entering the same report again changes nothing more", () => {
	const evidence = fc.constantFrom(undefined, "a", "A ", "b");
	const disputes = fc.array(
		fc.record({
			finding: fc.constantFrom("F1", "f2", "F3", ""),
			reason: fc.constantFrom("", "no"),
			evidence,
		}),
		{ maxLength: 6 },
	);
	const by = fc.constantFrom("tie_breaker" as const, "person" as const);
	fc.assert(
		fc.property(disputes, fc.option(by), evidence, (said, ruler, before) => {
			const open = ["F1", "F2"].map((id) =>
				aFinding({
					id,
					state: "upheld",
					dispute: { reason: "r", evidence: before ?? null, turn: 2 },
					ruling: ruler === null ? null : ruling({ by: ruler, turn: 2 }),
				}),
			);
			const once = applyDisputes(open, said, 3);
			const after = open.map((one) => once.disputed.find(({ id }) => id === one.id) ?? one);
			const twice = applyDisputes(after, said, 3);
			const now = after.map((one) => twice.disputed.find(({ id }) => id === one.id) ?? one);
			expect(now).toEqual(after);
			if (ruler === "person") expect(once.disputed).toEqual([]);
			for (const { id } of once.disputed)
				expect(once.ignored.map((one) => one.finding)).not.toContain(id);
		}),
	);
});
