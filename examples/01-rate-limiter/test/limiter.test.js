import assert from "node:assert/strict";
import { test } from "node:test";
import { createLimiter } from "../src/limiter.js";

test("lets the burst through", () => {
	const limiter = createLimiter({ burst: 2 });
	assert.equal(limiter.take(), true);
	assert.equal(limiter.take(), true);
});
