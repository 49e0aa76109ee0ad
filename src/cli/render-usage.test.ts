import { expect, test } from "vitest";
import { renderCallUsage, renderKnownCost } from "../words/evidence-text.ts";
import { runEvent, runReport, taskReport, usageReport } from "./fakes.contract.ts";
import { noPaint } from "./paint.ts";
import { renderLine } from "./render-line.ts";
import { renderReport } from "./render-report.ts";
import { renderBudget, renderCost, renderUsage } from "./render-usage.ts";

const USED = usageReport({
	calls: 12,
	cost_usd: 0.42,
	unknown_cost_calls: 3,
	ms: 245_000,
	input_tokens: 1200,
	output_tokens: null,
});

test("cost is said plainly, and what is unknown is never zero", () => {
	expect(renderCost(USED)).toBe("$0.42, 3 calls of unknown cost");
	expect(renderCost({ ...USED, unknown_cost_calls: 1 })).toBe("$0.42, 1 call of unknown cost");
	expect(renderCost({ ...USED, unknown_cost_calls: 0 })).toBe("$0.42");
	expect(renderCost({ ...USED, cost_usd: null })).toBe("unknown");
	expect(renderCost(usageReport())).toBe("");
});

test("usage is one line with calls, time, cost and tokens", () => {
	expect(renderUsage(USED)).toBe(
		"12 calls, 4m 5s; $0.42, 3 calls of unknown cost; 1200 tokens in, ? out",
	);
	expect(renderUsage(usageReport({ calls: 1, ms: 900 }))).toBe("1 call, 0.9s; cost unknown");
	expect(renderUsage(usageReport({ ms: 900 }))).toBe("");
});

test("a budget names limit and use of what it limits", () => {
	const wall = { limit_ms: 14_400_000, spent_ms: 245_000 };
	expect(renderBudget({ usd: { limit: 10, spent: 0.42 }, wall })).toBe(
		"$0.42 of $10.00, 4m 5s of 4h 0m",
	);
	expect(renderBudget({ usd: { limit: 10, spent: null }, wall: null })).toBe(
		"no known cost of $10.00",
	);
});

test("a call shows the model that answered and its cost", () => {
	const usage = { inputTokens: 5, outputTokens: 1, costUsd: 0.0123, model: "some-model" };
	expect(renderCallUsage(usage)).toBe(", some-model, $0.0123");
	expect(renderCallUsage({ ...usage, costUsd: null })).toBe(", some-model, cost unknown");
	for (const odd of [null, undefined, "x", { model: 5, costUsd: "much" }])
		expect(renderCallUsage(odd)).toBe(", cost unknown");
	expect(renderCallUsage({ model: "a\u001b[2J" })).not.toContain("\u001b");
	expect([renderKnownCost(usage), renderKnownCost({ costUsd: null }), renderKnownCost(7)]).toEqual([
		", $0.0123",
		"",
		"",
	]);
});

test("a report shows the cost of each task and run, and the budgets", () => {
	const budget = { usd: { limit: 1, spent: 0.42 }, wall: null };
	const tasks = { limiter: taskReport({ usage: USED, budget }), docs: taskReport() };
	const text = renderReport({ ...runReport(), usage: USED, budget, tasks }, noPaint);
	expect(text).toMatch(/branch +cost\n/);
	expect(text).toMatch(/limiter .* \$0\.42, 3 calls of unknown cost\n/);
	expect(text).toContain(`used: ${renderUsage(USED)}`);
	expect(text).toContain("budget: $0.42 of $1.00\nbudget of limiter: $0.42 of $1.00");
	expect(renderReport(runReport(), noPaint)).not.toMatch(/cost|used:|budget/);
});

test("a run tells of a budget that runs out, and of what was added to it", () => {
	const warning = { scope: "run", limit: 10, spent: 8.2, unknown_cost_calls: 1 } as const;
	const line = (kind: "usd" | "wall") =>
		renderLine(runEvent("budget-warned", { ...warning, kind }, { task: null }), noPaint);
	expect(line("usd")).toBe(
		"82 % of the budget of the run is spent: $8.20 of $10.00; 1 call of unknown cost is not in it",
	);
	expect(line("wall")).toBe("82 % of the budget of the run is spent: 0.0s of 0.0s");
	const answered = runEvent("item-answered", {
		item: "H1",
		status: "RESOLVED",
		choice: "continue",
		added: { scope: "task", usd: 5, wall_ms: 60_000 },
	});
	expect(renderLine(answered, noPaint)).toContain(
		"H1 answered (yes), added to the budget of the task: $5.00 and 1m 0s",
	);
});
