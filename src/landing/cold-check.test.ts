import { expect, test } from "vitest";
import { evidence } from "../evidence/evidence.fixture.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { treeOf } from "../git/changes.ts";
import { commitAll, scene, writeFiles } from "../git/scratch.fixture.ts";
import { maskerFor } from "../masking/masking.ts";
import { run } from "../store/record-builders.contract.ts";
import { landingBaseline, redText } from "./cold-check.ts";

const SECRET = "hunter2hunter2";
const masker = maskerFor([{ value: SECRET, rule: "env" }]);
const failed = (...ids: string[]) => ids.map((id) => ({ id, status: "failed" as const }));
const red = (part: Partial<Evidence> = {}): Evidence =>
	evidence({
		check: "tests",
		status: "fail",
		reason: "1 of 3 tests failed",
		cases: failed("adds"),
		outputPath: "runs/r1/evidence/landing/assembled-tests.log",
		...part,
	});
const told = (pieces: readonly Evidence[], hasFiles = true, baseline: readonly Evidence[] = []) =>
	redText(pieces, { masker, hasFiles, baseline: new Map(baseline.map((one) => [one.check, one])) });

test("names the tests that failed and where the output is", () => {
	expect(told([red()])).toBe(
		"tests failed: 1 of 3 tests failed: adds; output: .sparring/runs/r1/evidence/landing/assembled-tests.log",
	);
	expect(told([red({ status: "pass" })])).toBeNull();
});

test("names neither what failed before nor a file that lies elsewhere, counts what is more, and masks", () => {
	const cases = failed("old", "a", "b", `c ${SECRET}`, "d");
	const before = red({ cases: failed("old") });
	const text = told([red({ cases })], false, [before]) ?? "";
	expect(text).toBe(`tests failed: 1 of 3 tests failed: a, b, c ${masker.mask(SECRET)} and 1 more`);
});

test("a check without a value says what it printed, and of many checks two are told in full", () => {
	const silent = red({
		status: "error",
		reason: "exit code 127",
		cases: null,
		outputPath: null,
		outputTail: "sh: vitest: not found\n",
	});
	const text = told(["a", "b", "c", "d"].map((check) => ({ ...silent, check })));
	expect(text).toMatch(
		/^a .*: exit code 127: "sh: vitest: not found"; b .*; also without a pass: c, d$/,
	);
});

test("known at a landing is what failed when the run began and at its last merge, not what either has alone", async () => {
	const { user, vault, base } = await scene();
	writeFiles(user, { "b.txt": "b\n" });
	const merged = commitAll(user);
	const failing = new Map([
		[await treeOf(vault, base), failed("old", "made green")],
		[await treeOf(vault, merged), failed("old", "broken since")],
	]);
	const records = {
		evidenceFor: async (_run: string, tree: string) =>
			red({ tree, cases: failing.get(tree) ?? [] }),
	};
	const of = {
		run: run({ baseCommit: base }),
		workflow: { checks: [{ name: "tests" }] },
		store: { records },
	};
	const known = (await landingBaseline(of, vault, merged)).get("tests")?.cases;
	expect(known?.filter(({ status }) => status === "failed").map(({ id }) => id)).toEqual(["old"]);
});
