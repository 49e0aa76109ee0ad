import { expect, test } from "vitest";
import type { FindingState, Severity } from "./finding.ts";
import { aFinding } from "./finding-builder.fixture.ts";
import { escalates, isBlocking, isOpen, wasUpheld, withRuling } from "./finding-state.ts";

test.each<[FindingState, boolean]>([
	["open", true],
	["reopened", true],
	["disputed", true],
	["upheld", true],
	["fixed", false],
	["withdrawn", false],
	["overruled", false],
])("a finding that is %s is open: %s", (state, open) => {
	expect(isOpen(aFinding({ state }))).toBe(open);
	expect(isBlocking(aFinding({ state }))).toBe(open);
});

test.each<[Severity, string | null, boolean, boolean]>([
	["minor", null, false, false],
	["minor", "a criterion", false, true],
	["major", null, false, true],
	["critical", null, false, true],
	["major", null, true, false],
])("a %s finding (criterion %s, late %s) blocks: %s", (severity, criterion, late, blocks) => {
	expect(isBlocking(aFinding({ severity, criterion, late }))).toBe(blocks);
});

test("a finding was upheld only in the turn in which it became so", () => {
	expect(wasUpheld(aFinding({ state: "upheld", changedTurn: 3 }), 3)).toBe(true);
	expect(wasUpheld(aFinding({ state: "upheld", changedTurn: 2 }), 3)).toBe(false);
	expect(wasUpheld(aFinding({ state: "disputed", changedTurn: 3 }), 3)).toBe(false);
});

test("a critical finding escalates when raised, when it becomes critical and when reopened, not while it stays", () => {
	const critical = aFinding({ severity: "critical" });
	expect(escalates(critical, undefined)).toBe(true);
	expect(escalates(critical, aFinding())).toBe(true);
	expect(escalates(critical, critical)).toBe(false);
	const reopened = aFinding({ severity: "critical", state: "reopened" });
	expect(escalates(reopened, aFinding({ severity: "critical", state: "fixed" }))).toBe(true);
	expect(escalates(reopened, reopened)).toBe(false);
	expect(escalates(aFinding(), undefined)).toBe(false);
	expect(escalates(aFinding({ severity: "critical", state: "fixed" }), undefined)).toBe(false);
});

test("a decision for the player overrules a finding, and one against it lets it stand", () => {
	const ruling = { by: "person", rationale: "", turn: 3 } as const;
	const finding = aFinding({ state: "upheld", changedTurn: 2 });
	const overruled = withRuling(finding, { ...ruling, decision: "PASS" });
	expect(overruled).toMatchObject({ state: "overruled", changedTurn: 3 });
	const standing = withRuling(finding, { ...ruling, decision: "FAIL" });
	expect(standing).toMatchObject({ state: "upheld", changedTurn: 2, ruling: { decision: "FAIL" } });
});
