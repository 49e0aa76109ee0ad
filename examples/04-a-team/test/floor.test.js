import assert from "node:assert/strict";
import { test } from "node:test";
import { floor } from "../src/floor.js";

test("refuses a floor without a side", () => {
	assert.throws(() => floor(2, 0), RangeError);
});
