import { expect, test } from "vitest";
import { type VerdictReason, verdictReasonText } from "./verdict-reason.ts";

const PLACE = { id: "s-1", what: "ends_process", file: "src/a.js", line: 3 } as const;

test.each<[VerdictReason, string]>([
	[{ kind: "criterion_unmet", criterion: "refills" }, "criterion not met: refills"],
	[
		{ kind: "finding_open", id: "F1", severity: "major", state: "open", issue: "no refill" },
		"finding F1 (major) is open: no refill",
	],
	[
		{ kind: "check_short", check: "tests", status: "absent", why: "no test ran" },
		"required check tests is absent: no test ran",
	],
	[
		{ kind: "check_short", check: "tests", status: "error", why: null },
		"required check tests could not be judged",
	],
	[{ kind: "check_missing", check: "tests" }, "required check tests left no evidence"],
	[{ kind: "verification_short", why: "it failed" }, "verification: it failed"],
	[
		{ kind: "nothing_changed", why: "no test is named" },
		"nothing was changed, and it is not shown that the work was there already: no test is named",
	],
	[
		{ kind: "nothing_changed", why: null },
		"nothing was changed, and it is not shown that the work was there already",
	],
	[{ kind: "overruled", findings: ["F1", "F2"] }, "overruled: F1, F2"],
	[{ kind: "gate", tier: "T1", area: "verification", why: "lint failed" }, "gate T1: lint failed"],
])("a reason is told in one sentence: %j", (reason, sentence) => {
	expect(verdictReasonText(reason)).toBe(sentence);
});

test.each([
	[null, "nobody answered it"],
	["it hides a failure", "not accepted: it hides a failure"],
])("a suspicion that is not accepted (%j) is told with its place", (refusal, answer) => {
	const told = verdictReasonText({ kind: "suspicion_open", ...PLACE, refusal });
	expect(told).toContain("suspicion s-1 at src/a.js:3 (");
	expect(told).toContain(answer);
});
