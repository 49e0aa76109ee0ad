import { expect, test } from "vitest";
import { task } from "../store/record-builders.contract.ts";
import { NO_SPENDING, spendingOf } from "../store/spending.ts";
import { estimateOf, estimateText } from "./estimate.ts";

interface Spent {
	readonly calls: number;
	readonly workMs: number;
	readonly costUsd: number | null;
	readonly merged?: boolean;
}

/** Records of runs, the newest first, each with one task. */
function recordsOf(runs: readonly Spent[]) {
	const of = (runId: string): Spent => {
		const spent = runs[Number(runId)];
		if (spent === undefined) throw new Error(`no run ${runId}`);
		return spent;
	};
	const asked: number[] = [];
	const records = {
		runPage: async ({ limit }: { readonly limit: number }) => {
			asked.push(limit);
			return runs.slice(0, limit).map((_, at) => ({ runId: String(at) }));
		},
		tasks: async (runId: string) => [task({ merged: of(runId).merged ?? true })],
		spending: async (runId: string) => {
			const { merged: _, ...spent } = of(runId);
			return { ...NO_SPENDING, tasks: [{ ...spendingOf(NO_SPENDING, task().taskId), ...spent }] };
		},
	};
	return { asked, records: records as unknown as Parameters<typeof estimateOf>[0] };
}

test("an estimate is the median of what came through; what failed tells nothing", async () => {
	const { records } = recordsOf([
		{ calls: 2, workMs: 60_000, costUsd: 0.1 },
		{ calls: 9, workMs: 900_000, costUsd: 3, merged: false },
		{ calls: 8, workMs: 300_000, costUsd: null },
		{ calls: 4, workMs: 120_000.4, costUsd: 0.5 },
	]);
	expect(await estimateOf(records)).toEqual({ from: 3, calls: 4, ms: 120_000, cost_usd: 0.1 });
});

test("without a task that came through there is none, and old runs are not looked at", async () => {
	const failed = { calls: 1, workMs: 1, costUsd: null, merged: false };
	const { records, asked } = recordsOf([
		...Array.from({ length: 10 }, () => failed),
		{ ...failed, merged: true },
	]);
	expect(await estimateOf(records)).toBeNull();
	expect(asked).toEqual([10]);
});

test("an estimate is one sentence, without money where nobody tells it", () => {
	const one = { from: 1, calls: 1, ms: 61_000, cost_usd: null };
	expect(estimateText(one)).toBe(
		"about 1 call and 1m 1s a task, by the last one that came through here",
	);
	expect(estimateText({ ...one, from: 5, calls: 4, cost_usd: 0.42 })).toBe(
		"about 4 calls, 1m 1s and $0.42 a task, by the last 5 that came through here",
	);
});
