import fc from "fast-check";
import { expect, test } from "vitest";
import { reportedUsage } from "./command-agent.ts";

test("what a report says of its usage is taken, and the rest is unknown", () => {
	expect(
		reportedUsage('{"decision":"approve","usage":{"cost_usd":0.25,"input_tokens":10}}'),
	).toEqual({ costUsd: 0.25, inputTokens: 10, outputTokens: null, model: null });
	expect(reportedUsage('{"usage":{"cost_usd":0}}')).toMatchObject({ costUsd: 0 });
});

test.each([
	null,
	"",
	"{",
	"[]",
	"null",
	'"usage"',
	"{}",
	'{"usage":null}',
	'{"usage":3}',
	'{"usage":{}}',
	'{"usage":{"cost_usd":-1,"input_tokens":"10","output_tokens":null}}',
	'{"usage":{"cost_usd":1e999}}',
])("%j says nothing of it", (report) => {
	expect(reportedUsage(report)).toBeNull();
});

test("no text makes it throw or give an amount below zero", () => {
	fc.assert(
		fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
			const usage = reportedUsage(`{"usage":${text}}`);
			for (const value of [usage?.costUsd, usage?.inputTokens, usage?.outputTokens])
				expect(value ?? 0).toBeGreaterThanOrEqual(0);
		}),
	);
});
