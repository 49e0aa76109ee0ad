import { expect, test } from "vitest";
import { anItem } from "../human/item-builder.contract.ts";
import type { RunOverview } from "../store/overviews.ts";
import { task } from "../store/record-builders.contract.ts";
import { runSummary } from "./run-summary.ts";

const answer = {
	choice: "continue",
	directive: null,
	notes: null,
	reason: null,
	answeredAt: "2026-11-21T22:05:09.000Z",
} as const;

const items = [
	anItem({ id: "open" }),
	anItem({ id: "answered", status: "RESOLVED", answer }),
	anItem({ id: "acted-on", status: "RESOLVED", answer, consumed: true }),
];

const overview: RunOverview = {
	runId: "r1",
	workflow: "limiter",
	status: "running",
	baseBranch: "main",
	createdAt: "2026-11-21T22:05:09.000Z",
	endedAt: null,
	landedCommit: null,
	cancelRequested: false,
	pruned: false,
	total: 5,
	completed: 1,
	failed: 0,
	blocked: 0,
	cancelled: 0,
	waiting: 4,
	costUsd: null,
	unknownCalls: 0,
	heldMs: 0,
};

test("a run in a line says who holds it, and how many of its waiting tasks have an answer to go on with", async () => {
	const waits = (humanItem: string | null) =>
		task({ taskId: humanItem ?? "none", status: "paused_for_human", humanItem });
	const asked: string[] = [];
	const records = {
		tasks: async () => [
			waits("open"),
			waits("answered"),
			waits("acted-on"),
			waits(null),
			task({ taskId: "done", status: "completed", humanItem: "answered" }),
		],
		item: async (id: string) => {
			asked.push(id);
			return items.find((item) => item.id === id);
		},
	};
	const holder = { host: "here", pid: 4711, since: "", seenAt: "" };
	const leases = { holder: async () => holder };
	const summary = await runSummary({ records, leases }, overview);
	expect(summary.holder).toBe("here:4711");
	expect(summary.tasks).toMatchObject({ total: 5, completed: 1, waiting: 4, answered: 1 });
	// What has no question to wait with is not looked up, however much was asked before.
	expect(asked).toEqual(["open", "answered", "acted-on"]);
	const free = { holder: async () => undefined };
	const alone = await runSummary({ records, leases: free }, overview);
	expect(alone).toHaveProperty("shared", false);
	expect(alone.holder).toBeNull();
	const shared = await runSummary({ records, leases: free, machines: {} }, overview);
	expect(shared.shared).toBe(true);
});
