import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount } from "../../test/support/amount.ts";
import { cases, evidence, judgeInput } from "../evidence/evidence.fixture.ts";
import { countsOf } from "../formats/reports/parsed-report.ts";
import { isTolerated, judgeCheck } from "./judge.ts";
import type { BaselineView, JudgeInput, ReportOutcome } from "./judgement.ts";

const named = (text: string): ReportOutcome => ({ kind: "cases", cases: cases(text) });
const red = (text: string, exitCode = 1): BaselineView => {
	const counts = { ...countsOf(cases(text)), knownFailing: 0 };
	return evidence({ status: "fail", exitCode, counts, cases: cases(text) });
};
const lint = { kind: "lint", baseline: "new", timeoutMs: 1_000 } as const;
const ended = { exitCode: 0, signal: null, timedOut: false, started: true, startError: null };

describe("a run that did not finish is an error", () => {
	test.each([
		["could not start: ENOENT", { ...ended, started: false, startError: "ENOENT" }, false],
		["could not start: unknown cause", { ...ended, started: false }, false],
		["timed out after 1.0s", { ...ended, timedOut: true }, true],
		["killed by SIGSEGV", { ...ended, exitCode: null, signal: "SIGSEGV" }, true],
		["killed by a signal", { ...ended, exitCode: null }, true],
		["was not found (exit code 127)", { ...ended, exitCode: 127 }, true],
		["could not be executed (exit code 126)", { ...ended, exitCode: 126 }, true],
		["was killed by SIGKILL (exit code 137)", { ...ended, exitCode: 137 }, false],
		["killed by SIGKILL", { ...ended, exitCode: null, signal: "SIGKILL" }, false],
	])("%s", (reason, process, started) => {
		const judged = judgeCheck(judgeInput({ process, report: named("a+") }));
		expect(judged).toMatchObject({ status: "error", started });
		expect(judged.reason).toContain(reason);
	});
});

describe("without a baseline", () => {
	test.each<[string, string, Partial<JudgeInput> & { exitCode?: number }, string]>([
		["a report that is missing", "absent", { report: { kind: "missing", reason: "gone" } }, "gone"],
		[
			"a report whose place is taken",
			"error",
			{ report: { kind: "blocked", reason: "dir" } },
			"dir",
		],
		["an invalid report", "error", { report: { kind: "invalid", reason: "cut" } }, "invalid: cut"],
		["no case at all", "absent", { report: named("") }, "no tests ran (exit code 0)"],
		["skipped cases alone", "absent", { report: named("a~ b~") }, "no tests ran (exit code 0)"],
		["a failing case", "fail", { report: named("a+ b-"), exitCode: 1 }, "1 of 2 tests failed"],
		["a failing case with exit code 0", "fail", { report: named("a+ b-") }, "1 of 2"],
		[
			"passing cases with another exit code",
			"fail",
			{ report: named("a+"), exitCode: 3 },
			"exit code 3",
		],
		["no recognised output", "absent", {}, "format: junit"],
		["a red command that says nothing", "absent", { exitCode: 1 }, "exit code 1"],
		["a red lint", "fail", { check: lint, exitCode: 2 }, "exit code 2"],
	])("%s is %s", (_, status, input, reason) => {
		const judged = judgeCheck(judgeInput(input));
		expect(judged.status).toBe(status);
		expect(judged.reason).toContain(reason);
	});

	test("passing cases pass, and so does a green command judged by its exit code", () => {
		expect(judgeCheck(judgeInput({ report: named("a+ b~") })).status).toBe("pass");
		expect(judgeCheck(judgeInput({ check: lint })).status).toBe("pass");
		const byExit = { ...judgeInput().check, report: { format: "exit" } } as const;
		expect(judgeCheck(judgeInput({ check: byExit })).status).toBe("pass");
	});

	test("each failing case is named with its message", () => {
		const report: ReportOutcome = {
			kind: "cases",
			cases: [{ id: "a", status: "failed", message: "1 == 2" }, ...cases("b- c+")],
		};
		expect(judgeCheck(judgeInput({ report })).details).toEqual(["a: 1 == 2", "b"]);
	});
});

describe("with a baseline", () => {
	const judge = (
		now: string,
		before: string,
		exitCode = 1,
		mode: "new" | "strict" | "tolerate" = "new",
	) =>
		judgeCheck(
			judgeInput({
				check: { ...judgeInput().check, baseline: mode },
				report: named(now),
				baseline: red(before),
				exitCode,
			}),
		);

	test("a case that failed before and still fails is shown and not counted", () => {
		const judged = judge("a+ b-", "a+ b-");
		expect(judged).toMatchObject({ status: "pass", details: ["known failing: b"] });
		expect(judged.counts).toEqual({ total: 2, passed: 1, failed: 0, skipped: 0, knownFailing: 1 });
	});

	test("a new failure fails beside known ones", () => {
		expect(judge("a- b-", "a+ b-")).toMatchObject({
			status: "fail",
			details: ["a", "known failing: b"],
		});
		expect(judge("a- b-", "a+ b-", 1, "tolerate").status).toBe("fail");
	});

	test("only known failing cases are not a pass", () => {
		expect(judge("b-", "b-").status).toBe("absent");
	});

	test("strict counts every failure", () => {
		expect(judge("a+ b-", "a+ b-", 1, "strict").status).toBe("fail");
	});

	test("fewer cases than at the baseline do not explain the exit code", () => {
		expect(judge("a+ b-", "a+ b- c+").reason).toContain(
			"2 tests are reported and 3 at the baseline",
		);
	});

	test("a baseline with exit code 0 does not explain a failure now", () => {
		const input = judgeInput({ report: named("a+ b-"), baseline: red("a+ b-", 0), exitCode: 1 });
		expect(judgeCheck(input).status).toBe("fail");
		expect(judgeCheck({ ...input, baseline: { ...red("a+ b-"), counts: null } }).status).toBe(
			"pass",
		);
	});

	test("with only counts, a check that failed at the baseline must pass", () => {
		const counts = { total: 2, passed: 1, failed: 1, skipped: 0 };
		const before = evidence({
			status: "fail",
			exitCode: 1,
			counts: { ...counts, knownFailing: 0 },
		});
		const input = judgeInput({ report: { kind: "counts", counts }, baseline: before, exitCode: 1 });
		expect(judgeCheck(input)).toMatchObject({ status: "fail" });
		expect(judgeCheck(input).reason).toContain("must pass");
		const tolerant = { ...input, check: { ...input.check, baseline: "tolerate" } as const };
		const tolerated = judgeCheck(tolerant);
		expect(isTolerated(tolerated)).toBe(true);
		const green = { total: 2, passed: 2, failed: 0, skipped: 0 };
		const fixed = { ...tolerant, report: { kind: "counts", counts: green } } as const;
		expect(judgeCheck({ ...fixed, process: ended }).status).toBe("pass");
	});

	test("a check that was green and is red fails, tolerated or not", () => {
		const check = { ...lint, baseline: "tolerate" } as const;
		expect(judgeCheck(judgeInput({ check, baseline: evidence(), exitCode: 1 })).status).toBe(
			"fail",
		);
	});
});

const status = fc.constantFrom("passed" as const, "failed" as const, "skipped" as const);
const someCases = fc.uniqueArray(
	fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e", "f"), status }),
	{
		selector: ({ id }) => id,
	},
);
const report: fc.Arbitrary<ReportOutcome> = fc.oneof(
	fc.constant({ kind: "none" as const }),
	fc.constant({ kind: "missing" as const, reason: "gone" }),
	fc.constant({ kind: "blocked" as const, reason: "gone" }),
	fc.constant({ kind: "invalid" as const, reason: "gone" }),
	someCases.map((list) => ({ kind: "cases" as const, cases: list })),
	someCases.map((list) => ({ kind: "counts" as const, counts: countsOf(list) })),
);
const input: fc.Arbitrary<JudgeInput> = fc.record({
	check: fc.record({
		kind: fc.constantFrom("acceptance" as const, "lint" as const),
		baseline: fc.constantFrom("new" as const, "strict" as const, "tolerate" as const),
		timeoutMs: fc.constant(1_000),
	}),
	process: fc.record({
		exitCode: fc.constantFrom(0, 1, 2, 126, 127, 137, null),
		signal: fc.constantFrom(null, "SIGKILL"),
		timedOut: fc.boolean(),
		started: fc.boolean(),
		startError: fc.constant(null),
	}),
	report,
	baseline: fc.option(
		someCases.map((list): BaselineView => {
			const counts = countsOf(list);
			return evidence({
				cases: list,
				counts: { ...counts, knownFailing: 0 },
				status: counts.failed > 0 ? "fail" : "pass",
				exitCode: counts.failed > 0 ? 1 : 0,
			});
		}),
		{ nil: undefined },
	),
});

test("it never passes when anything is missing, newly fails, or is unexplained", () => {
	fc.assert(
		fc.property(input, (run) => {
			const judged = judgeCheck(run);
			if (judged.status !== "pass") return judged.reason !== null;
			const { process } = run;
			const ranToItsEnd = process.started && !process.timedOut && process.signal === null;
			const before = run.baseline?.cases ?? [];
			const known = new Set(before.filter((c) => c.status === "failed").map((c) => c.id));
			const failing =
				run.report.kind === "cases" ? run.report.cases.filter((c) => c.status === "failed") : [];
			const onlyKnown =
				run.check.baseline !== "strict" &&
				failing.length > 0 &&
				failing.every((c) => known.has(c.id));
			const hasResults = run.check.kind === "lint" || (judged.counts?.passed ?? 0) > 0;
			return (
				ranToItsEnd &&
				hasResults &&
				(failing.length === 0 || onlyKnown) &&
				(process.exitCode === 0 || onlyKnown) &&
				!["missing", "blocked", "invalid"].includes(run.report.kind)
			);
		}),
		{ numRuns: amount(3_000) },
	);
});

describe("a failure in an invalid report", () => {
	const broken = (...failed: string[]): ReportOutcome => ({
		kind: "invalid",
		reason: "cut",
		failed,
	});

	test("counts, with the names that are known", () => {
		expect(judgeCheck(judgeInput({ report: broken("a", "b") }))).toMatchObject({
			status: "fail",
			reason: "2 failures are in an invalid report: cut",
			details: ["a", "b"],
		});
	});

	test("that also failed at the baseline does not count: the report is an error", () => {
		const input = judgeInput({ report: broken("a"), baseline: red("a- b+") });
		expect(judgeCheck(input).status).toBe("error");
		expect(judgeCheck({ ...input, report: broken("a", "b") }).status).toBe("fail");
		const strict = { ...input.check, baseline: "strict" } as const;
		expect(judgeCheck({ ...input, check: strict }).status).toBe("fail");
	});

	test("is tolerated only if it cannot be distinguished from the baseline's", () => {
		const check = { kind: "acceptance", baseline: "tolerate", timeoutMs: 1_000 } as const;
		const known = judgeInput({ check, report: broken("b"), baseline: red("a- b+") });
		expect(judgeCheck(known).status).toBe("fail");
		const before = { ...red("a-"), cases: null };
		expect(judgeCheck({ ...known, baseline: before }).reason).toMatch(/^tolerated: /);
	});

	test("in a list of problems counts unless problems were known before", () => {
		const check = { kind: "security", baseline: "new", timeoutMs: 1_000 } as const;
		const input = judgeInput({ check, report: broken("CVE") });
		expect(judgeCheck(input).status).toBe("fail");
		const results = { fresh: 0, weight: 0, fingerprints: ["f"] };
		const baseline = evidence({ status: "pass", results });
		expect(judgeCheck({ ...input, baseline }).status).toBe("error");
	});
});
