import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cases, evidence } from "../../evidence/evidence.fixture.ts";
import { judgeReplay } from "./judge-replay.ts";
import { isShort, isVoidReplay } from "./void-replay.ts";

const counts = (passed: number) => ({
	total: passed,
	passed,
	failed: 0,
	skipped: 0,
	knownFailing: 0,
});

function judge(
	before: Parameters<typeof evidence>[0] | undefined,
	now: Parameters<typeof evidence>[0],
	{ excuse = "", excused = 0, strict = false, own = now, empty = "" }: Given = {},
) {
	return judgeReplay({
		before: before && evidence(before),
		own: evidence(own),
		now: evidence(now),
		strict,
		isExcused: (id) => id === excuse,
		excused,
		declaresTests: (id) => id !== empty,
	});
}

interface Given {
	readonly excuse?: string;
	readonly excused?: number;
	readonly strict?: boolean;
	/** The turn's own run; default: as in the replay. */
	readonly own?: Parameters<typeof evidence>[0];
	/** A file without tests. */
	readonly empty?: string;
}

describe("with named cases", () => {
	test("what passed before has to pass again; what failed before may fail", () => {
		const before = { cases: cases("a+ b-") };
		expect(judge(before, { cases: cases("a+ b-"), status: "fail" })).toMatchObject({
			status: "pass",
		});
		expect(judge(before, { cases: cases("a- b-"), status: "fail" })).toEqual({
			status: "fail",
			reason: "1 of 1 tests of the base do not pass on this product",
			details: ["a"],
		});
	});

	test("a case that did not run or was skipped is missing, not passed", () => {
		const { status, details } = judge({ cases: cases("a+ b+ c+") }, { cases: cases("a+ b~") });
		expect(status).toBe("fail");
		expect(details).toEqual(["b: was skipped", "c: did not run"]);
	});

	test("a file that could not be loaded may bring its tests under names that say nothing of it", () => {
		const file = { id: "test > test/sub.test.js", status: "failed" } as const;
		const passed = (...names: readonly string[]) =>
			names.map((name) => ({ id: `test > ${name}`, status: "passed" }) as const);
		const before = { status: "fail", cases: [...passed("adds"), file] } as const;
		expect(judge(before, { cases: passed("adds", "sub") })).toMatchObject({ status: "pass" });
		expect(judge(before, { cases: passed("adds") })).toMatchObject({ status: "fail" });
	});

	test("a file without tests, which runners count as a test that passes, may be gone and may not fail", () => {
		const before = { cases: cases("a+ test/helper.js+") };
		expect(judge(before, { cases: cases("a+") })).toMatchObject({ status: "pass" });
		expect(judge(before, { cases: cases("a+ test/helper.js-"), status: "fail" })).toMatchObject({
			status: "fail",
			details: ["test/helper.js"],
		});
	});

	test("a failure that the base did not have counts", () => {
		const now = { cases: cases("a+ z-"), status: "fail" as const };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "fail", details: ["z"] });
	});

	test("an excused case may be lost, and no other", () => {
		const before = { cases: cases("a+ b+") };
		const excuse = "b";
		expect(judge(before, { cases: cases("a+") }, { excuse })).toMatchObject({ status: "pass" });
		expect(judge(before, { cases: cases("b+") }, { excuse })).toMatchObject({ status: "fail" });
	});

	test("a task that allows every test to go leaves nothing to fail", () => {
		const now = { cases: [], status: "absent" as const, reason: "no tests ran" };
		const gone = judge({ cases: cases("b+") }, now, { excuse: "b" });
		expect(gone.status).toBe("absent");
		expect(isShort({ ...gone, kind: "replay" })).toBe(false);
		const counted = { status: "absent" as const, reason: "no tests ran", counts: counts(0) };
		expect(judge({ counts: counts(2) }, counted, { excused: 2 })).toEqual(gone);
		expect(judge({ counts: counts(2) }, counted, { excused: 1 })).toMatchObject({
			status: "absent",
		});
	});

	test("an exit code that no test explains is the check's own matter, such as a threshold of coverage", () => {
		const now = { cases: cases("a+"), status: "fail" as const, reason: "exit code 1" };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "pass" });
		const counted = { counts: counts(5), status: "fail" as const, reason: "exit code 1" };
		expect(judge({ counts: counts(5) }, counted)).toMatchObject({ status: "pass" });
		expect(judge({ counts: counts(6) }, counted)).toMatchObject({ status: "fail" });
	});

	test("a run without a value stays without one", () => {
		const now = { cases: null, status: "error" as const, reason: "timed out after 1s" };
		expect(judge({ cases: cases("a+") }, now)).toMatchObject({ status: "error" });
	});
});

describe("without names", () => {
	test("as many tests have to pass as before, less those that the task excuses", () => {
		const before = { counts: counts(5) };
		expect(judge(before, { counts: counts(4) })).toMatchObject({
			status: "fail",
			reason: "1 of 5 tests of the base did not pass again",
		});
		expect(judge(before, { counts: counts(4) }, { excused: 1 })).toMatchObject({ status: "pass" });
	});

	test("by exit code alone the run has to pass", () => {
		expect(judge({}, {})).toMatchObject({ status: "pass" });
		const now = { status: "fail" as const, reason: "exit code 1" };
		expect(judge({}, now)).toMatchObject({ status: "fail", reason: "exit code 1" });
	});
});

describe("what the turn says is green is green in the replay", () => {
	const named = (text: string) => ({
		cases: cases(text).map((one) => ({ ...one, id: one.id.replace(">", " > ") })),
		status: text.includes("-") ? ("fail" as const) : ("pass" as const),
	});
	const A_FILE = "test/a.test.js";

	test.each([
		// before, turn, replay
		["a+ b-", "a+ b+", "a+ b+", "pass"],
		["a+ b-", "a+ b+", "a+ b-", "b: with the base's tests it is still red"],
		["a+ b-", "a+ b+", "a+", "b: did not run"],
		["a- b-", "a+ b+", "a+ b-", "b: with the base's tests it is still red"],
		["a+ b-", "a+ b-", "a+ b-", "pass"],
		// The red case does not run any more in the turn: renamed, or left out.
		["a+ b-", "a+", "a+ b-", "b: with the base's tests it is still red"],
		["a+ b-", "a+ b~", "a+ b-", "b: with the base's tests it is still red"],
		["a+ b-", "a+ b-", "a+", "b: did not run"],
		// It moved, and was repaired.
		["a+ b-", "a+ c+", "a+ b+", "pass"],
		["a+ s~", "a+ s+", "a+ s+", "pass"],
		["a+ s~", "a+ s+", "a+ s~", "pass"],
		["a+ s~", "a+ s+", "a+ s-", "s"],
		["a+ s~", "a+ s+", "a+", "s: did not run"],
		["a+ s~", "a+", "a+", "pass"],
	])("%s, in the turn %s, in the replay %s: %s", (before, own, now, said) => {
		const { status, details } = judge(named(before), named(now), { own: named(own) });
		expect([status, ...details]).toEqual(said === "pass" ? ["pass"] : ["fail", said]);
	});

	test("with baseline strict every case of the base has to pass, also one that the turn leaves red", () => {
		const red = named("a+ b-");
		expect(judge(red, red, { own: red, strict: true })).toMatchObject({
			status: "fail",
			reason: "1 of 2 tests of the base do not pass on this product",
		});
		expect(judge(red, named("a+ b+"), { strict: true })).toMatchObject({ status: "pass" });
	});

	test("only what the task allows for its file lifts it", () => {
		const given = { own: named("a+ b+"), excuse: "b" };
		expect(judge(named("a+ b-"), named("a+ b-"), given)).toMatchObject({ status: "pass" });
	});

	test.each([
		[`${A_FILE}>t+ `, `${A_FILE}>t+ `, "pass"],
		[`${A_FILE}>t+ `, `${A_FILE}- `, "fail"],
		[`${A_FILE}>t+ `, `${A_FILE}>t- `, "fail"],
		// Its process ended before a test ran.
		["", "", "fail"],
		[`${A_FILE}- `, `${A_FILE}- `, "pass"],
	])("a file that could not be loaded brings tests that pass: %s, %s", (own, now, status) => {
		const whole = (text: string) => named(`${text}test/b.test.js>x+`);
		const before = whole(`${A_FILE}- `);
		expect(judge(before, whole(now), { own: whole(own) })).toMatchObject({ status });
	});

	test("a helper that could not be loaded, and brings no tests, is none", () => {
		const before = named("a+ test/help.js-");
		expect(judge(before, named("a+"), { empty: "test/help.js" })).toMatchObject({ status: "pass" });
		expect(judge(before, named("a+"))).toMatchObject({ status: "fail" });
	});

	test("by numbers all that ran on the base have to pass where the turn is green", () => {
		const before = { counts: { ...counts(5), total: 8, failed: 3 }, status: "fail" as const };
		const own = { counts: counts(8) };
		expect(judge(before, { counts: counts(8) }, { own })).toMatchObject({ status: "pass" });
		expect(judge(before, { counts: counts(7) }, { own })).toMatchObject({
			status: "fail",
			reason: "1 of 8 tests of the base did not pass",
		});
	});

	test("by exit code alone, too", () => {
		const red = { status: "fail" as const, reason: "exit code 1", exitCode: 1 };
		expect(judge(red, red, { own: {} })).toMatchObject({ status: "fail", reason: "exit code 1" });
		expect(judge(red, {}, { own: {} })).toMatchObject({ status: "pass" });
	});

	test("whatever ran, nothing that is green in the turn only passes", () => {
		const runs = fc.array(fc.constantFrom("+", "-", "~", "."), { minLength: 4, maxLength: 4 });
		const textOf = (marks: readonly string[]) =>
			marks.flatMap((mark, at) => (mark === "." ? [] : [`${"abcd"[at]}${mark}`])).join(" ");
		fc.assert(
			fc.property(runs, runs, runs, (before, own, now) => {
				const { status } = judge(named(textOf(before)), named(textOf(now)), {
					own: named(textOf(own)),
				});
				const isOnlyThere = before.some(
					(was, at) => was !== "." && own[at] === "+" && ![was, "+"].includes(now[at] ?? ""),
				);
				if (isOnlyThere) expect(status).not.toBe("pass");
			}),
		);
	});
});

describe("a base on which nothing passed", () => {
	const absent = { status: "absent" as const, reason: "no tests ran (exit code 1)" };

	test.each([undefined, { ...absent }, { status: "error" as const, reason: "timed out" }])(
		"says nothing where its tests say nothing now either, which is never a pass: %j",
		(before) => {
			const verdict = judge(before, absent, { own: { counts: counts(3) } });
			expect(verdict).toEqual({
				status: "absent",
				reason: "nothing passed on the base, so its tests show nothing",
				details: ["no tests ran (exit code 1)"],
			});
			const piece = { ...verdict, kind: "replay" } as const;
			expect([isVoidReplay(piece), isShort(piece)]).toEqual([true, false]);
			expect(isShort({ ...piece, kind: "acceptance" })).toBe(true);
		},
	);

	test("is held against the product as soon as its tests run", () => {
		const own = { cases: cases("a+ mine+") };
		const now = { cases: cases("a-"), status: "fail" as const, reason: "1 of 1 tests failed" };
		expect(judge(absent, now, { own })).toMatchObject({ status: "fail" });
		expect(judge(absent, { cases: cases("a+") }, { own })).toMatchObject({ status: "pass" });
	});

	test("has nothing to show for a turn that is red itself", () => {
		const now = { status: "fail" as const, cases: cases("a-") };
		expect(judge(now, now)).toMatchObject({ status: "absent" });
	});

	test("a run that somebody killed from outside is the environment's", () => {
		const killed = { status: "error" as const, reason: "killed", started: false };
		expect(judge(absent, killed, { own: {} })).toMatchObject({ status: "error" });
	});
});
