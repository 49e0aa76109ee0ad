import { expect, test } from "vitest";
import { canMove, isEnded, type TaskStatus } from "./task-state.ts";

const STATUSES: readonly TaskStatus[] = [
	"pending",
	"running",
	"needs_rework",
	"paused_for_human",
	"completed",
	"failed",
	"blocked",
	"cancelled",
];

test("staying is always legal", () => {
	for (const status of STATUSES) expect(canMove(status, status)).toBe(true);
});

test("a completed or cancelled task does not change", () => {
	for (const to of STATUSES) {
		expect(canMove("completed", to)).toBe(to === "completed");
		expect(canMove("cancelled", to)).toBe(to === "cancelled");
	}
});

test("nothing completes but what runs", () => {
	const sources = STATUSES.filter((from) => from !== "completed" && canMove(from, "completed"));
	expect(sources).toEqual(["running"]);
});

test("only a reopened task leaves failed, and only a waiting one leaves blocked", () => {
	expect(STATUSES.filter((to) => canMove("failed", to))).toEqual(["running", "failed"]);
	expect(STATUSES.filter((to) => canMove("blocked", to))).toEqual(["pending", "blocked"]);
});

test("ended are exactly those to which nothing more happens by itself", () => {
	expect(STATUSES.filter(isEnded)).toEqual(["completed", "failed", "blocked", "cancelled"]);
});
