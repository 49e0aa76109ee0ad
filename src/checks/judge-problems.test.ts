import { describe, expect, test } from "vitest";
import { evidence, judgeInput } from "../evidence/evidence.fixture.ts";
import type { PlacedResult } from "../formats/sarif/place-results.ts";
import { judgeCheck } from "./judge.ts";
import type { BaselineView, JudgeInput } from "./judgement.ts";

/** Problems from a text such as `"a b~ c?"`: an error, a suppressed one, one of level none. */
const problems = (text: string): PlacedResult[] =>
	text
		.split(" ")
		.filter((word) => word !== "")
		.map((word, index) => ({
			rule: word[0] ?? "",
			path: "a.js",
			line: index + 1,
			message: "m",
			level: word.endsWith("?") ? "none" : "error",
			suppressed: word.endsWith("~"),
			fingerprint: word[0] ?? "",
		}));
const lint = { kind: "lint", baseline: "new", timeoutMs: 1_000 } as const;
const earlier = (fingerprints: string | null, exitCode = 1): BaselineView =>
	evidence({
		status: exitCode === 0 ? "pass" : "fail",
		exitCode,
		...(fingerprints === null
			? {}
			: { results: { fresh: 1, weight: 1, fingerprints: fingerprints.split(" ") } }),
	});
const judged = (
	text: string,
	more: Omit<Partial<JudgeInput>, "report"> & { exitCode?: number; ignored?: number } = {},
) => {
	const { ignored = 0, ...rest } = more;
	const report = { kind: "results", results: problems(text), ignored } as const;
	return judgeCheck(judgeInput({ check: lint, ...rest, report }));
};

describe("a list of problems", () => {
	test.each<[string, string, number, BaselineView | undefined, string, string | null]>([
		["nothing, code 0", "", 0, undefined, "pass", null],
		[
			"nothing, another code",
			"",
			2,
			undefined,
			"fail",
			"exit code 2, although the report lists no",
		],
		["one without a baseline", "a", 1, undefined, "fail", "1 problem"],
		["a new one", "a b", 1, earlier("a"), "fail", "1 new problem"],
		["two new ones, code 0", "a b c", 0, earlier("a"), "fail", "2 new problems"],
		["a known one", "a", 1, earlier("a"), "pass", null],
		["a known one, code 0 then and now", "a", 0, earlier("a", 0), "pass", null],
		[
			"a known one that left the code at 0",
			"a",
			1,
			earlier("a", 0),
			"fail",
			"despite the same problems",
		],
		["a suppressed one", "a~", 0, earlier(""), "pass", null],
		["known ones that explain no code", "a~ b?", 1, earlier("a b"), "fail", "lists no problem"],
		["fewer than before", "a", 1, earlier("a b c"), "pass", null],
		["all of them new, since nothing was listed", "a", 1, earlier(null), "fail", "1 new problem"],
	])("%s", (_, text, exitCode, baseline, status, reason) => {
		const found = judged(text, { exitCode, baseline });
		expect(found.status).toBe(status);
		if (reason === null) expect(found.reason).toBeNull();
		else expect(found.reason).toContain(reason);
	});

	test("shows new problems first, then suppressed and known ones, and counts those outside", () => {
		const found = judged("a b~ c", { exitCode: 1, baseline: earlier("a"), ignored: 2 });
		expect(found.details).toEqual([
			"a.js:3 error c: m",
			"new and suppressed: a.js:2 error b: m",
			"known: a.js:1 error a: m",
			"2 outside of the checkout were ignored",
		]);
		expect(found.results).toEqual({ fresh: 1, weight: 1, fingerprints: ["a", "b", "c"] });
	});

	test("entirely outside of the checkout is an error", () => {
		expect(judged("", { ignored: 3 })).toMatchObject({
			status: "error",
			reason: "all 3 problems of the report are outside of the checkout",
		});
	});

	test("strict: a known one counts", () => {
		const check = { ...lint, baseline: "strict" } as const;
		expect(judged("a", { check, baseline: earlier("a"), exitCode: 1 })).toMatchObject({
			status: "fail",
			reason: "1 problem",
		});
	});

	test("tolerate: an unexplained failure is nobody's fault, a new problem is the player's", () => {
		const check = { ...lint, baseline: "tolerate" } as const;
		const again = judged("", { check, baseline: earlier("a"), exitCode: 1 });
		expect(again.status).toBe("absent");
		expect(again.reason).toContain("tolerated: ");
		expect(judged("a b", { check, baseline: earlier("a"), exitCode: 1 }).status).toBe("fail");
		expect(judged("a", { check, baseline: earlier(null), exitCode: 1 }).status).toBe("absent");
	});
});

test.each(["coverage", "mutants"] as const)("%s: the exit code decides", (kind) => {
	const report: JudgeInput["report"] =
		kind === "coverage"
			? { kind, naming: "path", sources: [], files: new Map() }
			: { kind, projectRoot: null, files: new Map() };
	const check = { ...lint, kind: "coverage", report: { format: "lcov" } } as const;
	expect(judgeCheck(judgeInput({ check, report }))).toMatchObject({ status: "pass" });
	expect(judgeCheck(judgeInput({ check, report, exitCode: 1 }))).toMatchObject({
		status: "fail",
		reason: "exit code 1",
	});
});
