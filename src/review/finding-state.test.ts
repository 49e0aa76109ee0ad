import { expect, test } from "vitest";
import type { Finding, FindingState, Severity } from "./finding.ts";
import { escalates, isBlocking, isOpen, wasUpheld } from "./finding-state.ts";

const finding = (over: Partial<Finding> = {}): Finding => ({
	id: "F1",
	issue: "burst is not refused",
	severity: "major",
	state: "open",
	file: null,
	line: null,
	criterion: null,
	suggestion: null,
	dispute: null,
	source: "coach",
	late: false,
	subtask: null,
	raisedTurn: 1,
	changedTurn: 1,
	...over,
});

test.each<[FindingState, boolean]>([
	["open", true],
	["reopened", true],
	["disputed", true],
	["upheld", true],
	["fixed", false],
	["withdrawn", false],
	["overruled", false],
])("a finding that is %s is open: %s", (state, open) => {
	expect(isOpen(finding({ state }))).toBe(open);
	expect(isBlocking(finding({ state }))).toBe(open);
});

test.each<[Severity, string | null, boolean, boolean]>([
	["minor", null, false, false],
	["minor", "a criterion", false, true],
	["major", null, false, true],
	["critical", null, false, true],
	["major", null, true, false],
])("a %s finding (criterion %s, late %s) blocks: %s", (severity, criterion, late, blocks) => {
	expect(isBlocking(finding({ severity, criterion, late }))).toBe(blocks);
});

test("a finding was upheld only in the turn in which it became so", () => {
	expect(wasUpheld(finding({ state: "upheld", changedTurn: 3 }), 3)).toBe(true);
	expect(wasUpheld(finding({ state: "upheld", changedTurn: 2 }), 3)).toBe(false);
	expect(wasUpheld(finding({ state: "disputed", changedTurn: 3 }), 3)).toBe(false);
});

test("a critical finding escalates when raised, when it becomes critical and when reopened, not while it stays", () => {
	const critical = finding({ severity: "critical" });
	expect(escalates(critical, undefined)).toBe(true);
	expect(escalates(critical, finding())).toBe(true);
	expect(escalates(critical, critical)).toBe(false);
	const reopened = finding({ severity: "critical", state: "reopened" });
	expect(escalates(reopened, finding({ severity: "critical", state: "fixed" }))).toBe(true);
	expect(escalates(reopened, reopened)).toBe(false);
	expect(escalates(finding(), undefined)).toBe(false);
	expect(escalates(finding({ severity: "critical", state: "fixed" }), undefined)).toBe(false);
});
