import { expect, test } from "vitest";
import { claimOf, findingKey, higherSeverity, isTouched } from "./claim.ts";

test("an item's criterion is the task's own text, else none", () => {
	const item = { issue: "x", severity: "minor" as const };
	expect(claimOf({ ...item, criterion: "refills." }, ["Refills"]).criterion).toBe("Refills");
	expect(claimOf({ ...item, criterion: "other" }, ["Refills"]).criterion).toBeNull();
	expect(claimOf(item, ["Refills"]).criterion).toBeNull();
});

test("blank texts count as left out, and a file loses its ./", () => {
	const item = { issue: "x", severity: "minor" as const, suggestion: " ", line: 3 };
	expect(claimOf({ ...item, file: "././a b.js" }, [])).toMatchObject({
		file: "a b.js",
		suggestion: null,
		line: 3,
	});
	expect(claimOf({ issue: "x", severity: "minor", file: " ", suggestion: "y" }, [])).toMatchObject({
		file: null,
		suggestion: "y",
		line: null,
	});
});

test("severities are ordered", () => {
	expect(higherSeverity("minor", "critical")).toBe("critical");
	expect(higherSeverity("major", "minor")).toBe("major");
});

test("Sparring's own finding is recognised by its criterion, whatever the coach's words beside it", () => {
	const issue = "Criterion not met: Refills\nnot seen";
	expect(findingKey({ issue, source: "criterion", criterion: "Refills" })).toBe(
		"criterion not met: refills",
	);
	expect(findingKey({ issue, source: "criterion", criterion: null })).toContain("not seen");
	expect(findingKey({ issue, source: "coach", criterion: "Refills" })).toContain("not seen");
});

test.each([
	["src/a.js", true],
	["src/a.js:12", true],
	["src/a.js:12:3", true],
	["/checkout/src/a.js", true],
	["a.js", true],
	["src", true],
	["src/", true],
	["src/b.js", false],
	["rc/a.js", false],
])("%s is among the changed files: %s", (file, touched) => {
	expect(isTouched(new Set(["src/a.js"]), file)).toBe(touched);
});
