import { expect, test } from "vitest";
import { readJob, readRequest, readResult } from "./messages.ts";

test.each([
	"{",
	"null",
	JSON.stringify({ schema: 2, id: "r1/t/1/1/d/0", key: "r1/t/1/d", epoch: 1, answer: {} }),
])("%s is no message, and no job", (text) => {
	expect(readRequest(text)).toBeUndefined();
	expect(readResult(text)).toBeUndefined();
	expect(readJob(text, "r1/t/1/d")).toBeNull();
});
