import { expect, test } from "vitest";
import { thorough } from "../../test/support/amount.ts";
import { lookAt, Seen } from "./seen.ts";

/** A shelf as a browser has it. */
function shelf(): Pick<Storage, "getItem" | "setItem"> {
	const kept = new Map<string, string>();
	return {
		getItem: (name) => kept.get(name) ?? null,
		setItem: (name, text) => void kept.set(name, text),
	};
}

test("what was seen is there for another page of the browser, by task and file, until it is taken back", () => {
	const one = shelf();
	new Seen(() => one).put("changed 1a2", "file", "r1", "a", "src/a.js");
	const other = new Seen(() => one);
	expect(other.get("file", "r1", "a", "src/a.js")).toBe("changed 1a2");
	expect(other.get("file", "r1", "a src/a.js")).toBeUndefined();
	other.put(null, "file", "r1", "a", "src/a.js");
	expect(new Seen(() => one).get("file", "r1", "a", "src/a.js")).toBeUndefined();
});

thorough("the oldest is forgotten", () => {
	const one = shelf();
	const seen = new Seen(() => one);
	for (let file = 0; file <= 2_000; file += 1) seen.put("x", String(file));
	const other = new Seen(() => one);
	expect([other.get("0"), other.get("1"), other.get("2000")]).toEqual([undefined, "x", "x"]);
});

test("a browser that keeps nothing, or something else under this name, still knows what the page saw", () => {
	const closed = new Seen(() => {
		throw new Error("not allowed");
	});
	closed.put("x", "a");
	expect(closed.get("a")).toBe("x");
	const odd = new Seen(() => ({ ...shelf(), getItem: () => "{" }));
	odd.put("x", "a");
	expect(odd.get("a")).toBe("x");
});

test("the last look is the turn that was newest then, until another turn is looked at", () => {
	expect(lookAt(undefined, 2)).toEqual({ newest: 2, before: 0 });
	expect(lookAt("2 0", 2)).toEqual({ newest: 2, before: 0 });
	expect(lookAt("2 0", 4)).toEqual({ newest: 4, before: 2 });
	expect(lookAt("4 2", 4)).toEqual({ newest: 4, before: 2 });
	expect(lookAt("nonsense", 1)).toEqual({ newest: 1, before: 0 });
});
