import fc from "fast-check";
import { expect, test } from "vitest";
import { Ring } from "./ring.ts";

const kept = <Value>(ring: Ring<Value>): (Value | undefined)[] =>
	Array.from({ length: ring.length }, (_, index) => ring.at(index));

test("a ring keeps the last values in their order and forgets the others", () => {
	const ring = new Ring<number>(3);
	for (const value of [1, 2, 3, 4, 5]) ring.add(value);
	expect(kept(ring)).toEqual([3, 4, 5]);
	expect(ring.seen).toBe(5);
	expect(ring.at(3)).toBeUndefined();
});

test("a cleared ring begins again", () => {
	const ring = new Ring<number>(2);
	for (const value of [1, 2, 3]) ring.add(value);
	ring.clear();
	expect([ring.length, ring.seen]).toEqual([0, 0]);
	ring.add(9);
	expect(kept(ring)).toEqual([9]);
});

test("whatever is added, the ring holds the end of it", () => {
	fc.assert(
		fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), (values, room) => {
			const ring = new Ring<number>(room);
			for (const value of values) ring.add(value);
			expect(kept(ring)).toEqual(values.slice(-room));
		}),
	);
});
