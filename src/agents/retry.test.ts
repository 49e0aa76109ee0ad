import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT_FAILURES } from "../kernel/roles.ts";
import { retryAfter } from "./circuit.ts";

const passing = ["network", "unavailable", "rate_limit", "timeout", "tool_error"] as const;
const final = [
	"context_limit",
	"content_policy",
	"quota_exhausted",
	"signed_out",
	"unknown",
] as const;

test("failures that may pass are tried again after 2, 4 and 8 seconds, then not again", () => {
	for (const failure of passing) {
		expect([1, 2, 3, 4, 5].map((failed) => retryAfter(failure, failed))).toEqual([
			2_000,
			4_000,
			8_000,
			null,
			null,
		]);
	}
});

test("other failures are not tried again, whatever the provider says", () => {
	for (const failure of final) expect(retryAfter(failure, 1, 5_000)).toBeNull();
});

test("a longer Retry-After wins, a shorter or senseless one does not", () => {
	expect(retryAfter("rate_limit", 1, 30_000)).toBe(30_000);
	for (const asked of [0, 500, -1, Number.NaN])
		expect(retryAfter("rate_limit", 1, asked)).toBe(2_000);
});

test("nobody waits for more than 10 minutes", () => {
	const failure = fc.constantFrom(...AGENT_FAILURES);
	fc.assert(
		fc.property(failure, fc.integer(), fc.double(), (kind, failed, asked) => {
			const delay = retryAfter(kind, failed, asked);
			if (delay !== null) expect(delay >= 2_000 && delay <= 600_000).toBe(true);
		}),
	);
});
