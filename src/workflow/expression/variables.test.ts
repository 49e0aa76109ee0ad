import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isVariable, suggestVariable, VARIABLE_NAMES } from "./variables.ts";

test("every metric that a workflow can name is a variable, and no other", () => {
	const schema = readFileSync("schema/workflow.schema.json", "utf8");
	const types = /"enum": \[([^\]]*"llm_judge"[^\]]*)\]/.exec(schema)?.[1];
	const metrics: unknown = JSON.parse(`[${types}]`);
	expect(
		VARIABLE_NAMES.filter((name) => name.startsWith("metrics.")).map((name) => name.slice(8)),
	).toEqual(metrics);
});

test("what every object inherits is not a variable", () => {
	for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__", ""])
		expect(isVariable(name)).toBe(false);
});

test("a name that is not in the table gets the likely one", () => {
	expect(suggestVariable("loop.trun")).toBe('did you mean "loop.turn"?');
	expect(suggestVariable("pair.challenger_aproved")).toBe(
		'did you mean "pair.challenger_approved"?',
	);
	expect(suggestVariable("True")).toBe('did you mean "true"?');
	expect(suggestVariable("findings")).toBe("write findings.open or findings.blocking");
	expect(suggestVariable("PASS")).toBe('write "PASS", with quotes');
	expect(suggestVariable("pair.ok")).toBe(
		"expected one of: pair.challenger_approved, pair.iteration",
	);
	expect(suggestVariable("x")).toMatch(/^expected one of: pair\.challenger_approved, /);
});
