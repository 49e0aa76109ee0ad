import fc from "fast-check";
import { expect, test } from "vitest";
import type { FindingState } from "../review/finding.ts";
import { aFinding } from "../review/finding-builder.fixture.ts";
import { isOpen } from "../review/finding-state.ts";
import {
	openDisputes,
	type TestFinding,
	testFindings,
	verifiedFindings,
	withdrawnTests,
} from "./verified-findings.ts";

const about = (name: string, part: Partial<TestFinding> = {}): TestFinding => ({
	...aFinding({ source: "verification", ...part }),
	test: name,
});
const failing = (...tests: readonly string[]) => tests.map((test) => ({ test, message: "no" }));
const enter = (
	known: readonly TestFinding[],
	fails: readonly string[],
	answers: Parameters<typeof verifiedFindings>[0]["result"]["answers"] = [],
) =>
	verifiedFindings({
		known,
		result: { failing: failing(...fails), answers },
		nextNumber: known.length + 1,
		turn: 3,
		subtask: null,
	});

test("a failed test is a finding once, and is closed by the run in which it passes", () => {
	const [raised] = enter([], ["adds"]);
	expect(raised).toMatchObject({
		id: "F1",
		state: "open",
		severity: "major",
		test: "adds",
		raisedTurn: 3,
	});
	const known = raised === undefined ? [] : [raised];
	expect(enter(known, ["adds"])).toEqual([]);
	expect(enter(known, [])).toMatchObject([{ id: "F1", state: "fixed" }]);
	const fixed = known.map((finding) => ({ ...finding, state: "fixed" as const }));
	expect(enter(fixed, ["adds"])).toMatchObject([{ id: "F1", state: "reopened" }]);
});

test("an answer to a dispute withdraws or upholds; without one it stays disputed", () => {
	const dispute = { reason: "no", evidence: null, turn: 3 };
	const disputed = [about("adds", { id: "F1", state: "disputed", dispute })];
	const said = (status: "withdrawn" | "upheld") => [{ finding: "F1", status, reason: "" }];
	expect(openDisputes(disputed)).toEqual([
		{ finding: "F1", test: "adds", reason: "no", evidence: null },
	]);
	expect(enter(disputed, ["adds"], said("upheld"))).toMatchObject([{ state: "upheld" }]);
	expect(enter(disputed, [], said("withdrawn"))).toMatchObject([{ state: "withdrawn" }]);
	expect(enter(disputed, ["adds"])).toEqual([]);
	expect(enter(disputed, [])).toMatchObject([{ state: "fixed" }]);
});

test("findings of the coach and of other subtasks are none of tests", () => {
	const own = about("adds", { subtask: "core" });
	const others = [aFinding(), about("adds", { subtask: null })];
	expect(testFindings([...others, own], "core")).toEqual([own]);
});

test("many failed tests become twenty findings, and a long message is cut", () => {
	const many = Array.from({ length: 50 }, (_none, index) => `t${index}`);
	expect(enter([], many)).toHaveLength(20);
	const result = { failing: [{ test: "adds", message: "x".repeat(5_000) }], answers: [] };
	const [cut] = verifiedFindings({ known: [], result, nextNumber: 1, turn: 1, subtask: null });
	expect(cut?.issue).toHaveLength(2_000);
});

test("what was settled stays settled, and every failing test that counts has an open finding", () => {
	const states: FindingState[] = [
		...(["open", "fixed", "reopened", "disputed", "upheld", "withdrawn", "overruled"] as const),
	];
	const names = ["a", "b", "c", "d"];
	const findings = fc
		.array(fc.constantFrom(...states), { maxLength: 4 })
		.map((all) =>
			all.map((state, index) => about(names[index] ?? "", { id: `F${index + 1}`, state })),
		);
	fc.assert(
		fc.property(findings, fc.subarray(names), (known, fails) => {
			const gone = withdrawnTests(known).map(({ test }) => test);
			const counted = fails.filter((name) => !gone.includes(name));
			const changed = new Map(enter(known, counted).map((finding) => [finding.id, finding]));
			const after = [...known.filter(({ id }) => !changed.has(id)), ...changed.values()];
			const open = after.filter(isOpen).map(({ test }) => test);
			expect(open.sort()).toEqual(counted.sort());
			expect(
				withdrawnTests(after)
					.map(({ test }) => test)
					.sort(),
			).toEqual(gone.sort());
		}),
	);
});
