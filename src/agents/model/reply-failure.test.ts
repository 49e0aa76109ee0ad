import type { FinishReason } from "ai";
import { expect, test } from "vitest";
import type { ModelReply } from "./ask-model.ts";
import { replyFailure } from "./model-agent.ts";

const reply = (rest: Partial<ModelReply>): ModelReply => ({
	text: "",
	transcript: "",
	error: null,
	finish: null,
	warnings: [],
	spent: null,
	...rest,
});

test.each<[FinishReason, string | null, string, string]>([
	["error", "overloaded_error", "unavailable", "ended with an error (overloaded_error)"],
	["error", "SAFETY filter", "content_policy", "ended with an error (SAFETY filter)"],
	["error", null, "unknown", "ended with an error"],
	["other", "RECITATION", "content_policy", "ended for another reason (RECITATION)"],
	["other", "who_knows", "unknown", "ended for another reason (who_knows)"],
	[
		...(["other", null, "network"] as const),
		"stopped before its answer was complete: the stream ended early",
	],
])("an end by %s (%s) is %s", (reason, raw, failure, message) => {
	expect(replyFailure(reply({ finish: { reason, raw } }), 0)).toEqual({
		failure,
		message,
		refused: false,
	});
});

test("an end by the model itself is not a failure", () => {
	expect(replyFailure(reply({ finish: { reason: "stop", raw: "end_turn" } }), 0)).toBeNull();
});

test.each([
	[402, "server_error", "quota_exhausted"],
	[413, "server_error", "context_limit"],
	[422, "server_error", "unknown"],
	[307, "network", "unknown"],
	[409, "server_error", "unavailable"],
])(
	"status %i with %j is %s: a caller who is refused is refused",
	(statusCode, message, failure) => {
		const error = { cause: { statusCode, message } };
		expect(replyFailure(reply({ error }), 0)).toMatchObject({ failure });
	},
);

test("the wait that a body or a message asks for is told where no header does", () => {
	const waited = (cause: object) => replyFailure(reply({ error: { cause } }), 0)?.retryAfterMs;
	const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17s" };
	const responseBody = JSON.stringify({ error: { details: [info] } });
	expect(waited({ statusCode: 429, responseBody })).toBe(17_000);
	expect(waited({ statusCode: 429, message: "Please try again in 20s." })).toBe(20_000);
	const responseHeaders = { "retry-after": "3" };
	expect(waited({ statusCode: 429, responseBody, responseHeaders })).toBe(3_000);
	expect(waited({ statusCode: 429 })).toBeUndefined();
});
