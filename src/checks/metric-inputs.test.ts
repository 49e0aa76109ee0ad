import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { CoverageFigures, MutationFigures } from "../evidence/report-figures.ts";
import { metricInputs } from "./metric-inputs.ts";

const covered = (share: number, executable: number): CoverageFigures => ({
	kind: "measured",
	covered: share,
	executable,
	total: null,
	unreported: [],
});
const untold: CoverageFigures = { kind: "absent", reason: "no line", total: 0.5, unreported: [] };
const mutants = (detected: number, undetected: number, pending = 0): MutationFigures => ({
	kind: "counted",
	detected,
	undetected,
	pending,
	outside: 0,
});
const piece = (more: Parameters<typeof evidence>[0]) => evidence({ kind: "coverage", ...more });
const none = { kind: "absent", total: null, unreported: [] } as const;

test("without reports there is a reason instead of figures", () => {
	expect(metricInputs([])).toEqual({
		coverage: { ...none, reason: "no check wrote a coverage report" },
		mutation: { kind: "absent", reason: "no check wrote a mutation report" },
		newResults: new Map(),
	});
});

test("figures count even if the check failed or is tolerated", () => {
	const results = { fresh: 2, weight: 1.5, fingerprints: [] };
	const found = metricInputs([
		piece({ check: "cov", status: "fail", reason: "exit code 1", coverage: covered(3, 4) }),
		piece({ check: "mut", mutation: mutants(3, 17) }),
		evidence({ check: "lint", kind: "lint", status: "fail", reason: "2", results }),
		evidence({ check: "old", kind: "lint", status: "absent", reason: "tolerated: red", results }),
	]);
	expect(found.coverage).toEqual(covered(3, 4));
	expect(found.mutation).toEqual(mutants(3, 17));
	expect([...found.newResults]).toEqual([
		["lint", results],
		["old", results],
	]);
});

test("a check in error does not count, and its reason is given", () => {
	const reason = "the run changed tracked files";
	const coverage = covered(4, 4);
	const found = metricInputs([
		piece({ check: "cov", status: "error", reason, coverage, mutation: mutants(1, 0) }),
		piece({ check: "two", status: "absent", reason: null }),
	]);
	const why = `cov could not be judged: ${reason}; two is absent: no reason given`;
	expect(found.coverage).toEqual({ ...none, reason: why });
	expect(found.mutation).toEqual({ kind: "absent", reason: why });
});

test("why Sparring's own mutants gave no figures is the reason of the score, and not of the coverage", () => {
	const reason = "no changed line can be mutated";
	const own = { check: "mutation:built-in", kind: "mutation", status: "absent", reason } as const;
	const found = metricInputs([evidence(own)]);
	expect(found.mutation).toEqual({
		kind: "absent",
		reason: `mutation:built-in is absent: ${reason}`,
	});
	expect(found.coverage).toMatchObject({ reason: "no check wrote a coverage report" });
});

test("the lowest share of several counts; a report without a share only if all have none", () => {
	const coverage = [untold, covered(9, 10), covered(2, 4)];
	expect(metricInputs(coverage.map((one) => piece({ coverage: one }))).coverage).toEqual(
		covered(2, 4),
	);
	expect(metricInputs([piece({ coverage: untold })]).coverage).toEqual(untold);
	const least = (...all: MutationFigures[]) =>
		metricInputs(all.map((one) => piece({ mutation: one }))).mutation;
	const absent: MutationFigures = { kind: "absent", reason: "cut" };
	expect(least(absent, mutants(0, 0), mutants(1, 1), mutants(3, 1))).toEqual(mutants(1, 1));
	expect(least(mutants(1, 1), mutants(9, 0, 1))).toEqual(mutants(9, 0, 1));
});
