import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AGENT_FAILURES, type AgentFailure } from "../kernel/roles.ts";
import { afterCall, type CallTimes, CLOSED, isOpen, speaksOfTask } from "./circuit.ts";

const NOW = 1_000_000;

/** A call that began when the one before had ended. */
const at = (endedAt: number, retryAfterMs?: number): CallTimes => ({
	startedAt: endedAt,
	endedAt,
	retryAfterMs,
});

const after = (...outcomes: readonly (AgentFailure | "answered")[]) =>
	outcomes.reduce((circuit, outcome) => afterCall(circuit, outcome, at(NOW)), CLOSED);

test("four failed calls in a row open the circuit for 60 s, three do not", () => {
	expect(isOpen(after("network", "timeout", "rate_limit"), NOW)).toBe(false);
	const open = after("network", "timeout", "rate_limit", "unknown");
	expect(isOpen(open, NOW)).toBe(true);
	expect(isOpen(open, NOW + 59_999)).toBe(true);
	expect(isOpen(open, NOW + 60_000)).toBe(false);
});

test("a spent quota opens it at once, for as long as the provider says, else for 10 minutes", () => {
	expect(afterCall(CLOSED, "quota_exhausted", at(NOW, 5_000)).openUntil).toBe(NOW + 5_000);
	expect(after("quota_exhausted").openUntil).toBe(NOW + 600_000);
});

test("an answer closes it", () => {
	expect(after("quota_exhausted", "answered")).toEqual(CLOSED);
});

test("a failed trial after the cool-down opens it again", () => {
	const cooled = after("network", "network", "network", "network");
	expect(isOpen(afterCall(cooled, "network", at(NOW + 70_000)), NOW + 70_000)).toBe(true);
});

describe("calls that overlap", () => {
	const early = (endedAt: number, retryAfterMs?: number): CallTimes => ({
		startedAt: NOW - 1_000,
		endedAt,
		retryAfterMs,
	});

	test("that fail together are one failure, however many tasks they belong to", () => {
		let circuit = CLOSED;
		for (let task = 0; task < 20; task += 1)
			circuit = afterCall(circuit, "network", early(NOW + task));
		expect(circuit.failures).toBe(1);
		expect(isOpen(circuit, NOW + 20)).toBe(false);
	});

	test("and began before a quota was spent do not say by their answer that it is back", () => {
		const spent = afterCall(CLOSED, "quota_exhausted", at(NOW));
		expect(afterCall(spent, "answered", early(NOW + 5))).toBe(spent);
		expect(afterCall(spent, "answered", at(NOW + 5))).toEqual(CLOSED);
	});

	test("and meet the same spent quota leave it spent for the longest time that was said", () => {
		const spent = afterCall(CLOSED, "quota_exhausted", at(NOW, 3_600_000));
		const again = afterCall(spent, "quota_exhausted", early(NOW + 5));
		expect(again).toMatchObject({ failures: 1, openUntil: NOW + 3_600_000 });
		const later = afterCall(again, "quota_exhausted", at(NOW + 10, 5_000));
		expect(later).toMatchObject({ failures: 2, openUntil: NOW + 5_010 });
	});

	test("bring an agent back by an answer as long as its circuit is not open", () => {
		expect(afterCall(after("network"), "answered", early(NOW + 5))).toEqual(CLOSED);
	});
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
