import { expect, test } from "vitest";
import { Field } from "./field.ts";

const layered = (upper: unknown, lower: unknown): Field => {
	const root = Field.root({ upper, lower });
	return root.at("upper").over(root.at("lower"));
};

test("mappings merge key by key, and each value knows where it stands", () => {
	const field = layered({ a: { x: 1 } }, { a: { x: 2, y: 3 }, b: 4 });
	expect(field.merged()).toEqual({ a: { x: 1, y: 3 }, b: 4 });
	expect(field.at("a").at("y").path).toEqual(["lower", "a", "y"]);
	expect(field.at("a").at("x").path).toEqual(["upper", "a", "x"]);
});

test("a list replaces a list, and what is not a mapping hides what lies below", () => {
	expect(layered({ a: [1] }, { a: [2, 3] }).merged()).toEqual({ a: [1] });
	expect(
		layered({ a: null }, { a: { b: 1 } })
			.at("a")
			.at("b").present,
	).toBe(false);
	expect(layered("text", { a: 1 }).at("a").present).toBe(false);
});

test("what is not there is absent, with the path that it would have", () => {
	const field = Field.root({ list: ["x", 1, ""] });
	expect(field.at("list").item(3)).toMatchObject({ present: false, path: ["list", 3] });
	expect(field.at("none").item(0).present).toBe(false);
	expect(field.at("none").at("x").path).toEqual(["none", "x"]);
	expect(field.at("none").items()).toEqual([]);
	expect(
		field
			.at("list")
			.texts()
			.map(({ text }) => text),
	).toEqual(["x"]);
});

test("inherited properties of objects are not keys", () => {
	expect(Field.root({}).at("constructor").present).toBe(false);
	expect(Field.root(JSON.parse('{"__proto__": 1}')).at("__proto__").value).toBe(1);
});

test("a field without a key keeps the others and their places", () => {
	const field = Field.root({ d: { a: 1, b: 2 } })
		.at("d")
		.without("a");
	expect(field.merged()).toEqual({ b: 2 });
	expect(field.at("b").path).toEqual(["d", "b"]);
});
