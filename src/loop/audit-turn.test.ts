import fc from "fast-check";
import { expect, test } from "vitest";
import type { StepKey } from "../store/records.ts";
import { auditTurn } from "./audit-turn.ts";
import type { TaskReads } from "./node.ts";
import { aLog, scene } from "./scene.contract.ts";
import {
	type AuditedClaims,
	claimsStep,
	FALSE_REPORTS,
	falseReports,
	rowWith,
} from "./turn-claims.ts";

const wrong = { kind: "file", said: "modified", file: "b.js" } as const;
const audited = (part: Partial<AuditedClaims> = {}): AuditedClaims => ({
	player: "dev",
	judged: 1,
	false: [wrong],
	inARow: 1,
	since: "1.0",
	...part,
});

/** A turn 3 whose player reports that it modified these files, of which `a.js` is in the diff since the task began. */
function turn3(
	files: readonly string[] | null,
	{ before = {}, items = 0 }: { before?: Record<number, AuditedClaims>; items?: number } = {},
) {
	const claims = {
		player: "dev",
		from: "c2",
		files_created: [],
		tests_written: [],
		checks_passed: [],
	};
	const read: Pick<TaskReads, "step" | "claims"> = {
		step: <Result>({ step }: StepKey<Result>) => {
			const { step: claimed } = claimsStep({ runId: "r", taskId: "t" }, 3);
			const found =
				files !== null && step === claimed ? { ...claims, files_modified: files } : undefined;
			// The step of this name holds claims.
			return Promise.resolve(found as Result | undefined);
		},
		claims: (turn) => Promise.resolve(before[turn] ?? null),
	};
	const change = {
		path: "a.js",
		kind: "modified",
		oldMode: "",
		newMode: "",
		oldOid: "",
		newOid: "",
	};
	const { input } = scene({
		state: { turn: 3, items },
		read,
		// An earlier turn changed it.
		commits: {
			changes: (from) => Promise.resolve(from === "c0" ? [{ ...change, kind: "modified" }] : []),
		},
	});
	return auditTurn({ ...input, log: aLog(3) }, []);
}

test("what a player reported is held against the diff, and false reports are counted in a row", async () => {
	expect(await turn3(["a.js"])).toEqual(audited({ false: [], inARow: 0 }));
	expect(await turn3(["b.js"])).toEqual(audited());
	expect(await turn3(["b.js"], { before: { 2: audited() } })).toEqual(audited({ inARow: 2 }));
	expect(await turn3(null)).toBeNull();
});

test("the row is one of reports of the same player: turns without one, and another's, are passed over", async () => {
	const before = { 1: audited(), 2: audited({ player: "coach", false: [], inARow: 0 }) };
	expect(await turn3(["b.js"], { before })).toMatchObject({ inARow: 2 });
	expect(await turn3(["b.js"], { before: { 1: audited() } })).toMatchObject({ inARow: 2 });
});

test("a question to a person begins a new row, and so does a task that was reopened", async () => {
	const before = { 2: audited({ inARow: 2, since: "1.0" }) };
	expect(await turn3(["b.js"], { before, items: 1 })).toMatchObject({ inARow: 1, since: "1.1" });
	const reopened = { 2: audited({ inARow: 2, since: "0.0" }) };
	expect(await turn3(["b.js"], { before: reopened })).toMatchObject({ inARow: 1 });
});

test("a report that claims nothing neither adds to a row nor ends it; one that is right ends it", () => {
	const last = { inARow: 2, since: "1.0" };
	expect(rowWith({ judged: 0, false: [] }, last, "1.0")).toBe(2);
	expect(rowWith({ judged: 2, false: [] }, last, "1.0")).toBe(0);
	expect(rowWith({ judged: 2, false: [wrong] }, last, "1.0")).toBe(3);
	expect(rowWith({ judged: 2, false: [wrong] }, null, "1.0")).toBe(1);
});

test("a row never grows by more than the report that ends it, whatever was reported", () => {
	fc.assert(
		fc.property(fc.array(fc.nat(2)), (reports) => {
			let row = 0;
			let longest = 0;
			let since = 0;
			for (const report of reports) {
				const audit = { judged: report, false: report === 1 ? [wrong] : [] };
				row = rowWith(audit, { inARow: row, since: "1.0" }, "1.0");
				since = report === 2 ? 0 : since + (report === 1 ? 1 : 0);
				longest = Math.max(longest, since);
				expect(row).toBe(since);
			}
			expect(row).toBeLessThanOrEqual(longest);
		}),
	);
});

test("the row ends the task at its bound, not before, and not with a report that claims nothing", () => {
	const at = (inARow: number) => falseReports(audited({ inARow }));
	expect(FALSE_REPORTS).toBe(3);
	expect(at(2)).toBeNull();
	expect(at(3)).toEqual({ kind: "false_reports", agent: "dev", reports: 3, about: ["b.js"] });
	expect(falseReports(audited({ inARow: 3, false: [] }))).toBeNull();
	expect(falseReports(null)).toBeNull();
});
