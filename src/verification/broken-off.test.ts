import { expect, test } from "vitest";
import { admit, killedBy } from "./suite.ts";
import type { TestRun } from "./test-run.ts";

const whole = { id: "sh test/limit.test.sh", status: "failed" } as const;
const said = { problem: null, notLoaded: [], tail: "", outputPath: null, ms: 1 } as const;
/** Prints a plan and a point where the product works, and breaks off behind the plan where it does not. */
const named: TestRun = {
	...said,
	status: "pass",
	cases: [{ id: "works", status: "passed" }],
	namesPassed: true,
	ran: 1,
};
const brokenOff: TestRun = {
	...said,
	status: "fail",
	cases: [whole],
	namesPassed: false,
	ran: null,
};

test("a run that breaks off before it names a case fails as a whole", () => {
	expect(admit(named, brokenOff)).toMatchObject({ kind: "valid", proof: { test: whole.id } });
	expect(killedBy(named, brokenOff, "a.sh:1")).toMatchObject({ kind: "kills_mutant" });
	expect(killedBy({ ...named, status: "fail" }, brokenOff, "a.sh:1")).toBeNull();
	expect(admit(named, { ...brokenOff, notLoaded: [whole.id] })).toEqual({ kind: "undecided" });
	expect(admit(named, { ...brokenOff, ran: 1 })).toEqual({ kind: "undecided" });
});
