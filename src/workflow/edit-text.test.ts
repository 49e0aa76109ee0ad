import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { amount, thorough } from "../../test/support/amount.ts";
import { addTasks, setKeys } from "./edit-text.ts";
import { parseYaml } from "./yaml-source.ts";

const B = { b: { description: "x" } };
const FLAG = { requires_verification: true };

describe("tasks are added behind those that are there", () => {
	test.each([
		[
			"a block",
			"tasks:\n  a: { d: x } # c\n# end\n",
			"tasks:\n  a: { d: x } # c\n  b:\n    description: x\n# end\n",
		],
		[
			"a wide indentation",
			"tasks:\n    a:\n        d: x\n",
			"tasks:\n    a:\n        d: x\n    b:\n      description: x\n",
		],
		[
			"comments of the last task",
			"tasks:\n  a:\n    d: x\n\n    # e: 1\nz: 1\n",
			"tasks:\n  a:\n    d: x\n\n    # e: 1\n  b:\n    description: x\nz: 1\n",
		],
		["no line end", "tasks:\n  a:\n    d: x", "tasks:\n  a:\n    d: x\n  b:\n    description: x\n"],
		[
			"Windows line ends",
			"tasks:\r\n  a:\r\n    d: x\r\n",
			"tasks:\r\n  a:\r\n    d: x\r\n  b:\r\n    description: x\r\n",
		],
		[
			"a text in block style",
			"tasks:\n  a:\n    d: |+\n      x\n\n",
			"tasks:\n  a:\n    d: |+\n      x\n\n  b:\n    description: x\n",
		],
		["no tasks", "name: x\n", "name: x\ntasks:\n  b:\n    description: x\n"],
		["JSON", '{"tasks":{"a":{"d":1}}}\n', '{"tasks":{"a":{"d":1}, "b": {"description":"x"}}}\n'],
		["an empty mapping", "tasks: {}\n", 'tasks: { "b": {"description":"x"} }\n'],
		[
			"a trailing comma",
			"tasks: {a: {d: 1}, # c\n}\n",
			'tasks: {a: {d: 1}, b: {"description":"x"}, # c\n}\n',
		],
	])("%s", (_name, text, expected) => {
		expect(addTasks(text, B)).toBe(expected);
	});
});

describe("a task is replaced by others", () => {
	test.each([
		[
			"the only one",
			"# before\ntasks:\n  a: # c\n    # d\n    d: x\n    # e\n  # f\nz: 1\n",
			"# before\ntasks:\n  # f\n  b:\n    description: x\nz: 1\n",
		],
		["the last one", "tasks:\n  c: {}\n  a: {}\n", "tasks:\n  c: {}\n  b:\n    description: x\n"],
		[
			"Windows line ends",
			"tasks:\r\n  a:\r\n    d: x\r\n  c: {}\r\n",
			"tasks:\r\n  c: {}\r\n  b:\r\n    description: x\r\n",
		],
		["one on a line with others", "tasks: { a: {}, c: {} }\n", null],
	])("%s", (_name, text, expected) => {
		expect(addTasks(text, B, "a")).toBe(expected);
	});

	test("its id is free", () => {
		expect(addTasks("tasks:\n  b:\n    d: 1\n", B, "b")).toBe("tasks:\n  b:\n    description: x\n");
	});
});

test("tasks by an alias, a task that is there, and a text that is no mapping cannot be extended", () => {
	expect(addTasks("x: &x { a: { d: 1 } }\ntasks: *x\n", B)).toBeNull();
	expect(addTasks("tasks:\n  b:\n    d: 1\n", B)).toBeNull();
	expect(addTasks("- a\n", B)).toBeNull();
	expect(addTasks("a: [\n", B)).toBeNull();
});

describe("a flag is set in its place", () => {
	test.each([
		[
			"a value that is there",
			"tasks:\n  a:\n    requires_verification:   auto # c\n",
			"tasks:\n  a:\n    requires_verification:   true # c\n",
		],
		[
			"a value in quotes",
			"tasks: {a: {requires_verification: 'auto'}}\n",
			"tasks: {a: {requires_verification: true}}\n",
		],
		[
			"a task without it",
			"tasks:\n  a:\n    d: x # c\n  b: {}\n",
			"tasks:\n  a:\n    d: x # c\n    requires_verification: true\n  b: {}\n",
		],
		[
			"a task on one line",
			"tasks:\n  a: { d: x }\n",
			"tasks:\n  a: { d: x, requires_verification: true }\n",
		],
	])("%s", (_name, text, expected) => {
		expect(setKeys(text, "a", FLAG)).toBe(expected);
	});

	test("a word stays in quotes where it was", () => {
		const text = '{"tasks":{"a":{"verification_by":"planner"}}}';
		expect(setKeys(text, "a", { verification_by: "person" })).toBe(
			text.replace("planner", "person"),
		);
	});
});

test("what others share is not changed for them", () => {
	expect(setKeys("tasks:\n  a: &a { d: x }\n  b: *a\n", "a", FLAG)).toBeNull();
	expect(setKeys("tasks:\n  a: &a { d: x }\n  b: *a\n", "b", FLAG)).toBeNull();
	expect(setKeys("x: &x { d: 1 }\ntasks:\n  a:\n    <<: *x\n", "a", FLAG)).toBe(
		"x: &x { d: 1 }\ntasks:\n  a:\n    <<: *x\n    requires_verification: true\n",
	);
});

test.each([`${"word ".repeat(30)}\n`, "word\n\n\n", "word \n"])(
	"spaces and empty lines at the end of a text stay: %j",
	(description) => {
		const text = addTasks("tasks:\n  one: {}\n", { two: { description } });
		expect(parseYaml(text ?? "", "").value).toEqual({ tasks: { one: {}, two: { description } } });
	},
);

thorough(
	"whatever a planner writes, the file holds it, and its old text stays in front and behind",
	() => {
		const head = "name: x\ntasks:\n  a:\n    d: x # c\n";
		const tail = "# end\nz: 1\n";
		const text = fc.string({ unit: "grapheme" });
		const task = fc.record({
			description: text,
			acceptance_criteria: fc.array(text),
			n: fc.integer(),
		});
		const id = fc.stringMatching(/^[b-z][a-z0-9.-]{0,8}$/);
		fc.assert(
			fc.property(fc.dictionary(id, task, { minKeys: 1, noNullPrototype: true }), (tasks) => {
				const after = addTasks(head + tail, tasks) ?? "";
				expect(after.startsWith(head) && after.endsWith(tail)).toBe(true);
				expect(parseYaml(after, "").value).toEqual({
					name: "x",
					tasks: { a: { d: "x" }, ...tasks },
					z: 1,
				});
			}),
			{ numRuns: amount(2_000, 100) },
		);
	},
);
