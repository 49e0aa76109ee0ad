import { expect, test } from "vitest";
import { ROLES } from "../kernel/roles.ts";
import { reportSchema } from "./report.ts";

type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

function properties(schema: Schema): Schema {
	const found = schema["properties"];
	return isSchema(found) ? found : {};
}

/** All schemas of objects in a schema, itself included. */
function objects(schema: Schema): Schema[] {
	const inside = Object.values(schema).filter(isSchema).flatMap(objects);
	return schema["type"] === "object" ? [schema, ...inside] : inside;
}

test("each object lists every property as required and allows no other, as strict modes want", () => {
	for (const role of ROLES) {
		for (const schema of objects(reportSchema(role) ?? {})) {
			expect(schema["required"]).toEqual(Object.keys(properties(schema)));
			expect(schema["additionalProperties"]).toBe(false);
		}
	}
});

test("the root is an object, and nothing is used that a strict mode does not know", () => {
	const known = new Set([
		"type",
		"properties",
		"required",
		"additionalProperties",
		"items",
		"enum",
	]);
	const keywords = (schema: Schema): string[] => [
		...Object.keys(schema),
		...Object.values(properties(schema)).filter(isSchema).flatMap(keywords),
		...(isSchema(schema["items"]) ? keywords(schema["items"]) : []),
	];
	for (const role of ROLES) {
		const schema = reportSchema(role);
		if (schema === null) continue;
		expect(schema["type"]).toBe("object");
		expect(keywords(schema).filter((word) => !known.has(word))).toEqual([]);
	}
});

test("only the planner, whose tasks have names of their own choice, has none", () => {
	expect(ROLES.filter((role) => reportSchema(role) === null)).toEqual(["planner"]);
});

test("a coach's report has both words for its decision, and needs one of them", () => {
	expect(properties(reportSchema("coach") ?? {})).toMatchObject({
		decision: { type: "string", enum: ["approve", "feedback"] },
		challenger_approved: { type: ["boolean", "null"] },
	});
});
