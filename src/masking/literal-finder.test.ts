import fc from "fast-check";
import { expect, test } from "vitest";
import { LiteralFinder } from "./literal-finder.ts";

type Hit = readonly [literal: number, start: number];

const LONG = ".".repeat(20_000);

/** Hits in a text, the same of a finder that has searched little and of one that has searched much. */
function hitsOf(literals: readonly string[], text: string): Hit[] {
	const [little, much] = ["", LONG].map((before) => {
		const finder = new LiteralFinder(literals);
		finder.find(before, () => undefined);
		const hits: Hit[] = [];
		finder.find(text, (literal, start) => hits.push([literal, start]));
		return hits;
	});
	if (little === undefined || much === undefined) throw new Error("two finders are above");
	const isAscii = /^[\0-\x7f]*$/.test(text);
	if (isAscii) expect(little).toEqual(much);
	return (isAscii ? little : much).sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

function slowly(literals: readonly string[], text: string): Hit[] {
	const hits = literals.flatMap((literal, index) =>
		Array.from(text, (_, start) => [index, start] as const).filter(([, start]) =>
			text.startsWith(literal, start),
		),
	);
	return hits.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
}

test("literals that contain and overlap each other are all found", () => {
	expect(hitsOf(["he", "she", "his", "hers"], "ushers")).toEqual([
		[1, 1],
		[0, 2],
		[3, 2],
	]);
});

test("it finds what a plain search finds", () => {
	const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "-"), minLength: 1, maxLength: 5 });
	const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "-", "x"), maxLength: 60 });
	fc.assert(
		fc.property(fc.uniqueArray(word, { maxLength: 8 }), text, (literals, searched) => {
			expect(hitsOf(literals, searched)).toEqual(slowly(literals, searched));
		}),
	);
});

test("the case of ASCII letters does not matter", () => {
	expect(hitsOf(["tOken"], "ToKeN token")).toEqual([
		[0, 0],
		[0, 6],
	]);
	expect(hitsOf(["aB", "Ab"], "ab")).toEqual([
		[0, 0],
		[1, 0],
	]);
});

test("a character beyond ASCII is told from every ASCII one", () => {
	const hits = hitsOf(["grün"], "GRÜN grün grun gr\u0075\u0308n");
	expect(hits).toContainEqual([0, 5]);
	expect(hits.filter(([, start]) => start > 5)).toEqual([]);
	expect(hitsOf(["a"], "\u0161\u0141")).toEqual([]);
});

test("a text whose lower case is longer is searched at its own places", () => {
	expect(hitsOf(["token"], "\u0130 token")).toEqual([[0, 2]]);
	expect(hitsOf(["\u0130x"], "a \u0130x")).toEqual([[0, 2]]);
});

test("no literals find nothing", () => {
	expect(hitsOf([], "text")).toEqual([]);
});
