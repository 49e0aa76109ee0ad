import { describe, expect, test } from "vitest";
import { apiError } from "./model-agent.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

describe("the wait that a provider asks for", () => {
	const asked = (fields: Readonly<Record<string, unknown>>): number | undefined =>
		apiError({ statusCode: 429, ...fields }, NOW).retryAfterMs;

	test.each([
		["7", 7_000],
		["0.5", 500],
		["Sat, 21 Nov 2026 12:00:30 GMT", 30_000],
		["Sat, 21 Nov 2026 11:00:00 GMT", 0],
		["soon", undefined],
		["-3", undefined],
		["", undefined],
	])("of Retry-After %j is %j ms", (header, ms) => {
		expect(asked({ responseHeaders: { "retry-after": header } })).toBe(ms);
	});

	test("of milliseconds wins over that of seconds", () => {
		const responseHeaders = { "retry-after": "9", "retry-after-ms": "1500" };
		expect(asked({ responseHeaders })).toBe(1_500);
	});

	test("is found in a wrapped error", () => {
		const inner = { statusCode: 503, responseHeaders: { "retry-after": "2" } };
		expect(apiError({ message: "gave up", cause: inner }, NOW)).toMatchObject({
			status: 503,
			retryAfterMs: 2_000,
		});
	});
});

test("a message names the error and what is behind it, once", () => {
	const cause = new Error("connect ECONNREFUSED 127.0.0.1:1");
	const outer = new Error("Cannot connect to API", { cause });
	expect(apiError(outer, NOW).message).toBe(
		"Cannot connect to API: connect ECONNREFUSED 127.0.0.1:1",
	);
	expect(apiError(new Error("same", { cause: new Error("same") }), NOW).message).toBe("same");
});

test("neither headers nor what was sent are told", () => {
	const error = {
		message: "no",
		responseHeaders: { "set-cookie": "hidden-1" },
		requestBodyValues: { prompt: "hidden-2" },
		url: "http://127.0.0.1/?key=hidden-3",
	};
	expect(JSON.stringify(apiError(error, NOW))).not.toContain("hidden");
});

test.each([
	null,
	undefined,
	7,
	"",
	"text",
	[],
	{},
	() => 1,
	Symbol("s"),
	{ message: {} },
	{ statusCode: "429" },
	{ data: 1n },
	{ responseHeaders: "no" },
	{ cause: { cause: null } },
])("an error of any shape has a message: case %#", (error) => {
	const { message, status } = apiError(error, NOW);
	expect(message).not.toBe("");
	expect(status).toBeUndefined();
});

test("errors that wrap each other in a circle, and huge bodies, are bounded", () => {
	const circle: { message: string; cause?: unknown; responseBody: string } = {
		message: "m".repeat(100_000),
		responseBody: "b".repeat(1_000_000),
	};
	circle.cause = circle;
	const { message, text } = apiError(circle, NOW);
	expect(message.length).toBeLessThanOrEqual(500);
	expect(text.length).toBeLessThan(300_000);
});

test("a message is one line without control characters", () => {
	expect(apiError(new Error("a\n\u001b[31mb\tc"), NOW).message).toBe("a [31mb c");
});
