import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT_FAILURES, type AgentFailure } from "../kernel/roles.ts";
import { afterCall, CLOSED, isOpen, speaksOfTask } from "./circuit.ts";

const NOW = 1_000_000;

const after = (...outcomes: readonly (AgentFailure | "answered")[]) =>
	outcomes.reduce((circuit, outcome) => afterCall(circuit, outcome, NOW), CLOSED);

test("four failed calls in a row open the circuit for 60 s, three do not", () => {
	expect(isOpen(after("network", "timeout", "rate_limit"), NOW)).toBe(false);
	const open = after("network", "timeout", "rate_limit", "unknown");
	expect(isOpen(open, NOW)).toBe(true);
	expect(isOpen(open, NOW + 59_999)).toBe(true);
	expect(isOpen(open, NOW + 60_000)).toBe(false);
});

test("a spent quota opens it at once, for as long as the provider says, else for 10 minutes", () => {
	expect(afterCall(CLOSED, "quota_exhausted", NOW, 5_000).openUntil).toBe(NOW + 5_000);
	expect(after("quota_exhausted").openUntil).toBe(NOW + 600_000);
});

test("an answer closes it", () => {
	expect(after("quota_exhausted", "answered")).toEqual(CLOSED);
});

test("a failed trial after the cool-down opens it again", () => {
	const cooled = after("network", "network", "network", "network");
	expect(isOpen(afterCall(cooled, "network", NOW + 70_000), NOW + 70_000)).toBe(true);
});

test("two failures speak of the task, and no other outcome does", () => {
	expect(["answered", ...AGENT_FAILURES].filter(speaksOfTask)).toEqual([
		"context_limit",
		"content_policy",
	]);
});

test("failures that speak of the task never open it", () => {
	fc.assert(
		fc.property(
			fc.array(fc.constantFrom<AgentFailure>("context_limit", "content_policy")),
			(all) => {
				expect(after(...all)).toEqual(CLOSED);
			},
		),
	);
});

test("whatever happened, an answer brings it back", () => {
	fc.assert(
		fc.property(fc.array(fc.constantFrom(...AGENT_FAILURES)), (all) => {
			expect(after(...all, "answered")).toEqual(CLOSED);
		}),
	);
});
