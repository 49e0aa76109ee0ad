import { expect, test } from "vitest";
import { wayForward } from "./prune-runs.ts";

const run = { runId: "r1", branch: "sparring/r1/integration" };
const merged = { merged: true, status: "completed" } as const;
const failed = { merged: false, status: "failed" } as const;
const cancelled = { merged: false, status: "cancelled" } as const;
const work = (branch: string) => [{ branch: `sparring/r1/${branch}` }];

test.each([
	["what merged", [merged, failed], work("integration"), "Land it (spar land r1), or remove"],
	[
		"a failed task",
		[merged, failed],
		work("bad"),
		"Finish it (spar resume r1 --max-turns N), or remove",
	],
	["a cancelled task", [merged, cancelled], work("bad"), "Remove"],
	[
		"nothing merged",
		[failed],
		work("integration"),
		"Finish it (spar resume r1 --max-turns N), or remove",
	],
] as const)("pruning names a way that brings in the work of %s", (_of, tasks, unmerged, way) => {
	expect(wayForward(run, tasks, unmerged)).toBe(way);
});
