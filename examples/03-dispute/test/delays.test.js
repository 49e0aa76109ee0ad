import assert from "node:assert/strict";
import { test } from "node:test";
import { delays } from "../src/delays.js";

test("gives a delay for each retry", () => {
	assert.equal(delays(3).length, 3);
});
