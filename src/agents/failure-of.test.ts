import fc from "fast-check";
import { expect, test } from "vitest";
import { AGENT_FAILURES } from "../kernel/roles.ts";
import { failureOf } from "./failure-of.ts";

test.each([
	[429, "rate_limit_error", "rate_limit"],
	[429, "insufficient_quota", "quota_exhausted"],
	[429, "You exceeded your current quota, please check your plan and billing", "quota_exhausted"],
	[429, "RESOURCE_EXHAUSTED", "rate_limit"],
	[400, "Your credit balance is too low", "quota_exhausted"],
	[400, "prompt is too long: 210000 tokens > 200000 maximum", "context_limit"],
	[400, "context_length_exceeded", "context_limit"],
	[400, "invalid request: connection refused by tool", "unknown"],
	[401, "invalid x-api-key", "unknown"],
	[403, "request timed out", "unknown"],
	[404, "no such model", "unknown"],
	[402, "", "quota_exhausted"],
	[408, "", "timeout"],
	[413, "", "context_limit"],
	[429, "", "rate_limit"],
	[500, "", "network"],
	[503, "", "network"],
	[529, "Overloaded", "rate_limit"],
	[418, "", "unknown"],
])("status %s with %j is %s", (status, text, failure) => {
	expect(failureOf({ status, text })).toBe(failure);
});

test.each([
	["You've hit your 5-hour limit · resets 2:39am (UTC)", "quota_exhausted"],
	["You have reached your weekly limit", "quota_exhausted"],
	["You've hit your usage limit", "quota_exhausted"],
	["Rate limit reached for requests", "rate_limit"],
	["read ECONNRESET", "network"],
	["stream disconnected before completion", "network"],
	["We're currently experiencing high demand", "network"],
	["The operation timed out", "timeout"],
	["blocked by content filter", "content_policy"],
	["who knows", "unknown"],
	["", "unknown"],
])("%j alone is %s", (text, failure) => {
	expect(failureOf({ text })).toBe(failure);
});

test("any answer is one of the closed set", () => {
	const status = fc.option(fc.integer(), { nil: undefined });
	fc.assert(
		fc.property(status, fc.string(), (code, text) => {
			expect(AGENT_FAILURES).toContain(failureOf({ status: code, text }));
		}),
	);
});

test("a long text is searched in linear time", () => {
	expect(failureOf({ text: "hit your ".repeat(200_000) })).toBe("unknown");
});
