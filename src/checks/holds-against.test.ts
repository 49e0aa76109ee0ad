import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { holdsAgainst } from "./holds-against.ts";

const piece = (part: Partial<Evidence> = {}): Evidence =>
	evidence({ check: "tests", status: "pass", counts: null, cases: null, ...part });
const against = (before: Evidence) => new Map([["tests", before]]);
const cases = (...ids: readonly string[]) => ids.map((id) => ({ id, status: "passed" }) as const);

test("a pass by exit code alone holds", () => {
	expect(holdsAgainst(["tests"], [piece()], new Map())).toBe(true);
});

test("a check without evidence, or whose last run did not pass, does not", () => {
	expect(holdsAgainst(["tests"], [], new Map())).toBe(false);
	expect(holdsAgainst(["tests"], [piece(), piece({ status: "fail" })], new Map())).toBe(false);
});

test("a pass that rests on a known failure, or on known problems, does not hold", () => {
	const counts = { total: 2, passed: 1, failed: 0, skipped: 0, knownFailing: 1 };
	expect(holdsAgainst(["tests"], [piece({ counts })], new Map())).toBe(false);
	const results = { fresh: 0, weight: 0, fingerprints: ["f"] };
	expect(holdsAgainst(["tests"], [piece({ results })], new Map())).toBe(false);
});

test("a case that passed at the baseline and did not run does not hold", () => {
	const ran = piece({ cases: cases("a", "b") });
	expect(holdsAgainst(["tests"], [ran], against(piece({ cases: cases("a") })))).toBe(true);
	expect(holdsAgainst(["tests"], [ran], against(piece({ cases: cases("c") })))).toBe(false);
	const skipped = piece({ cases: [{ id: "a", status: "skipped" }] });
	expect(holdsAgainst(["tests"], [skipped], against(piece({ cases: cases("a") })))).toBe(false);
});
