import fc from "fast-check";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { AGENT_FAILURES } from "../kernel/roles.ts";
import { crashOf, failureOf, providerFailure } from "./failure-of.ts";

test.each([
	[429, "rate_limit_error", "rate_limit"],
	[429, "insufficient_quota", "quota_exhausted"],
	[429, "You exceeded your current quota, please check your plan and billing", "quota_exhausted"],
	[429, "RESOURCE_EXHAUSTED", "rate_limit"],
	[400, "Your credit balance is too low", "quota_exhausted"],
	[400, "prompt is too long: 210000 tokens > 200000 maximum", "context_limit"],
	[400, "context_length_exceeded", "context_limit"],
	[400, "invalid request: connection refused by tool", "unknown"],
	[401, "invalid x-api-key", "signed_out"],
	[403, "request timed out", "unknown"],
	[404, "no such model", "unknown"],
	[402, "", "quota_exhausted"],
	[408, "", "timeout"],
	[413, "", "context_limit"],
	[429, "", "rate_limit"],
	[500, "", "unavailable"],
	[503, "", "unavailable"],
	[529, "Overloaded", "unavailable"],
	[418, "", "unknown"],
	[402, "billing_error: server_error", "quota_exhausted"],
	[402, "request timed out", "quota_exhausted"],
	[413, "server_error: 503", "context_limit"],
	[422, "internal server error", "unknown"],
	[307, "network", "unknown"],
	[200, "server_error", "unavailable"],
	[504, "deadline exceeded", "timeout"],
	[425, "connection reset", "network"],
	[403, "secondary rate limit", "rate_limit"],
	[400, "Billing hard limit has been reached", "quota_exhausted"],
	[429, "Your account is not active, please check your billing details", "quota_exhausted"],
	[400, "Your prompt was flagged as potentially violating", "content_policy"],
	[500, "Cannot find module 'billing', see flagged.ts", "unavailable"],
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
	["We're currently experiencing high demand", "unavailable"],
	["The operation timed out", "timeout"],
	["blocked by content filter", "content_policy"],
	["Failed to authenticate. API Error: 403 Request not allowed", "signed_out"],
	["Invalid API key · Please run /login", "signed_out"],
	["Unable to connect to API (ECONNREFUSED)", "network"],
	["API Error: 529 Overloaded", "unavailable"],
	["who knows", "unknown"],
	["", "unknown"],
])("%j alone is %s", (text, failure) => {
	expect(failureOf({ text })).toBe(failure);
});

const OPENAI_RPM =
	"Rate limit reached for gpt-5 on requests per min (RPM): Limit 3. Please try again in 20s. Visit /account/billing";
const GOOGLE_PER_MINUTE =
	'You exceeded your current quota. {"quotaId":"GenerateRequestsPerMinutePerProjectPerModel"} {"retryDelay":"30s"}';

test.each([
	[429, OPENAI_RPM, "rate_limit"],
	[429, GOOGLE_PER_MINUTE, "rate_limit"],
	[undefined, GOOGLE_PER_MINUTE, "rate_limit"],
	[429, "Quota exceeded for metric x/requests_per_minute", "rate_limit"],
	[429, "Too many tokens per minute", "rate_limit"],
	[429, "quota exceeded, tokens per sec", "rate_limit"],
	[429, "quota exceeded for TPM", "rate_limit"],
	[429, "You exceeded your current quota. Please retry in 9m59s.", "rate_limit"],
	[429, "You exceeded your current quota. Please retry in 10m1s.", "quota_exhausted"],
	[429, "You exceeded your current quota: requestsPerDay. Please retry in 30s.", "quota_exhausted"],
	[429, "insufficient_quota. Please try again in 20s.", "quota_exhausted"],
	[400, "maximum context length, tokens per minute", "context_limit"],
	[400, "Your credit balance is too low for this tier's tokens per minute", "quota_exhausted"],
])("a limit is short by its window or its wait: status %s with %j is %s", (...row) => {
	const [status, text, failure] = row;
	expect(failureOf({ status, text })).toBe(failure);
});

test("a wait of at most 10 minutes makes a limit a short one, however it was told", () => {
	const text = "You exceeded your current quota";
	expect(failureOf({ status: 429, text, retryAfterMs: 600_000 })).toBe("rate_limit");
	expect(failureOf({ status: 429, text, retryAfterMs: 600_001 })).toBe("quota_exhausted");
});

test("how long to wait is told by a header, else by the words", () => {
	const text = "Rate limit: try again in 20s";
	expect(providerFailure({ text })).toEqual({ failure: "rate_limit", retryAfterMs: 20_000 });
	expect(providerFailure({ text, retryAfterMs: 5 })).toMatchObject({ retryAfterMs: 5 });
	expect(providerFailure({ text: "overloaded" })).toEqual({ failure: "unavailable" });
});

test.each([
	["Error: Cannot find module 'billing'", null],
	["panic: refusal.go:7: context window", null],
	["insufficient_quota.test.js failed: prompt too long, flagged", null],
	["Error: read ECONNRESET", "network"],
	["request timed out", "timeout"],
	["429 Too Many Requests", "rate_limit"],
	["", null],
])("a program's last words %j tell of %s", (line, failure) => {
	expect(crashOf(line)).toBe(failure);
});

test("any answer is one of the closed set", () => {
	const status = fc.option(fc.integer(), { nil: undefined });
	fc.assert(
		fc.property(status, fc.string(), (code, text) => {
			expect(AGENT_FAILURES).toContain(failureOf({ status: code, text }));
		}),
	);
});

thorough("a long text is searched in linear time", () => {
	expect(failureOf({ text: "hit your ".repeat(200_000) })).toBe("unknown");
});
