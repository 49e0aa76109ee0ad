import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { workflowJsonSchema } from "./json-schema.ts";

thorough("the committed JSON Schema is up to date: run node scripts/write-schema.ts", () => {
	const file = new URL("../../schema/workflow.schema.json", import.meta.url);
	expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(
		JSON.parse(JSON.stringify(workflowJsonSchema())),
	);
});

/** Paths of properties that lack a title or a description. */
function undescribed(schema: unknown, path: string): string[] {
	if (typeof schema !== "object" || schema === null) return [];
	return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
		if (key !== "properties" || typeof value !== "object" || value === null)
			return undescribed(value, path);
		return Object.entries(value).flatMap(([name, property]: [string, unknown]) => {
			const isDescribed =
				property !== null &&
				typeof property === "object" &&
				"title" in property &&
				"description" in property;
			return [
				...(isDescribed ? [] : [`${path}.${name}`]),
				...undescribed(property, `${path}.${name}`),
			];
		});
	});
}

test("every key of the file has a title and a description", () => {
	expect(undescribed(workflowJsonSchema(), "")).toEqual([]);
});
