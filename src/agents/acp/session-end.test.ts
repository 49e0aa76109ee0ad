import { expect, test } from "vitest";
import { crashFailure, requestFailure } from "./session-end.ts";

/** An error as the protocol's library throws it. */
const thrown = (message: string, data?: unknown): Error =>
	Object.assign(new Error(message), { code: -32_603, data });

test("a limit that an agent hands on is told with the wait that the provider asks for", () => {
	const data = { status: 429, message: "tokens per min: please try again in 20s, see billing" };
	expect(requestFailure(thrown("Internal error", data), "session/prompt")).toMatchObject({
		failure: "rate_limit",
		retryAfterMs: 20_000,
	});
	const quota = requestFailure(thrown("insufficient_quota"), "session/prompt");
	expect(quota).toEqual({
		failure: "quota_exhausted",
		message: "answered session/prompt with an error: insufficient_quota",
	});
});

test.each([
	["read ECONNRESET", "network"],
	["429 Too Many Requests", "rate_limit"],
	["Cannot find module 'insufficient_quota'", "tool_error"],
	["panic: refusal.go:7", "tool_error"],
	["", "tool_error"],
])("a program whose last words are %j failed by %s", (line, failure) => {
	const end = { exitCode: 1, signal: null, stderr: `first\n${line}\n`, endedItself: true };
	expect(crashFailure(end, "session/prompt")).toMatchObject({ failure });
});
