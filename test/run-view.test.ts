import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
	VIEW_SCHEMA,
	VIEW_TABLE,
	viewSchema,
	viewShape,
	viewTable,
} from "../scripts/view-schema.ts";
import { aRunView } from "../src/view/run-view.fixture.ts";
import { thorough } from "./support/amount.ts";

const schema = viewSchema();
const words = (text: string): string => text.replaceAll(/ {2,}|-{3,}/g, " ");

test("schema and table of a run's view are up to date: npm run schema", () => {
	expect(JSON.parse(readFileSync(VIEW_SCHEMA, "utf8"))).toEqual(schema);
	expect(words(readFileSync(VIEW_TABLE, "utf8"))).toBe(words(viewTable(schema)));
});

thorough(
	"a view is valid by its schema, and one that lacks a field or has another type is not",
	() => {
		const shape = viewShape();
		const view = aRunView();
		expect(shape.safeParse(view).error).toBeUndefined();
		expect(shape.safeParse({ ...view, more: 1 }).error).toBeUndefined();
		const { tasks: _tasks, ...rest } = view;
		expect(shape.safeParse(rest).success).toBe(false);
		expect(shape.safeParse({ ...view, version: 2 }).success).toBe(false);
		const [task] = view.tasks;
		expect(shape.safeParse({ ...view, tasks: [{ ...task, turns: 3 }] }).success).toBe(false);
	},
);
