import assert from "node:assert/strict";
import { test } from "node:test";
import { createManualClock, systemClock } from "../src/clock.js";

test("a manual clock moves only when told", () => {
	const clock = createManualClock(5);
	assert.equal(clock.now(), 5);
	clock.advance(10);
	assert.equal(clock.now(), 15);
});

test("a manual clock does not run backwards", () => {
	assert.throws(() => createManualClock().advance(-1), RangeError);
});

test("the system clock does not run backwards", () => {
	const first = systemClock.now();
	assert.ok(systemClock.now() >= first);
});
