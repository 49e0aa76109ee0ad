import { expect, test } from "vitest";
import { servesFor } from "./assembled-tree.ts";

const merge = { tree: "t1", key: "k1" };

test("a cold setup serves for the tree that it was made on", () => {
	expect(servesFor({ tree: "t1", key: null }, merge)).toBe(true);
});

test("on a branch that moved it serves only for the same inputs, and never what was built from sources", () => {
	expect(servesFor({ tree: "t0", key: "k1" }, merge)).toBe(true);
	expect(servesFor({ tree: "t0", key: "k0" }, merge)).toBe(false);
	expect(servesFor({ tree: "t0", key: null }, merge)).toBe(false);
});
